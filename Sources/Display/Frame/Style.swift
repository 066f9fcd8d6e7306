/// How text looks, in terms that every terminal can follow in its own way.
package struct Style: Hashable, Sendable {
    package var color: Color
    package var attributes: Attributes

    package static let plain = Style()

    package init(_ color: Color = .standard, _ attributes: Attributes = []) {
        self.color = color
        self.attributes = attributes
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

/// The meaning of a colour. The terminal's palette decides how it looks.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground.
    case standard
    /// Selection, hits, new messages.
    case accent
    /// Failures.
    case warning
    /// A sender's colour, taken modulo `nameCount`.
    case name(Int)

    /// The number of colours for names.
    package static let nameCount = 12
}
