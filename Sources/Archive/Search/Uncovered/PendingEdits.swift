internal import Messages

/// The edits and deletions that a backward search has met before their messages. Bounded in size.
struct PendingEdits {
    /// In bytes, for the search of a long log. Most messages are edited soon after they are sent, so few edits are
    /// pending at once.
    static let usualCapacity = 4 << 20
    /// The estimated bytes of an edit besides its text.
    private static let weight = 160

    private let capacity: Int
    private var edits: [IDHash: [Amendment]] = [:]
    private var size = 0
    /// Whether the edits exceeded the capacity. If so, all are dropped, and the search looks up the edits of each
    /// message in the log.
    private(set) var isOverfull = false

    /// - Parameter capacity: in bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// The ID hashes of the messages that the search has not reached yet; nil if the edits exceeded the capacity.
    var targets: Set<IDHash>? { isOverfull ? nil : Set(edits.keys) }

    var isEmpty: Bool { edits.isEmpty }

    /// Finds the lines of the messages that the search has not reached yet.
    var filter: IDFilter { IDFilter(edits.keys, isOfLinks: false) }

    mutating func add(_ edit: Amendment) {
        guard !isOverfull else { return }
        edits[IDHash(edit.target), default: []].append(edit)
        size += PendingEdits.weight(of: edit)
        guard size > capacity else { return }
        edits = [:]
        isOverfull = true
    }

    /// Removes and returns the edits of a message, in the order of the log; nil if there are none.
    mutating func take(_ id: UnsafeRawBufferPointer) -> [Amendment]? {
        guard let found = edits.removeValue(forKey: IDHash(id)) else { return nil }
        for edit in found { size -= PendingEdits.weight(of: edit) }
        return found.sorted { $0.place < $1.place }
    }

    private static func weight(of edit: Amendment) -> Int {
        guard case .edit(let text) = edit.action else { return weight }
        return weight + text.utf8.count
    }
}
