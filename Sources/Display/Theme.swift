/// The colours of the screen.
package struct Theme: Hashable, Sendable {
    /// The themes that the user can name in the settings.
    package enum Name: String, CaseIterable, Sendable {
        /// `dark` or `light`, by the background that the terminal reports.
        case auto
        case dark, light
        case highContrast = "high-contrast"
        /// The terminal's own 16 colours.
        case sixteen = "16"
    }

    /// The colours of text on one background: numbers of the terminal's colours, or `standard`.
    package struct Inks: Hashable, Sendable {
        package var text = Theme.standard
        /// Nil to let the terminal dim the colour of the text.
        package var dim: Int?
        package var accent: Int
        package var unread: Int
        package var warning: Int
        package var code: Int
        package var names: [Int]
    }

    /// The terminal's own foreground or background.
    package static let standard = -1

    package var screen: Inks
    /// The background of the whole screen: the terminal's own, or that of the theme if the terminal's does not fit.
    package var background = Theme.standard
    package var bar: Inks
    /// The background of the bars; nil to reverse them.
    package var barBackground: Int?
    /// The background of the selected message; nil for that of the screen.
    package var selection: Int?
}

extension Theme {
    /// - Parameters:
    ///   - background: the terminal's; nil if unknown. `dark` keeps it only if it is dark, and `light` only if it is
    ///     light; otherwise they use their own.
    ///   - count: the number of colours of the terminal.
    package init(_ name: Name, background: RGB?, count: Int, changes: ThemeChanges = ThemeChanges()) {
        switch name {
        case _ where count < 256, .sixteen: self = .sixteen
        case .dark: self = Theme.dark(on: background)
        case .light: self = Theme.light(on: background)
        case .highContrast: self = .highContrast
        case .auto:
            guard let background else {
                self = .unknown
                break
            }
            self = background.isLight ? Theme.light(on: background) : Theme.dark(on: background)
        }
        changes.apply(to: &self, count: count)
    }

    /// The colours on the screen, on the bars and on the selected message. Where these have a background, the terminal's own colour
    /// of text might not be readable: black or white replaces it.
    package var screenInks: Inks { Theme.readable(screen, on: background) }
    package var barInks: Inks { Theme.readable(bar, on: barBackground) }
    package var selectedInks: Inks { Theme.readable(screen, on: selection) }

    private static func readable(_ inks: Inks, on background: Int?) -> Inks {
        guard inks.text == standard, let background, background != standard else { return inks }
        var inks = inks
        inks.text = isLight(background) ? 16 : 255
        return inks
    }

    /// The first 16 colours are the user's. Yellow, white and most bright ones are usually light.
    private static func isLight(_ number: Int) -> Bool {
        number < 16 ? [3, 7, 10, 11, 14, 15].contains(number) : RGB(number: number).isLight
    }

    /// - Parameter background: the terminal's background, from which the bars stand out; nil if unknown.
    private static func dark(on background: RGB?) -> Theme {
        let fitting = background.flatMap { $0.isLight ? nil : $0 }
        let own = 234
        let grey = (fitting ?? RGB(number: own)).grey
        return Theme(
            screen: darkInks, background: fitting == nil ? own : standard, bar: darkInks,
            barBackground: RGB.numberOfGrey(max(48, grey + 28)), selection: RGB.numberOfGrey(max(30, grey + 18)))
    }

    private static func light(on background: RGB?) -> Theme {
        let fitting = background.flatMap { $0.isLight ? $0 : nil }
        let own = 231
        let grey = (fitting ?? RGB(number: own)).grey
        return Theme(
            screen: lightInks, background: fitting == nil ? own : standard, bar: lightInks,
            barBackground: RGB.numberOfGrey(min(228, grey - 22)), selection: RGB.numberOfGrey(min(238, grey - 14)))
    }

    /// Colours that are readable on a black screen and on a white one.
    private static let unknown = Theme(
        screen: Inks(
            accent: 32, unread: 166, warning: 160, code: 65,
            names: [131, 28, 133, 30, 100, 62, 168, 64, 97, 130, 29, 67]),
        bar: {
            var inks = darkInks
            (inks.text, inks.dim) = (255, 252)
            return inks
        }(), barBackground: 238)

    private static let darkInks = Inks(
        dim: 247, accent: 75, unread: 215, warning: 210, code: 151,
        names: [209, 179, 149, 114, 79, 81, 111, 147, 177, 213, 211, 180])

    private static let lightInks = Inks(
        dim: 240, accent: 25, unread: 94, warning: 124, code: 22,
        names: [88, 125, 89, 90, 127, 55, 57, 20, 24, 23, 58, 54])

    private static let highContrast = Theme(
        screen: Inks(
            text: 231, dim: 252, accent: 123, unread: 226, warning: 217, code: 157,
            names: [216, 222, 192, 157, 158, 159, 153, 189, 225, 219, 218, 230]),
        background: 16,
        bar: Inks(text: 16, dim: 16, accent: 18, unread: 52, warning: 88, code: 22, names: [16]), barBackground: 231,
        selection: 237)

    private static let sixteen = Theme(
        screen: fewInks, bar: fewInks)

    private static let fewInks = Inks(accent: 6, unread: 5, warning: 1, code: 2, names: [2, 3, 4, 5, 6, 1])
}

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

    /// Sets a colour: a number from 0 to 255, a name such as `bright-red`, `#ff8700`, or `default`. The names of people take
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

    /// - Parameter count: the number of the terminal's colours. Colours beyond it stay those of the theme.
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
