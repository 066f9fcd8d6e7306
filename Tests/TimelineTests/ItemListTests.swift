import TestSupport
import Testing

@testable import Timeline

struct ItemListTests {
    private static let ids = [1, 2, 3, 4, 5]

    /// Every list of up to five IDs, in every order.
    private static let lists: [[Int]] = {
        var all: [[Int]] = [[]]
        var longest: [[Int]] = [[]]
        for _ in 0..<5 {
            longest = longest.flatMap { list in ids.filter { !list.contains($0) }.map { list + [$0] } }
            all += longest
        }
        return all
    }()

    @Test func `Apply gives exactly the new list for every pair of small lists, and so does its replay`() throws {
        for old in Self.lists {
            for new in Self.lists {
                let target = new.map { Note(id: $0, length: $0 % 2 == 0 ? 1 : 2) }
                if try isApplied(target, to: old.map { Note(id: $0, length: 1) }) { continue }
                Issue.record("\(old) → \(new)")
                return
            }
        }
        print("\(Self.lists.count * Self.lists.count) pairs of lists")
    }

    @Test(arguments: [UInt64](1...20))
    func `Apply gives exactly the new list for random lists, moves included`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var ids = Array((0..<40).shuffled(using: &random).prefix(Int.random(in: 0...40, using: &random)))
            let old = ids.map { Note(id: $0, length: 1) }
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let (from, to) = (Int.random(in: 0...40, using: &random), Int.random(in: 0...40, using: &random))
                if ids.indices.contains(from) { ids.insert(ids.remove(at: from), at: min(to, ids.count)) }
                if !ids.contains(to) { ids.insert(to, at: min(from, ids.count)) }
                if Bool.random(using: &random) { ids.removeAll { $0 == from } }
            }
            let target = ids.map { Note(id: $0, length: Int.random(in: 1...2, using: &random)) }
            #expect(try isApplied(target, to: old), "seed \(seed): \(old.map(\.id)) → \(ids)")
        }
    }

    /// Whether `apply` gives the list, a replay of its changes gives it too, and none of them is kept.
    private func isApplied(_ target: [Note], to old: [Note]) throws -> Bool {
        var list = ItemList<Note>()
        try list.replace(with: old)
        _ = list.drainChanges()
        try list.apply(target)
        let mirror = replay(list.drainChanges(), on: old)
        return Array(list.items) == target && mirror == target && list.drainChanges().isEmpty
    }

    @Test(arguments: [
        ([2, 4], [1, 2, 3, 4], ["prepend 1", "insert 3 at 2"]),
        ([1, 2], [1, 2, 3, 4], ["append 3 4"]),
        ([3, 4], [1, 2, 3, 4], ["prepend 1 2"]),
        ([1, 2, 3], [1, 3], ["remove 1..<2"]),
        ([1, 2], [3, 4], ["replace 3 4"]),
        ([1, 2, 3], [2, 3, 1], ["remove 0..<1", "append 1"]),
        ([1, 2], [1, 2], []),
    ])
    func `Apply finds the kinds of change by itself`(old: [Int], new: [Int], expected: [String]) throws {
        var list = ItemList<Note>()
        try list.replace(with: old.map { Note(id: $0, length: 1) })
        _ = list.drainChanges()
        try list.apply(new.map { Note(id: $0, length: 1) })
        #expect(list.drainChanges().map(name) == expected)
    }

    @Test func `A duplicate ID is an error and changes nothing`() throws {
        var list = ItemList<Note>()
        try list.replace(with: [Note(id: 1, length: 1), Note(id: 2, length: 1)])
        _ = list.drainChanges()
        let before = list.items
        #expect(throws: DuplicateID(id: "2")) { try list.prepend([Note(id: 2, length: 1)]) }
        #expect(throws: DuplicateID(id: "3")) { try list.append([Note(id: 3, length: 1), Note(id: 3, length: 2)]) }
        #expect(throws: DuplicateID(id: "7")) { try list.apply([Note(id: 7, length: 1), Note(id: 7, length: 1)]) }
        #expect(throws: DuplicateID(id: "7")) {
            try list.replace(with: [Note(id: 7, length: 1), Note(id: 7, length: 1)])
        }
        #expect(list.items == before)
        #expect(list.drainChanges().isEmpty)
    }

    @Test func `Draining empties the record of changes`() throws {
        var list = ItemList<Note>()
        try list.append([Note(id: 1, length: 1)])
        #expect(list.drainChanges().count == 1)
        #expect(list.drainChanges().isEmpty)
    }

    private func replay(_ changes: [ItemList<Note>.Change], on items: [Note]) -> [Note] {
        changes.reduce(into: items) { items, change in
            switch change {
            case .replace(let new): items = new
            case .prepend(let new): items.insert(contentsOf: new, at: 0)
            case .append(let new): items.append(contentsOf: new)
            case .insert(let new, let index): items.insert(contentsOf: new, at: index)
            case .update(let item, let index): items[index] = item
            case .remove(let range): items.removeSubrange(range)
            }
        }
    }

    private func name(_ change: ItemList<Note>.Change) -> String {
        func ids(_ notes: [Note]) -> String { notes.map { String($0.id) }.joined(separator: " ") }
        return switch change {
        case .replace(let new): "replace \(ids(new))"
        case .prepend(let new): "prepend \(ids(new))"
        case .append(let new): "append \(ids(new))"
        case .insert(let new, let index): "insert \(ids(new)) at \(index)"
        case .update(let item, let index): "update \(item.id) at \(index)"
        case .remove(let range): "remove \(range)"
        }
    }
}
