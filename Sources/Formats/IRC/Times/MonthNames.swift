import Synchronization

/// Short names of months as the clocks of programs write them, in the languages of their users.
enum MonthNames {
    /// 1 to 12 for a name, however it is capitalised, with or without a point; nil for another word. Logs have it in the character
    /// set that they were written in, of which a name alone tells enough.
    static func month(_ word: Bytes) -> Int? {
        if let month = english(word) { return month }
        guard Charset.isPlain(word) else { return month(undecoded: word) }
        let name = word.string
        if let month = month(name) { return month }
        // A word of another character set that was read in the usual one.
        let bytes = name.unicodeScalars.map { scalar in
            scalar.value < 0x100 ? UInt8(scalar.value) : usual.firstIndex(of: scalar).map { UInt8(0x80 + $0) } ?? 0
        }
        return bytes.contains { $0 >= 0x80 } ? bytes.withUnsafeBytes { month(undecoded: $0) } : nil
    }

    /// 0x80 to 0x9F of Windows-1252.
    private static let usual = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    private static func month(undecoded word: Bytes) -> Int? { read(undecoded: word)?.month }

    private static func read(undecoded word: Bytes) -> (month: Int, charset: String)? {
        guard word.count <= longest else { return nil }
        return lock.withLock { _ in
            decoders.lazy.compactMap { charset, decoder in
                var text: [UInt8] = []
                decoder.decode(word, to: &text)
                return month(String(decoding: text, as: UTF8.self)).map { ($0, charset) }
            }.first
        }
    }

    /// The most bytes of the name of a month.
    private static let longest = 40
    /// They stay open: to open one loads a library, and a log may ask for each of its lines. Used under the lock only.
    private nonisolated(unsafe) static let decoders = charsets.map { (charset: $0, decoder: LineDecoder($0)) }
    private static let lock = Mutex(())

    /// The character set in which a word names a month; nil if it does in none.
    static func charset(of word: Bytes) -> String? { read(undecoded: word)?.charset }

    private static let charsets = [
        "CP1252", "KOI8-R", "CP1251", "CP1250", "ISO-8859-2", "CP1253", "CP1254", "CP932", "EUC-JP-MS", "CP949",
        "GB18030",
        "BIG5-HKSCS", "ISO-8859-5", "CP866", "KOI8-U",
    ]

    private static func month(_ name: String) -> Int? {
        let text = name.lowercased().filter { $0 != "." && $0 != "," }
        if let month = others[text] { return month }
        // Long names begin with the short ones; four letters tell `juin` from `juillet`.
        guard text.count > 3, text.unicodeScalars.allSatisfy(\.properties.isAlphabetic) else { return nil }
        return (3...5).reversed().lazy.compactMap { others[String(text.prefix($0))] }.first
            ?? Array(text.utf8).withUnsafeBytes { english($0, isLong: true) }
    }

    /// The usual case without making a string.
    private static func english(_ word: Bytes, isLong: Bool = false) -> Int? {
        guard word.count == 3 || isLong && word.count > 3 else { return nil }
        let key = UInt32(word[0] | 0x20) << 16 | UInt32(word[1] | 0x20) << 8 | UInt32(word[2] | 0x20)
        return keys.firstIndex(of: key).map { $0 + 1 }
    }

    private static let keys = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        .map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

    /// As the locales of the GNU C library abbreviate them.
    private static let table = [
        [
            "janv", "jän", "jan", "ene", "gen", "gener", "sty", "led", "янв", "січ", "oca", "tammi", "tam", "ян", "ιαν",
            "1月",
        ],
        ["févr", "fév", "fevr", "feb", "fev", "febr", "lut", "úno", "фев", "лют", "şub", "helmi", "hel", "φεβ", "2月"],
        [
            "mars", "mär", "märz", "mrt", "mar", "març", "marc", "maa", "maalis", "bře", "мар", "бер", "μαρ", "márc",
            "3月",
        ],
        ["avr", "abr", "kwi", "dub", "апр", "кві", "nis", "huhti", "huh", "ápr", "απρ", "apr", "4月"],
        ["mai", "mei", "maj", "mag", "maig", "kvě", "май", "мая", "тра", "touko", "tou", "máj", "μαΐ", "5月"],
        [
            "juin", "giu", "jun", "juni", "juny", "cze", "čen", "čer", "июн", "чер", "haz", "kesä", "kes", "jún", "ιου",
            "6月",
        ],
        ["juil", "lug", "jul", "juli", "lip", "čec", "июл", "лип", "tem", "heinä", "hei", "júl", "7月"],
        ["août", "aout", "ago", "aug", "sie", "srp", "авг", "сер", "ağu", "elo", "αυγ", "8月"],
        ["sept", "set", "sep", "wrz", "zář", "сен", "вер", "eyl", "syys", "syy", "szept", "σεπ", "9月"],
        ["oct", "okt", "ott", "out", "paź", "říj", "окт", "жов", "eki", "loka", "lok", "οκτ", "10月"],
        ["nov", "lis", "noe", "ноя", "лис", "kas", "marras", "νοε", "11月"],
        ["déc", "dez", "dic", "dec", "des", "gru", "pro", "дек", "гру", "ara", "joulu", "jou", "δεκ", "12月"],
    ]

    private static let others: [String: Int] = Dictionary(
        table.enumerated().flatMap { index, names in names.map { ($0, index + 1) } },
        uniquingKeysWith: { first, _ in first })
}
