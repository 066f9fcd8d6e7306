/// The extent of a screen, in cells.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A cell of the screen. (0, 0) is at the top left.
package struct ScreenPosition: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// An extent in pixels.
package struct PixelSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Smaller than the cells of any readable font. Assumed where a terminal does not report its cell: a picture is
    /// then too small, but never covers cells that are not its own.
    package static let smallestCell = PixelSize(width: 5, height: 9)

    /// The least number of cells that cover this extent.
    package func cells(of cell: PixelSize) -> Size {
        Size(
            columns: (width + cell.width - 1) / max(1, cell.width),
            rows: (height + cell.height - 1) / max(1, cell.height))
    }

    /// The largest extent of the same shape within limits; never larger than this one.
    package func fitted(into limit: PixelSize) -> PixelSize {
        guard width > limit.width || height > limit.height, width > 0, height > 0 else { return self }
        let scale = min(Double(limit.width) / Double(width), Double(limit.height) / Double(height))
        return PixelSize(
            width: max(1, min(limit.width, Int(Double(width) * scale))),
            height: max(1, min(limit.height, Int(Double(height) * scale))))
    }
}
