/// The hash of a record's ID, and its row.
struct IDEntry: Equatable, Comparable {
    let hash: Int64
    let row: Int64

    static func < (a: IDEntry, b: IDEntry) -> Bool { (a.hash, a.row) < (b.hash, b.row) }
}
