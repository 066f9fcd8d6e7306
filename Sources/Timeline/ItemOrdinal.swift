/// The number of an item in its list. It stays when items are prepended: the first item then gets a lower one, and the others
/// keep theirs. The index of an item is its ordinal minus that of the first item.
struct ItemOrdinal: Hashable, Sendable {
    let value: Int

    static func + (ordinal: ItemOrdinal, items: Int) -> ItemOrdinal { ItemOrdinal(value: ordinal.value + items) }
    static func += (ordinal: inout ItemOrdinal, items: Int) { ordinal = ordinal + items }
    /// The number of items from `b` up to `a`.
    static func - (a: ItemOrdinal, b: ItemOrdinal) -> Int { a.value - b.value }
}
