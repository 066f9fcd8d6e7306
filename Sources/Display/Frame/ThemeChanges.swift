/// The colours that the user has set, in place of those of the theme.
package struct ThemeChanges: Hashable, Sendable {
    /// The names of the colours in the settings.
    package enum Role: String, CaseIterable, Sendable {
        case text, background, dim, accent, unread, warning, code, names
        case bar, selection
        case barText = "bar-text"
    }

    private var colors: [Role: [Int]] = [:]

    private static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black", "bright-red",
        "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    ]

    package init() {}

    /// Sets a colour: a number from 0 to 255, a name such as `bright-red`, `#ff8700`, or `default`. For the names of people
    /// several, with blanks between them.
    /// - Returns: false if the text is no colour.
    package mutating func set(_ role: Role, to text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        let numbers = words.compactMap { ThemeChanges.number(of: String($0)) }
        guard !numbers.isEmpty, numbers.count == words.count, numbers.count == 1 || role == .names else { return false }
        colors[role] = numbers
        return true
    }

    /// The first word of a text that does not name a colour; nil if all of them do.
    package static func wrongWord(in text: String) -> String? {
        text.split(whereSeparator: \.isWhitespace).map(String.init).first { number(of: $0) == nil }
    }

    private static func number(of word: String) -> Int? {
        if word == "default" { return Theme.standard }
        if let rgb = RGB(hex: word) { return rgb.number }
        if let number = Int(word) { return (0...255).contains(number) ? number : nil }
        return names.firstIndex(of: word.lowercased())
    }

    /// - Parameter count: of the terminal's colours. Colours that it does not have stay those of the theme.
    func apply(to theme: inout Theme, count: Int) {
        for (role, all) in colors {
            let numbers = all.filter { $0 < count }
            guard let number = numbers.first else { continue }
            switch role {
            case .text: theme.screen.text = number
            case .background: theme.background = number
            case .dim: theme.screen.dim = number
            case .accent: (theme.screen.accent, theme.bar.accent) = (number, number)
            case .unread: (theme.screen.unread, theme.bar.unread) = (number, number)
            case .warning: (theme.screen.warning, theme.bar.warning) = (number, number)
            case .code: theme.screen.code = number
            case .names: theme.screen.names = numbers
            case .bar: theme.barBackground = number
            case .barText: (theme.bar.text, theme.bar.dim) = (number, number)
            case .selection: theme.selection = number
            }
        }
    }
}
