import Display
import Foundation
import Testing

/// Texts on whose width terminals disagree, drawn by the program in a real one.
@Suite(.timeLimit(.minutes(30)))
struct WideTextTests {
    /// A mark stands after each text. The first text is empty: its mark is where texts begin.
    private static let cases =
        [""] + emoji + presentations + flags + indic + otherScripts + marks + eastAsian + invisible + controls

    private static let emoji = [
        "👍", "👍🏽", "👋🏿👋", "a🏽", "🏽", "👨‍👩‍👧‍👦", "👩‍❤️‍💋‍👨", "👩🏽‍💻", "🧑🏾‍🚀🧑🏾‍🚀", "🐻‍❄️", "❤️‍🔥",
        "🏳️‍🌈", "🏴‍☠️", "👁️‍🗨️", "🤷🏼‍♀️", "🧑🏻‍🤝‍🧑🏿",
    ]

    private static let presentations = [
        "❤️", "❤︎", "☎️", "⌚︎", "⌚️", "☝🏽", "☝️🏽", "©️", "™️®", "1️⃣", "#⃣", "*️⃣", "🔟", "㊗️", "↔️", "✈️✈︎", "♾️ ☺",
    ]

    private static let flags = [
        "🇩🇪", "🇩", "🇩🇪🇫", "🇩🇪🇫🇷🇮", "a🇩🇪", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "🏴",
        "🎌🏁",
    ]

    private static let indic = [
        "क्ष", "हिन्दी", "स्त्री", "राष्ट्र", "क्\u{200D}ष", "क्\u{200C}ष", "त्", "्", "क़्य", "র্ক্য", "স্ত্রী", "বিজ্ঞান", "ক্ষ", "ৎ",
        "ക്ക", "സ്ത്രീ", "ന്\u{200D}", "മലയാളം", "ൎക", "ગુજ્જુ", "સ્ત્રી", "జ్ఞానం", "స్త్రీ", "ଓଡ଼ିଶାର୍ଷ୍ଟ", "ସ୍ତ୍ରୀ", "தமிழ்",
        "ಕನ್ನಡ ಸ್ತ್ರೀ", "ශ්\u{200D}රී", "ਪੰਜਾਬੀ",
    ]

    private static let otherScripts = [
        "สวัสดี", "น้ำ", "ทำคำ", "ำ", "ນ້ຳ", "ພາສາລາວ", "ភាសាខ្មែរ", "မြန်မာ", "ဗုဒ္ဓ", "བོད་སྐད་", "مرحبا", "مُحَمَّدٌ", "لا", "\u{600}1",
        "شָׁلوم", "שָׁלוֹם", "עברית", "ܫܠܡܐ", "ᬅᬓ᭄ᬱ", "ꦲꦏ꧀ꦱ",
    ]

    private static let marks = [
        "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}a\u{300}", "\u{301}", "e\u{301}e\u{20DD}", "漢\u{3099}",
        " \u{301}", "o\u{308}\u{304}", "👍\u{301}", "x\u{36F}\u{36F}\u{36F}\u{36F}\u{36F}\u{36F}",
    ]

    private static let eastAsian = [
        "漢字", "ｱｲｳ", "ｶﾞﾊﾟ", "ﾞ", "Ａｂｃ１", "か\u{3099}", "한글", "\u{1112}\u{1161}\u{11AB}",
        "\u{1100}\u{1100}\u{1161}",
        "\u{1100}각", "각\u{11A8}", "\u{115F}\u{1161}", "\u{1161}", "ᄒ\u{302E}", "ﾡﾂ", "㉈㉏", "〜（）", "葛\u{E0100}飾", "𠀋",
        "\u{3164}x", "é…—’·",
    ]

    private static let invisible = [
        "a\u{200B}b", "a\u{200D}b", "a\u{200C}b", "a\u{2060}b", "\u{FEFF}a", "a\u{AD}b", "a\u{34F}b", "a\u{202E}b",
        "\u{2066}a\u{2069}", "\u{200E}\u{200F}\u{61C}", "a\u{180E}b", "\u{E0041}", "\u{FFF9}a\u{FFFB}",
    ]

    private static let controls = [
        "\u{1B}[2Ja", "\u{7}\u{8}", "\u{9B}5m", "\0\u{7F}", "\t", "a\tb", "漢\tb", "\u{E0B0}", "\u{F8FF}", "\u{100000}",
        "\u{378}", "\u{FFFF}", "\u{10FFFF}", "\u{E000}\u{301}",
    ]

    private static func mark(_ index: Int) -> String { "<\(index)>" }

    @Test func `After each difficult text the terminal's cursor is at the measured column`() throws {
        let cases = Self.cases
        let folder = try archive(cases)
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            Program.forget(archive: folder)
        }
        let tmux = try Tmux(
            columns: 100, rows: cases.count + 6, command: "\"$KEDGE\" open --archive '\(folder)' one/m0")
        let screen = try tmux.waitUntilStill("opened") { $0.last?.contains("one/m0") == true }
        let places = try places(of: cases.indices.map(Self.mark), in: tmux)
        let start = try #require(places.first).column
        #expect(cases.count >= 100 && places.count == cases.count && start > 0)
        for (index, (text, place)) in zip(cases, places).enumerated() {
            let clean = try #require(CleanText.lines(text).first)
            try #require(screen[place.row].contains(Self.mark(index)), "\(name(text)) is not on the screen")
            #expect(place.column == start + clean.columns, "\(name(text)): \(screen[place.row])")
            #expect(columnsOfClusters(clean) == clean.columns, "\(name(text)) to terminals that measure clusters")
        }
    }

    /// Where the terminal has the marks. Its search goes by the cells that it keeps, whatever is in them.
    private func places(of marks: [String], in tmux: Tmux) throws -> [(row: Int, column: Int)] {
        let start = ["tmux", "-u", "-S", try tmux.ask("#{socket_path}"), "copy-mode"]
        let searches = marks.flatMap { mark in
            [";", "send-keys", "-X", "search-backward-text", mark, ";"]
                + ["display-message", "-p", "#{copy_cursor_y} #{copy_cursor_x}"]
        }
        let result = try Program.run("/usr/bin/env", start + searches)
        return result.output.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        }
    }

    /// An archive of one conversation, with a message of one row for each text and its mark.
    private func archive(_ texts: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-wide-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder + "/conversations/one", withIntermediateDirectories: true)
        let files = [
            "archive.json": #"{"format":"kedge","version":1,"name":"Test","me":"ana"}"#, "people.json": "[]",
            "conversations/one/messages-000001.jsonl": try texts.enumerated().map(line).joined(),
        ]
        for (name, text) in files { try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8) }
        return folder
    }

    private func line(_ index: Int, _ text: String) throws -> String {
        let record = [
            "type": "message", "id": "m\(index)", "at": "2025-03-01T09:00:00Z", "from": "ana",
            "text": text + Self.mark(index),
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self) + "\n"
    }

    /// What a terminal counts that gives a cluster (UAX #29) the columns of its first scalar, or two with an emoji selector.
    /// Spacing marks apart, which have no form that all count alike.
    private func columnsOfClusters(_ text: CleanText) -> Int {
        text.apart.reduce(0) { columns, cluster in
            let spacing = cluster.unicodeScalars.dropFirst().filter { $0.properties.generalCategory == .spacingMark }
            let isEmoji = cluster.unicodeScalars.contains("\u{FE0F}")
            let first = isEmoji ? 2 : cluster.unicodeScalars.first.map { Width.columns(of: $0) } ?? 0
            return columns + first + spacing.reduce(0) { $0 + Width.columns(of: $1) }
        }
    }

    private func name(_ text: String) -> String {
        text.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}
