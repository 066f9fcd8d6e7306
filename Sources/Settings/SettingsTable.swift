internal import CToml
internal import Search

/// Reads the settings in a table of the file, and collects those that it does not know.
struct SettingsTable {
    /// The largest number of unknown names that are reported.
    private static let mostUnknown = 10

    private let entries: [String: TOMLDocument.Entry]
    private let name: String?
    private let path: String
    private var known: [String] = []
    var problems: [SettingsProblem] = []
    /// The locations (path and line) of the settings that were read, by their full names.
    private(set) var places: [String: String] = [:]

    init(_ entries: [String: TOMLDocument.Entry], name: String?, path: String) {
        self.entries = entries
        self.name = name
        self.path = path
    }

    mutating func text(_ key: String, wants: String, where isGood: (String) -> Bool) -> String? {
        value(key, wants: wants) { if case .text(let text) = $0, isGood(text) { text } else { nil } }
    }

    /// A list of texts; a text alone is a list of itself.
    mutating func texts(_ key: String, wants: String, where isGood: (String) -> Bool) -> [String]? {
        value(key, wants: wants) { $0.listedTexts.flatMap { $0.allSatisfy(isGood) ? $0 : nil } }
    }

    mutating func boolean(_ key: String) -> Bool? {
        value(key, wants: "true or false") { if case .boolean(let boolean) = $0 { boolean } else { nil } }
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        value(key, wants: "a number from \(range.lowerBound) to \(range.upperBound)") {
            if case .integer(let integer) = $0, range.contains(integer) { integer } else { nil }
        }
    }

    /// True if the file has this table.
    mutating func table(_ key: String) -> Bool {
        defer { places[full(key)] = nil }
        return value(key, wants: "a table") { if case .table = $0 { true } else { nil } } ?? false
    }

    /// The path of the file, and the line.
    func place(of key: String) -> String { entries[key].map { "\(path):\($0.line)" } ?? path }

    /// All problems. Call this after all known settings have been read. Names only some of many unknown ones.
    func finish() -> [SettingsProblem] {
        let unknown = entries.filter { !known.contains($0.key) }.sorted {
            ($0.value.line, $0.key) < ($1.value.line, $1.key)
        }
        var lines = unknown.prefix(SettingsTable.mostUnknown).map { key, entry in
            SettingsProblem(
                path, line: entry.line,
                "unknown setting \(SettingsTable.oneLine(full(key))); ignored (\(advice(for: key)))")
        }
        if unknown.count > lines.count {
            lines.append(SettingsProblem(path, "\(unknown.count - lines.count) more unknown settings; ignored"))
        }
        return problems + lines
    }

    /// The name that was meant, or all names.
    private func advice(for key: String) -> String {
        if let meant = Spelling.nearest(to: key, among: known) { return "did you mean \(full(meant))?" }
        return "settings: " + known.map(full).joined(separator: ", ")
    }

    /// A text from the file as part of a line: without controls, and shortened.
    static func oneLine(_ text: String) -> String {
        let isCut = text.unicodeScalars.count > 200
        let scalars = text.unicodeScalars.prefix(200).map {
            $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
        }
        return String(String.UnicodeScalarView(scalars)) + (isCut ? "…" : "")
    }

    private mutating func value<Value>(
        _ key: String, wants: String, _ read: (TOMLDocument.Value) -> Value?
    ) -> Value? {
        known.append(key)
        guard let entry = entries[key] else { return nil }
        if let good = read(entry.value) {
            places[full(key)] = place(of: key)
            return good
        }
        problems.append(SettingsProblem(path, line: entry.line, "\(full(key)) takes \(wants); ignored"))
        return nil
    }

    private func full(_ key: String) -> String { name.map { "\($0).\(key)" } ?? key }
}

/// A mistake in the file of settings, for people.
struct SettingsProblem: Hashable, Sendable {
    /// Path and, where there is one, line, then the text.
    let text: String
    /// The line; nil for an error of the whole file, which is reported last.
    private let line: Int?

    init(_ path: String, line: Int? = nil, _ text: String) {
        self.line = line
        self.text = line.map { "\(path):\($0): \(text)" } ?? "\(path): \(text)"
    }

    /// Lines of errors in the order of the file.
    /// - Parameter path: the path with which each line begins, before its number.
    static func sorted(_ texts: [String], of path: String) -> [String] {
        func line(_ text: String) -> Int {
            text.hasPrefix(path + ":") ? Int(text.dropFirst(path.count + 1).prefix { $0 != ":" }) ?? .max : .max
        }
        return texts.enumerated().sorted { a, b in (line(a.element), a.offset) < (line(b.element), b.offset) }
            .map(\.element)
    }

    /// The texts in the order of the file.
    static func texts(_ problems: [SettingsProblem]) -> [String] {
        problems.enumerated().sorted { a, b in
            (a.element.line ?? .max, a.offset) < (b.element.line ?? .max, b.offset)
        }.map(\.element.text)
    }
}

/// A text in TOML, as far as settings need it: the values in its root, and in the tables of the root.
struct TOMLDocument {
    struct Entry {
        let value: Value
        /// Counted from 1.
        let line: Int
    }

    enum Value {
        case text(String)
        case boolean(Bool)
        case integer(Int)
        case table
        /// An array of texts.
        case texts([String])
        /// Another number, a date or another array.
        case other
    }

    private(set) var root: [String: Entry] = [:]
    /// The entries of the tables in the root.
    private(set) var tables: [String: [String: Entry]] = [:]
    /// The first mistake in the text; without a line if there is no memory to read it.
    private(set) var mistake: (line: Int?, reason: String)?

    init(_ text: String) {
        let status = withUnsafeMutablePointer(to: &self) { TOMLDocument.read(text, into: $0) }
        if status != CTOML_OK, mistake == nil { mistake = (nil, "there is no memory to read it") }
    }

    private static func read(_ text: String, into document: UnsafeMutablePointer<TOMLDocument>) -> ctoml_status {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                ctoml_read(
                    bytes.baseAddress, bytes.count, document,
                    { context, entry in
                        guard let entry else { return }
                        context?.assumingMemoryBound(to: TOMLDocument.self).pointee.add(entry.pointee)
                    },
                    { context, line, reason in
                        context?.assumingMemoryBound(to: TOMLDocument.self).pointee.mistake =
                            (line, String(reason))
                    })
            }
        }
    }

    private mutating func add(_ entry: ctoml_entry) {
        let value: Value =
            switch entry.kind {
            case CTOML_TEXT: .text(String(entry.text))
            case CTOML_BOOLEAN: .boolean(entry.boolean)
            case CTOML_INTEGER: .integer(Int(entry.integer))
            case CTOML_TABLE: .table
            case CTOML_TEXTS:
                .texts(UnsafeBufferPointer(start: entry.texts, count: entry.text_count).map { String($0) })
            default: .other
            }
        let new = Entry(value: value, line: entry.line)
        if entry.is_in_table {
            tables[String(entry.table), default: [:]][String(entry.key)] = new
        } else {
            root[String(entry.key)] = new
        }
    }
}

extension TOMLDocument.Value {
    /// A list of texts; a text alone is a list of itself.
    var listedTexts: [String]? {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        default: nil
        }
    }
}

extension String {
    fileprivate init(_ text: ctoml_text) {
        self = String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
    }
}

/// Finds a usual mistake in a settings file: a text without the quote at its end.
enum UnclosedText {
    /// The quote that is missing; nil if the line has another error. Texts of several lines are skipped.
    /// - Parameter line: counted from 1.
    static func advice(line: Int, of text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1), !text.contains("\"\"\""), !text.contains("'''") else { return nil }
        return openQuote(lines[line - 1]).map { "the closing \($0) is missing" }
    }

    /// The quote of a text that does not end on its line.
    private static func openQuote(_ line: Substring) -> Character? {
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                isEscaped = false
            } else if let open = quote {
                isEscaped = open == "\"" && character == "\\"
                if character == open { quote = nil }
            } else if character == "#" {
                return nil
            } else if character == "\"" || character == "'" {
                quote = character
            }
        }
        return quote
    }
}

/// Finds the most usual mistake in a settings file: a text without quotes.
enum UnquotedText {
    /// Words that stand for true or false, in TOML or elsewhere: quotes would not help.
    private static let truthWords: Set = ["true", "false", "yes", "no", "on", "off"]

    /// The line as it should be; nil if the line has another mistake.
    /// - Parameter line: counted from 1.
    static func advice(line: Int, of text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return nil }
        let parts = lines[line - 1].split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let (name, value) = (trimmed(parts[0]), trimmed(parts[1].prefix { $0 != "#" }))
        guard !name.isEmpty, let first = value.first, first.isLetter || first == "/" || first == "~",
            !truthWords.contains(value.lowercased()), !value.contains("\""), !value.contains("\\")
        else { return nil }
        return "text needs quotes: \(SettingsTable.oneLine("\(name) = \"\(value)\""))"
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}
