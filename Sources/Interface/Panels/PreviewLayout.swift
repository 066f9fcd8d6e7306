import Display

/// The areas of a panel with a field at the top: the list, and a preview of the selected entry beside the list or below it. A small
/// screen shows the list alone, and so does one that is in words: a screen reader would read the preview after each step.
struct PreviewLayout: Hashable, Sendable {
    struct Area: Hashable, Sendable {
        let row: Int
        let column: Int
        let columns: Int
        let rows: Int
    }

    let list: Area
    let preview: Area?
    var isBeside: Bool { preview.map { $0.column > 0 } ?? false }

    /// The search gives most of the rows to the messages around the selected hit.
    static func search(_ size: Size, on grid: Grid) -> PreviewLayout {
        grid.isPlain ? plain(size) : PreviewLayout(size, from: 12) { $0 * 2 / 5 }
    }

    /// The switcher gives half of the rows to the end of the selected conversation.
    static func switcher(_ size: Size, on grid: Grid) -> PreviewLayout {
        grid.isPlain ? plain(size) : PreviewLayout(size, from: 20) { $0 / 2 }
    }

    /// The texts of a message give most of the rows to the selected text.
    static func versions(_ size: Size, on grid: Grid) -> PreviewLayout {
        grid.isPlain ? plain(size) : PreviewLayout(size, from: 6) { max(2, $0 / 3) }
    }

    /// A list without a preview.
    static func plain(_ size: Size) -> PreviewLayout {
        PreviewLayout(
            list: Area(row: 1, column: 0, columns: max(1, size.columns), rows: max(1, size.rows - 2)), preview: nil)
    }

    private init(list: Area, preview: Area?) { (self.list, self.preview) = (list, preview) }

    /// - Parameters:
    ///   - least: the rows from which on the preview stands below the list.
    ///   - upper: the rows of the list then.
    private init(_ size: Size, from least: Int, upper: (_ rows: Int) -> Int) {
        let rows = max(1, size.rows - 2)
        let columns = max(1, size.columns)
        if columns >= 110 {
            let left = columns / 2
            list = Area(row: 1, column: 0, columns: left, rows: rows)
            preview = Area(row: 1, column: left + 1, columns: columns - left - 1, rows: rows)
        } else if rows >= least {
            let upper = upper(rows)
            list = Area(row: 1, column: 0, columns: columns, rows: upper)
            preview = Area(row: upper + 2, column: 0, columns: columns, rows: rows - upper - 1)
        } else {
            list = Area(row: 1, column: 0, columns: columns, rows: rows)
            preview = nil
        }
    }
}
