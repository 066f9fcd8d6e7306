import Display
import Messages
import Timeline

/// New messages of others below the screen that the user has not seen.
struct NewBelow: Hashable, Sendable {
    /// The first of them, in order.
    private(set) var ids: [MessageID] = []
    private var known: Set<MessageID> = []
    /// The number of further ones.
    private var more = 0

    /// Further messages are only counted, so that a flood takes no memory.
    private static let most = 1_000

    var count: Int { ids.count + more }
    /// The first unseen message.
    var first: MessageID? { ids.first }

    func contains(_ id: MessageID) -> Bool { known.contains(id) }

    /// Counts a message once, even if it is added again.
    mutating func add(_ id: MessageID) {
        if known.contains(id) { return }
        guard ids.count < NewBelow.most else {
            more += 1
            return
        }
        known.insert(id)
        ids.append(id)
    }

    /// Removes messages that are gone.
    mutating func removeAll(where isGone: (MessageID) -> Bool) {
        ids.removeAll(where: isGone)
        known = Set(ids)
    }

    /// A message is on the screen, so it and all before it have been seen.
    /// - Returns: whether it was among the new ones.
    mutating func see(upTo id: MessageID) -> Bool {
        guard known.contains(id), let index = ids.firstIndex(of: id) else { return false }
        known.subtract(ids[...index])
        ids.removeFirst(index + 1)
        return true
    }
}
