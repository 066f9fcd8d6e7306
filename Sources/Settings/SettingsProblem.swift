/// A mistake in the file of settings, for people.
struct SettingsProblem: Hashable, Sendable {
    /// Path and, where there is one, line, then the text.
    let text: String
    /// Nil for what concerns the whole file, which is told last.
    private let line: Int?

    init(_ path: String, line: Int? = nil, _ text: String) {
        self.line = line
        self.text = line.map { "\(path):\($0): \(text)" } ?? "\(path): \(text)"
    }

    /// Lines of mistakes in the order of the file.
    /// - Parameter path: with which each line begins, before the number of its line in the file.
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
