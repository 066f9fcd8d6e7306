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
    /// The places of the settings that count, by their full names.
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

    /// Whether the file has this table.
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
