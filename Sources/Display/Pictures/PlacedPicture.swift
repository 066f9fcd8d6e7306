/// A picture at its place on the screen.
package struct PlacedPicture: Hashable, Sendable {
    package let picture: Picture
    /// The cell at its top left.
    package let position: ScreenPosition

    package init(_ picture: Picture, at position: ScreenPosition) {
        (self.picture, self.position) = (picture, position)
    }

    /// Whether all its cells are on a screen of this size, above the last row: below a picture of sixels the terminal moves the
    /// cursor to the next row, and would scroll.
    func fits(_ size: Size) -> Bool {
        position.row >= 0 && position.column >= 0 && picture.size.rows > 0 && picture.size.columns > 0
            && position.row + picture.size.rows < size.rows && position.column + picture.size.columns <= size.columns
    }
}
