/// A picture in a form that a terminal takes.
package struct Picture: Hashable, Sendable {
    package enum Pixels: Sendable {
        /// The body of a sixel sequence.
        case sixel(SixelBody)
        /// A PNG file, which the terminal decodes.
        case png([UInt8])
        /// Rows of pixels of four bytes: red, green, blue, opacity.
        case rgba([UInt8], width: Int, height: Int)
    }

    /// Tells pictures apart: no two of one program have the same number.
    package let number: Int
    /// The cells that it covers.
    package let size: Size
    package let pixels: Pixels

    package init(number: Int, size: Size, pixels: Pixels) {
        (self.number, self.size, self.pixels) = (number, size, pixels)
    }

    package static func == (one: Picture, other: Picture) -> Bool { one.number == other.number }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
