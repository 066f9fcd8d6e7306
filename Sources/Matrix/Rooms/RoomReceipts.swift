/// Who has read how far in a room: the receipts that came last. A room of ten thousand people costs no more than one of thirty.
package struct RoomReceipts: Hashable, Sendable {
    package static let most = 32
    /// How many events that are no messages are remembered.
    private static let mostOthers = 64

    /// The newest first.
    package private(set) var all: [Receipt]
    /// The last message, and the events after messages that are none themselves, each with the message before it.
    private var lastMessage: String?
    private var others: [String: String] = [:]

    package init(_ all: [Receipt] = []) { self.all = Array(all.prefix(RoomReceipts.most)) }

    /// - Parameter new: that came together; their times put them into order, since a response has them in none.
    /// - Returns: whether anything has changed.
    package mutating func take(_ new: [Receipt]) -> Bool {
        guard !new.isEmpty else { return false }
        struct Key: Hashable {
            let person: String
            let scope: Receipt.Scope
        }
        let before = all
        var seen: Set<Key> = []
        let ordered = new.enumerated().sorted { ($0.element.time, $0.offset) > ($1.element.time, $1.offset) }
        all = (ordered.map(\.element) + before).filter { receipt in
            guard seen.count < RoomReceipts.most else { return false }
            return seen.insert(Key(person: receipt.person, scope: receipt.scope)).inserted
        }
        return all != before
    }

    /// Takes events that have come, in their order: a receipt may name one that people see no message of, such as a reaction.
    package mutating func note(events: [(id: String, isMessage: Bool)]) {
        for (id, isMessage) in events {
            if isMessage {
                lastMessage = id
            } else if let lastMessage {
                if others.count >= RoomReceipts.mostOthers { others = [:] }
                others[id] = lastMessage
            }
        }
    }

    /// The message up to which a receipt says that its person has read.
    package func message(of receipt: Receipt) -> String { others[receipt.event] ?? receipt.event }
}
