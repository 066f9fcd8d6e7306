/// A list of items with unique IDs that records its changes. A view takes the changes and follows them: replayed on a
/// copy of the old list, they give the new one.
package struct ItemList<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
    /// A step from one state of the list to the next.
    package enum Change: Equatable, Sendable {
        case replace([Item])
        case prepend([Item])
        case append([Item])
        case insert([Item], at: Int)
        case update(Item, at: Int)
        case remove(Range<Int>)
    }

    private(set) var items: [Item] = []
    private var ordinals: [Item.ID: ItemOrdinal] = [:]
    private var firstOrdinal = ItemOrdinal(value: 0)
    private var changes: [Change] = []

    package init() {}
}

/// An ID that the list would hold twice. The list stays as it was before the call.
package struct DuplicateID: Error, Hashable, Sendable, CustomStringConvertible {
    package let id: String

    package var description: String { "the message \"\(id)\" was sent twice" }
}

extension ItemList {
    package var count: Int { items.count }
    package var isEmpty: Bool { items.isEmpty }
    package var first: Item? { items.first }
    package var last: Item? { items.last }

    package subscript(index: Int) -> Item { items[index] }

    /// The index of the item with this ID; nil if there is none.
    package func index(of id: Item.ID) -> Int? { ordinals[id].map { $0 - firstOrdinal } }

    /// The changes since the last call, in order. Empties the record, so that it never grows.
    package mutating func drainChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }
}

extension ItemList {
    package mutating func replace(with new: [Item]) throws(DuplicateID) {
        try checkUnique(new, besides: false)
        fill(with: new)
        _checkInvariants()
    }

    package mutating func prepend(_ new: [Item]) throws(DuplicateID) {
        guard !new.isEmpty else { return }
        try checkUnique(new, besides: true)
        insertRun(new, at: 0)
    }

    package mutating func append(_ new: [Item]) throws(DuplicateID) {
        guard !new.isEmpty else { return }
        try checkUnique(new, besides: true)
        insertRun(new, at: count)
    }

    /// Replaces the item with this ID. Does nothing when there is none.
    package mutating func update(_ item: Item) {
        guard let index = index(of: item.id), items[index] != item else { return }
        items[index] = item
        changes.append(.update(item, at: index))
        _checkInvariants()
    }

    /// Removes items; the range is clamped to the list.
    package mutating func remove(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return }
        removeRun(range)
        _checkInvariants()
    }

    /// Makes the list equal to `new`, keeping as many items in place as possible: removals from the back, then runs of insertions
    /// from the front, then updates. An item that moved among the others is removed and inserted.
    package mutating func apply(_ new: [Item]) throws(DuplicateID) {
        try checkUnique(new, besides: false)
        let kept = longestKeptOrder(in: new)
        if kept.isEmpty, !isEmpty, !new.isEmpty {
            fill(with: new)
        } else {
            removeAll(but: kept)
            insertMissing(of: new)
            updateChanged(to: new)
        }
        _checkInvariants()
    }
}

extension ItemList {
    /// Replaces all items. Appends them one by one, because in generic code the runtime has to look up the bulk operations of
    /// a collection.
    private mutating func fill(with new: [Item]) {
        items = []
        for item in new { items.append(item) }
        reindex(from: 0)
        changes.append(.replace(new))
    }

    private func checkUnique(_ new: [Item], besides existing: Bool) throws(DuplicateID) {
        var seen = Set<Item.ID>(minimumCapacity: new.count)
        for item in new where !seen.insert(item.id).inserted || (existing && ordinals[item.id] != nil) {
            throw DuplicateID(id: "\(item.id)")
        }
    }

    /// The IDs of the most items that are in both lists in the same order: the longest increasing run of old indices in
    /// the new order (patience sorting, as in Fredman, "On computing the length of longest increasing subsequences").
    private func longestKeptOrder(in new: [Item]) -> Set<Item.ID> {
        let old = new.compactMap { item in index(of: item.id).map { (id: item.id, index: $0) } }
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: old.count)
        for (position, entry) in old.enumerated() {
            let place = ends.partitioningIndex { old[$0].index >= entry.index }
            if place > 0 { previous[position] = ends[place - 1] }
            if place == ends.count { ends.append(position) } else { ends[place] = position }
        }
        var kept = Set<Item.ID>(minimumCapacity: ends.count)
        var position = ends.last ?? -1
        while position >= 0 {
            kept.insert(old[position].id)
            position = previous[position]
        }
        return kept
    }

    private mutating func removeAll(but kept: Set<Item.ID>) {
        var end = count
        while end > 0 {
            guard !kept.contains(items[end - 1].id) else {
                end -= 1
                continue
            }
            var start = end - 1
            while start > 0, !kept.contains(items[start - 1].id) { start -= 1 }
            removeRun(start..<end)
            end = start
        }
    }

    private mutating func insertMissing(of new: [Item]) {
        var index = 0
        while index < new.count {
            guard ordinals[new[index].id] == nil else {
                index += 1
                continue
            }
            var end = index + 1
            while end < new.count, ordinals[new[end].id] == nil { end += 1 }
            insertRun(Array(new[index..<end]), at: index)
            index = end
        }
    }

    private mutating func updateChanged(to new: [Item]) {
        for (index, item) in new.enumerated() where items[index] != item {
            items[index] = item
            changes.append(.update(item, at: index))
        }
    }

    private mutating func insertRun(_ run: [Item], at index: Int) {
        if index == 0, !isEmpty {
            items.insert(contentsOf: run, at: 0)
            firstOrdinal += -run.count
            for (offset, item) in run.enumerated() { ordinals[item.id] = firstOrdinal + offset }
            changes.append(.prepend(run))
        } else {
            let isAtEnd = index == count
            items.insert(contentsOf: run, at: index)
            reindex(from: index)
            changes.append(isAtEnd ? .append(run) : .insert(run, at: index))
        }
        _checkInvariants()
    }

    private mutating func removeRun(_ range: Range<Int>) {
        for item in items[range] { ordinals[item.id] = nil }
        items.removeSubrange(range)
        if range.lowerBound == 0 { firstOrdinal += range.count } else { reindex(from: range.lowerBound) }
        changes.append(.remove(range))
    }

    private mutating func reindex(from start: Int) {
        if start == 0 {
            ordinals.removeAll(keepingCapacity: true)
            firstOrdinal = ItemOrdinal(value: 0)
        }
        for index in start..<count { ordinals[items[index].id] = firstOrdinal + index }
    }

    /// In debug builds: checks that every item is found at its index and that nothing else is indexed.
    func _checkInvariants() {
        assert(ordinals.count == items.count, "as many IDs as items")
        assert(items.indices.allSatisfy { index(of: items[$0].id) == $0 }, "each ID at its index")
    }
}

/// The number of an item in its list. It stays when items are prepended: the first item then gets a lower one, and the others
/// keep theirs. The index of an item is its ordinal minus that of the first item.
struct ItemOrdinal: Hashable, Sendable {
    let value: Int

    static func + (ordinal: ItemOrdinal, items: Int) -> ItemOrdinal { ItemOrdinal(value: ordinal.value + items) }
    static func += (ordinal: inout ItemOrdinal, items: Int) { ordinal = ordinal + items }
    /// The number of items from `b` up to `a`.
    static func - (a: ItemOrdinal, b: ItemOrdinal) -> Int { a.value - b.value }
}
