import Display

/// The areas of the search: the field at the top, the list below it, and the messages around the selected hit beside the list
/// or below it. A small screen shows the list alone.
struct SearchLayout: Hashable, Sendable {
    struct Area: Hashable, Sendable {
        let row: Int
        let column: Int
        let columns: Int
        let rows: Int
    }

    let list: Area
    let preview: Area?
    var isBeside: Bool { preview.map { $0.column > 0 } ?? false }

    init(_ size: Size) {
        let rows = max(1, size.rows - 2)
        let columns = max(1, size.columns)
        if columns >= 110 {
            let left = columns / 2
            list = Area(row: 1, column: 0, columns: left, rows: rows)
            preview = Area(row: 1, column: left + 1, columns: columns - left - 1, rows: rows)
        } else if rows >= 12 {
            let upper = rows * 2 / 5
            list = Area(row: 1, column: 0, columns: columns, rows: upper)
            preview = Area(row: upper + 2, column: 0, columns: columns, rows: rows - upper - 1)
        } else {
            list = Area(row: 1, column: 0, columns: columns, rows: rows)
            preview = nil
        }
    }
}
