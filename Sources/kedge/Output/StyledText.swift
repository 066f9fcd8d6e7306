import Display

/// Lines of the screen as text for a terminal, with the sequences of ECMA-48 for their styles.
struct StyledText {
    /// Nil for no colours and no attributes.
    private let theme: Theme?

    init(_ theme: Theme?) { self.theme = theme }

    func text(_ line: Line) -> String {
        var spans = line.spans
        while let last = spans.last, last.text.string.allSatisfy({ $0 == " " }) { spans.removeLast() }
        return spans.map { span in
            let codes = theme.map { StyledText.codes(of: span.style, $0.screen) } ?? []
            return codes.isEmpty
                ? span.text.string : "\u{1B}[\(codes.joined(separator: ";"))m\(span.text.string)\u{1B}[0m"
        }.joined()
    }

    private static func codes(of style: Style, _ inks: Theme.Inks) -> [String] {
        let attributes: [(Style.Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
        ]
        return attributes.filter { style.attributes.contains($0.0) }.map(\.1) + color(ink(style.color, inks))
    }

    private static func ink(_ color: Color, _ inks: Theme.Inks) -> Int {
        switch color {
        case .standard: Theme.standard
        case .accent: inks.accent
        case .unread: inks.unread
        case .warning: inks.warning
        case .code: inks.code
        case .name(let number): inks.names.isEmpty ? Theme.standard : inks.names[number % inks.names.count]
        }
    }

    private static func color(_ number: Int) -> [String] {
        switch number {
        case Theme.standard: []
        case ..<8: ["\(30 + number)"]
        default: ["38", "5", "\(number)"]
        }
    }
}
