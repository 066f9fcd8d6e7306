/// The hash of a record's ID, and its row.
struct IDEntry: Hashable, Comparable {
    let hash: Int64
    let row: Int64

    /// The smallest possible one.
    static let first = IDEntry(hash: .min, row: .min)

    static func < (a: IDEntry, b: IDEntry) -> Bool { (a.hash, a.row) < (b.hash, b.row) }
}
