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

    /// The texts in the order of the file.
    static func texts(_ problems: [SettingsProblem]) -> [String] {
        problems.enumerated().sorted { a, b in
            (a.element.line ?? .max, a.offset) < (b.element.line ?? .max, b.offset)
        }.map(\.element.text)
    }
}
