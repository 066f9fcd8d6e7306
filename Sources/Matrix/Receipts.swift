internal import Formats

/// How far a person has read in a room, as the server tells.
package struct Receipt: Hashable, Sendable {
    /// What a receipt is about.
    package enum Scope: Hashable, Sendable {
        /// All that stands before its event.
        case all
        case mainTimeline
        /// The thread with this root.
        case thread(String)
    }

    /// An ID.
    package let person: String
    package let event: String
    package let scope: Scope
    /// In milliseconds since 1970, as the server of the person says.
    package let time: Int64

    package init(person: String, event: String, scope: Scope = .all, time: Int64) {
        (self.person, self.event, self.scope, self.time) = (person, event, scope, time)
    }

    /// The receipts in events of a room (`m.receipt`), public and private ones.
    static func all(in events: LongJSON) -> [Receipt] {
        var receipts: [Receipt] = []
        for event in events.elements where event["type"]?.string == "m.receipt" { take(event, into: &receipts) }
        return receipts
    }

    /// How many receipts of a room are read from one response: the newest of its people are shown, and few of them.
    private static let most = 50_000

    /// - Parameter value: an event `m.receipt`.
    static func take(_ value: LongJSON, into receipts: inout [Receipt]) {
        guard let content = value["content"] else { return }
        for (event, kinds) in content.fields where event.hasPrefix("$") {
            for kind in ["m.read", "m.read.private"] {
                guard let people = kinds[kind] else { continue }
                for (person, value) in people.fields where UserID.isValid(person) && value.isObject {
                    guard receipts.count < most, let value = value.value else { break }
                    receipts.append(
                        Receipt(
                            person: person, event: event, scope: Scope(thread: value["thread_id"]?.string),
                            time: value["ts"]?.integer ?? 0))
                }
            }
        }
    }
}

extension Receipt.Scope {
    /// - Parameter thread: as the server names it: `main`, the root of a thread, or nil for everything.
    package init(thread: String?) {
        switch thread {
        case nil: self = .all
        case "main": self = .mainTimeline
        case let root?: self = .thread(root)
        }
    }

    /// As the server names it.
    package var thread: String? {
        switch self {
        case .all: nil
        case .mainTimeline: "main"
        case .thread(let root): root
        }
    }
}

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
