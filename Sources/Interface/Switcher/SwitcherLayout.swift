import Display

/// The areas of the switcher: the field at the top, the list, and the end of the selected conversation beside the list or
/// below it. A small screen shows the list alone.
struct SwitcherLayout: Hashable, Sendable {
    typealias Area = SearchLayout.Area

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
        } else if rows >= 20 {
            let upper = rows / 2
            list = Area(row: 1, column: 0, columns: columns, rows: upper)
            preview = Area(row: upper + 2, column: 0, columns: columns, rows: rows - upper - 1)
        } else {
            list = Area(row: 1, column: 0, columns: columns, rows: rows)
            preview = nil
        }
    }
}
