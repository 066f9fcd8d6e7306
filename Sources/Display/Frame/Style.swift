/// How text looks, in terms that every terminal can follow in its own way.
package struct Style: Hashable, Sendable {
    package var color: Color
    package var attributes: Attributes
    package var surface: Surface

    package static let plain = Style()

    package init(_ color: Color = .standard, _ attributes: Attributes = [], on surface: Surface = .screen) {
        self.color = color
        self.attributes = attributes
        self.surface = surface
    }

    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1 << 0)
        package static let dim = Attributes(rawValue: 1 << 1)
        package static let italic = Attributes(rawValue: 1 << 2)
        package static let underline = Attributes(rawValue: 1 << 3)
        package static let reverse = Attributes(rawValue: 1 << 4)
    }
}

/// The meaning of a colour. The theme decides how it looks.
package enum Color: Hashable, Sendable {
    /// The foreground of plain text.
    case standard
    /// Selection, hits of a search, links.
    case accent
    /// Unread messages and mentions of the user.
    case unread
    /// Failures.
    case warning
    /// Code in a text.
    case code
    /// A sender's colour, taken modulo `nameCount`.
    case name(Int)

    /// The number of colours for names.
    package static let nameCount = 12
}

/// The background of text.
package enum Surface: Hashable, Sendable, CaseIterable {
    case screen
    /// The title and the status line. On a terminal with few colours they are reversed.
    case bar
    /// The selected message. On a terminal with few colours this is the background of the screen.
    case selection
}
