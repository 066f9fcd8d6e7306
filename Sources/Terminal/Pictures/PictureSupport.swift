package import Display

/// The ways of a terminal to show pictures.
package enum PictureSupport: Hashable, Sendable {
    case none
    /// Kitty's graphics protocol. The terminal scales pictures to cells, so their shape alone matters.
    case kitty(cell: PixelSize)
    /// Sixels, which the terminal shows pixel by pixel.
    case sixel(cell: PixelSize)
}
