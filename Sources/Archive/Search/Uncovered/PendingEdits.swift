internal import Messages

/// The edits and deletions that a search has met on its way back through a log, until it comes to their messages. Of a
/// bounded size.
struct PendingEdits {
    /// Bytes that may wait when much is searched: messages are mostly edited soon, so this is plenty.
    static let usualCapacity = 4 << 20
    /// Bytes that an edit takes besides its text.
    private static let weight = 160

    private let capacity: Int
    private var edits: [IDHash: [Amendment]] = [:]
    private var size = 0
    /// Whether there were too many. Then none is known any more, and each message has to be looked up in the log.
    private(set) var isOverfull = false

    /// - Parameter capacity: in bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// The hashes of the IDs of the messages that are still to come; nil when there were too many.
    var targets: Set<IDHash>? { isOverfull ? nil : Set(edits.keys) }

    var isEmpty: Bool { edits.isEmpty }

    /// Finds the lines of the messages that are still to come.
    var filter: IDFilter { IDFilter(edits.keys, isOfLinks: false) }

    mutating func add(_ edit: Amendment) {
        guard !isOverfull else { return }
        edits[IDHash(edit.target), default: []].append(edit)
        size += PendingEdits.weight(of: edit)
        guard size > capacity else { return }
        edits = [:]
        isOverfull = true
    }

    /// Takes what waits for a message, in the order of the log; nil when nothing does.
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
