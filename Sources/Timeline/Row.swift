/// A row of the virtual space: 0 is where the first list was placed, rows above it are negative. It has a type of its
/// own, so that it cannot be mistaken for a row of the screen or the index of an item.
package struct Row: Hashable, Comparable, Sendable {
    package let value: Int

    package init(_ value: Int) { self.value = value }

    package static func < (a: Row, b: Row) -> Bool { a.value < b.value }
    package static func + (row: Row, rows: Int) -> Row { Row(row.value + rows) }
    package static func - (row: Row, rows: Int) -> Row { Row(row.value - rows) }
    /// The number of rows from `b` down to `a`.
    package static func - (a: Row, b: Row) -> Int { a.value - b.value }
}
