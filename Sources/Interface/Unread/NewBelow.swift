import Display
import Messages
import Timeline

/// The messages of others that have come in below the screen, until they are seen.
struct NewBelow: Hashable, Sendable {
    /// The first ones of them, in order.
    private(set) var ids: [MessageID] = []
    private var known: Set<MessageID> = []
    /// How many more there are.
    private var more = 0

    /// A flood is counted, and not remembered one by one.
    private static let most = 1_000

    var count: Int { ids.count + more }
    /// The first one that has not been seen.
    var first: MessageID? { ids.first }

    func contains(_ id: MessageID) -> Bool { known.contains(id) }

    /// Counts a message once, however often it is added.
    mutating func add(_ id: MessageID) {
        if known.contains(id) { return }
        guard ids.count < NewBelow.most else {
            more += 1
            return
        }
        known.insert(id)
        ids.append(id)
    }

    /// Messages are gone.
    mutating func removeAll(where isGone: (MessageID) -> Bool) {
        ids.removeAll(where: isGone)
        known = Set(ids)
    }

    /// A message is on the screen, and those before it are above it.
    /// - Returns: whether it was one of them.
    mutating func see(upTo id: MessageID) -> Bool {
        guard known.contains(id), let index = ids.firstIndex(of: id) else { return false }
        known.subtract(ids[...index])
        ids.removeFirst(index + 1)
        return true
    }
}
