internal import JSON
/// The part of the day that belongs to an hour up to 12: `PM`, `nachm.`, `午後`.
enum HalfOfDay {
    case morning, afternoon
    /// About noon: 11 is before it, 12 and 1 are after it.
    case noon
    /// About midnight: 11 is before it, 12 and 1 are after it.
    case night

    /// The hour on a 24-hour clock.
    func hour(_ hour: Int) -> Int {
        guard hour <= 12 else { return hour }
        return switch self {
        case .morning: hour % 12
        case .afternoon: hour % 12 + 12
        case .noon: hour >= 10 && hour < 12 ? hour : hour % 12 + 12
        case .night: hour == 12 || hour < 6 ? hour % 12 : hour + 12
        }
    }

    /// The name at the beginning of a text: its half of the day, its length, and the notation of the clock that it shows. East
    /// Asian scripts begin with higher bytes than all others.
    static func read(_ text: Bytes) -> (half: HalfOfDay, length: Int, clock: DateNotation.Clock)? {
        guard let first = text.first, first >= 0x80 || first.isLetter else { return nil }
        if let found = latin(text, first) { return found }
        for (name, half) in names where text.starts(with: name) {
            // A longer word that begins like the name is something else.
            let length = name.utf8CodeUnitCount
            if length < text.count, text[length].isLetter { continue }
            let hasPoint = length < text.count && text[length] == UInt8(ascii: ".")
            return (half, hasPoint ? length + 1 : length, first >= 0xE3 ? .eastern : .foreign)
        }
        return nil
    }

    /// `AM`, `pm`, `a. m.`
    private static func latin(_ text: Bytes, _ first: UInt8) -> (
        half: HalfOfDay, length: Int, clock: DateNotation.Clock
    )? {
        guard first | 0x20 == UInt8(ascii: "a") || first | 0x20 == UInt8(ascii: "p") else { return nil }
        var at = 1
        let hasPoint = at < text.count && text[at] == UInt8(ascii: ".")
        if hasPoint { at += 1 }
        let blank = at
        for name in blanks where Bytes(rebasing: text[at...]).starts(with: name) { at += name.utf8CodeUnitCount }
        guard hasPoint || at == blank, at < text.count, text[at] | 0x20 == UInt8(ascii: "m") else { return nil }
        at += 1
        if hasPoint, at < text.count, text[at] == UInt8(ascii: ".") { at += 1 }
        // Excludes words such as `American` and `amigo`.
        if at < text.count, text[at].isLetter || text[at] >= 0x80 && text[at] != 0xC2 && text[at] != 0xE2 {
            return nil
        }
        let clock: DateNotation.Clock = hasPoint ? .foreign : first < 0x60 ? .english : .lower
        return (first | 0x20 == UInt8(ascii: "a") ? .morning : .afternoon, at, clock)
    }

    static let blanks: [StaticString] = [" ", "\u{202F}", "\u{A0}", "\u{2009}"]

    /// The names in Unicode's locales. If one name begins another, the longer comes first.
    private static let names: [(StaticString, HalfOfDay)] = sorted([
        .morning: [
            "上午", "午前", "오전", "凌晨", "早上", "清晨", "새벽", "아침", "in the morning", "de la madrugada", "de la mañana",
            "da madrugada", "da manhã", "vorm.", "vormittags", "morgens", "morg.", "früh", "fm", "f.m.", "dop.",
            "dopoledne", "ráno", "rano", "przed południem", "π.μ.", "ÖÖ", "sabah", "ق.ظ", "قبل‌ازظهر", "ص", "صباحًا",
            "صباحا", "فجرًا", "SA", "sáng", "ap.", "aamup.", "de.", "délelőtt", "reggel", "дп", "ранку", "утра",
            "до полудня", "пр.об.", "преди обед", "претпл.", "пре подне", "priešpiet", "priekšp.", "pagi",
            "dini hari", "पूर्वाह्न", "सुबह", "सकाळी", "म.पू.", "পূর্বাহ্ণ", "সকাল", "ভোর", "முற்பகல்", "காலை",
            "ఉదయం", "ಪೂರ್ವಾಹ್ನ", "രാവിലെ", "ਪੂ.ਦੁ.", "સવારે", "පෙ.ව.", "ก่อนเที่ยง", "နံနက်", "ព្រឹក", "ጥዋት", "ጠዋት",
            "asubuhi", "לפנה״צ", "לפנה\"צ", "בבוקר", "قبل دوپہر", "صبح", "voorm.", "vm.", "paradites", "PD",
            "e paradites", "p.d", "PG", "r.n", "ກ່ອນທ່ຽງ", "ү.ө", "غ.م", "TO", "ТО", "АМ", "f.h", "yb", "prijepodne",
            "prije podne", "прије подне", "priekšpusdienā", "dopołdnja", "सकाळ", "পূৰ্বাহ্ন", "ب.ن", "BN", "таңкы",
            "günortadan öň", "GH", "WD", "Safiya", "Isuk", "moies", "ቅ.ቀ", "פֿאַרמיטאָג",
        ],
        .afternoon: [
            "下午", "午後", "오후", "晚上", "傍晚", "저녁", "in the afternoon", "in the evening", "de la tarde", "de la noche",
            "da tarde", "da noite", "nachm.", "nachmittags", "nachm", "abends", "em", "e.m.", "odp.", "odpoledne",
            "večer", "po południu", "wieczorem", "μ.μ.", "ÖS", "öğleden sonra", "akşam", "ب.ظ", "بعدازظهر", "م",
            "مساءً", "مساء", "ظهرًا", "CH", "chiều", "tối", "ip.", "iltap.", "du.", "délután", "este", "пп", "дня",
            "вечора", "вечера", "после полудня", "сл.об.", "следобед", "попл.", "по подне", "popiet", "pēcp.", "sore",
            "petang", "अपराह्न", "शाम", "संध्याकाळी", "म.उ.", "অপরাহ্ণ", "বিকাল", "সন্ধ্যা", "பிற்பகல்", "மாலை",
            "సాయంత్రం", "ಅಪರಾಹ್ನ", "വൈകുന്നേരം", "ਬਾ.ਦੁ.", "સાંજે", "ප.ව.", "หลังเที่ยง", "ညနေ", "ល្ងាច", "ከሰዓት",
            "jioni", "אחה״צ", "אחה\"צ", "בערב", "بعد دوپہر", "شام", "nam.", "nm.", "pasdites", "MD",
            "e pasdites", "m.d", "PTG", "i.n", "ຫຼັງທ່ຽງ", "ү.х", "غ.و", "TK", "ТК", "ПМ", "e.h", "yh", "popodne",
            "po podne", "послије подне", "pēcpusdienā", "popołdnju", "wótpołdnja", "pop.", "सांज", "অপৰাহ্ন", "د.ن", "PN",
            "түштөн кийинки", "günortadan soň", "GD", "WB", "Yamma", "Wengi", "nomëttes", "ድ.ቀ", "נאָכמיטאָג",
        ],
        .noon: [
            "中午", "正午", "낮", "del mediodía", "do meio-dia", "mittags", "mitt.", "siang", "tengah hari", "दोपहर", "दुपारी",
            "দুপুর", "trưa",
        ],
        .night: [
            "深夜", "夜", "밤", "at night", "nachts", "nacht", "éjjel", "v noci", "w nocy", "ночи", "ночі", "gece",
            "malam", "रात", "रात्री", "রাত", "đêm", "ليلاً", "ليلا", "בלילה",
        ],
    ])

    private static func sorted(_ names: [HalfOfDay: [StaticString]]) -> [(StaticString, HalfOfDay)] {
        names.flatMap { half, names in names.map { ($0, half) } }
            .sorted { $0.0.utf8CodeUnitCount > $1.0.utf8CodeUnitCount }
    }
}
