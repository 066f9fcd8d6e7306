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

/// The contents of the screen at one moment.
package struct Frame: Hashable, Sendable {
    package let size: Size
    /// Exactly `size.rows` lines, each at most `size.columns` wide.
    package let lines: [Line]
    /// The place of the cursor, within `size`; nil when it is hidden.
    package let cursor: ScreenPosition?
    /// A picture over the lines, which are blank there; nil when there is none.
    package let picture: PlacedPicture?

    /// Cuts long lines, drops lines beyond the last row, adds empty lines, and hides a cursor or a picture that is off the
    /// screen.
    package init(size: Size, lines: [Line], cursor: ScreenPosition? = nil, picture: PlacedPicture? = nil) {
        let size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        let kept = lines.prefix(size.rows).map { $0.prefix(columns: size.columns) }
        self.size = size
        self.lines = kept + Array(repeating: .empty, count: size.rows - kept.count)
        self.cursor = cursor.flatMap {
            (0..<size.rows).contains($0.row) && (0..<size.columns).contains($0.column) ? $0 : nil
        }
        self.picture = picture.flatMap { $0.fits(size) ? $0 : nil }
    }

    /// The rows without styles and trailing blanks, joined by newlines. For tests.
    package var text: String {
        lines.map { line in
            var row = line.text[...]
            while row.last == " " { row.removeLast() }
            return row
        }.joined(separator: "\n")
    }
}
