internal import Messages

/// The edits and deletions that a backward search has met before their messages. Bounded in size.
final class PendingEdits {
    /// The estimated bytes of an edit besides its text and its IDs, in the dictionary and on the heap.
    private static let weight = 320

    /// Nil to keep all edits.
    private let budget: EditBudget?
    private var edits: [MessageID: [Amendment]] = [:]
    private var size = 0
    /// Whether the edits exceeded the budget. If so, all are dropped, and the search looks up the edits of each
    /// message in the log.
    private(set) var isOverfull = false

    /// - Parameter budget: nil to keep all edits.
    init(_ budget: EditBudget?) { self.budget = budget }

    deinit { budget?.giveBack(size) }

    /// The ID hashes of the messages that the search has not reached yet; nil if the edits exceeded the budget.
    var targets: Set<IDHash>? { isOverfull ? nil : Set(edits.keys.map { IDHash($0) }) }

    var isEmpty: Bool { edits.isEmpty }

    /// Finds the lines of the messages that the search has not reached yet.
    var filter: IDFilter { IDFilter(edits.keys.lazy.map { IDHash($0) }, isOfLinks: false) }

    /// Keeps only the last edit, the last deletion and the last deletion as a moderator of a message by the same person.
    func add(_ edit: Amendment) {
        guard !isOverfull else { return }
        let known = edits[edit.target]?.firstIndex { $0.sender == edit.sender && $0.action.isLike(edit.action) }
        if let known, let old = edits[edit.target]?[known] {
            guard old.place < edit.place else { return }
            edits[edit.target]?[known] = edit
            giveBack(PendingEdits.weight(of: old))
        } else {
            edits[edit.target, default: []].append(edit)
        }
        let weight = PendingEdits.weight(of: edit)
        if budget?.take(weight) ?? true {
            size += weight
        } else {
            edits = [:]
            giveBack(size)
            isOverfull = true
        }
    }

    /// Removes and returns the edits and deletions of a message, in the order of the log; nil if there are none.
    func take(_ id: MessageID) -> [Amendment]? {
        guard let found = edits.removeValue(forKey: id) else { return nil }
        for edit in found { giveBack(PendingEdits.weight(of: edit)) }
        return found.sorted { $0.place < $1.place }
    }

    private func giveBack(_ bytes: Int) {
        size -= bytes
        budget?.giveBack(bytes)
    }

    private static func weight(of edit: Amendment) -> Int {
        let ids = edit.target.rawValue.utf8.count + (edit.sender?.rawValue.utf8.count ?? 0)
        guard case .edit(let text) = edit.action else { return weight + ids }
        return weight + ids + text.utf8.count
    }
}

extension Amendment.Action {
    /// Whether both are edits, or both are deletions with the same right.
    fileprivate func isLike(_ other: Amendment.Action) -> Bool {
        switch (self, other) {
        case (.edit, .edit): true
        default: self == other
        }
    }
}
