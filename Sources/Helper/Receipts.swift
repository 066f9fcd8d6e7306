internal import JSON
internal import Messages
package import Relay

/// The newest read receipts of a room, at most `most`, so that a room of ten thousand people costs no more than one of thirty.
package struct RoomReceipts: Hashable, Sendable {
    package static let most = 32
    /// The most events other than messages to remember.
    private static let mostOthers = 64

    /// The newest first.
    package private(set) var all: [Receipt]
    /// The last message that was recorded.
    private var lastMessage: MessageID?
    /// Events that are not messages, each with the message before it.
    private var others: [MessageID: MessageID] = [:]

    package init(_ all: [Receipt] = []) { self.all = Array(all.prefix(RoomReceipts.most)) }

    /// - Parameter new: the receipts of one response, in any order: their times decide.
    /// - Returns: true if anything has changed.
    package mutating func take(_ new: [Receipt]) -> Bool {
        guard !new.isEmpty else { return false }
        struct Key: Hashable {
            let person: PersonID
            let scope: Reader.Scope
        }
        let before = all
        var seen: Set<Key> = []
        let ordered = new.enumerated().sorted { ($0.element.at, $0.offset) > ($1.element.at, $1.offset) }
        all = (ordered.map(\.element) + before).filter { receipt in
            guard seen.count < RoomReceipts.most else { return false }
            return seen.insert(Key(person: receipt.person, scope: receipt.scope)).inserted
        }
        return all != before
    }

    /// Records new events, in their order: a receipt may name one that is not a message, such as a reaction.
    package mutating func note(events: [(id: String, isMessage: Bool)]) {
        for (id, isMessage) in events {
            let id = MessageID(id)
            if isMessage {
                lastMessage = id
            } else if let lastMessage {
                if others.count >= RoomReceipts.mostOthers { others = [:] }
                others[id] = lastMessage
            }
        }
    }

    /// The receipts, each at the message up to which its person has read, the newest first.
    package var atMessages: [Receipt] { all.map { $0.moved(to: others[$0.message] ?? $0.message) } }
}

/// The read receipts of all rooms. Changes are due to be sent at most once a second. They are saved for the next process a minute
/// after a change, or when this process ends.
package final class ReceiptBook {
    private static let tellingPause = Duration.seconds(1)
    private static let savingPause = Duration.seconds(60)
    /// The most events at the end of a response to check.
    private static let mostEvents = 64

    private let path: String
    private var rooms: [String: RoomReceipts] = [:]
    /// The rooms whose changes are not sent yet.
    private var changed: Set<String> = []
    private var lastTold: ContinuousClock.Instant?
    private var telling: ContinuousClock.Instant?
    private var saving: ContinuousClock.Instant?

    /// - Parameter path: `receipts.json` in the folder of the network. A file that cannot be read counts as none: its receipts come again when
    ///   people go on reading.
    package init(path: String) {
        self.path = path
        guard let bytes = try? DiskFile.read(path, longest: 64 << 20) else { return }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        bytes.withUnsafeBytes { bytes in
            tree.parse(bytes)?.forEachField { room, list in
                rooms[room.string] = RoomReceipts(list.elements.compactMap { Receipt(relayed: $0) })
                return true
            }
        }
    }

    /// The time at which changes are due to be sent or saved; nil if there are none.
    package var due: ContinuousClock.Instant? { [telling, saving].compactMap { $0 }.min() }

    /// The receipts of a room, each at the message up to which its person has read.
    package func receipts(in room: String) -> [Receipt] { rooms[room]?.atMessages ?? [] }

    /// - Parameter isFollowed: true if a Kedge follows the receipts of the room.
    package func take(_ receipts: [Receipt], in room: String, isFollowed: Bool, now: ContinuousClock.Instant) {
        guard rooms[room, default: RoomReceipts()].take(receipts) else { return }
        if saving == nil { saving = now + ReceiptBook.savingPause }
        guard isFollowed else { return }
        changed.insert(room)
        if telling == nil { telling = max(now, lastTold.map { $0 + ReceiptBook.tellingPause } ?? now) }
    }

    /// Handles new records.
    package func note(_ lines: [UInt8], in room: String) {
        guard !lines.isEmpty else { return }
        var events: [(id: String, isMessage: Bool)] = []
        Lines.forEach(in: Lines.last(ReceiptBook.mostEvents, of: lines)) { record in
            if let id = record["id"]?.string { events.append((id, record["type"]?.string == "message")) }
        }
        rooms[room, default: RoomReceipts()].note(events: events)
    }

    /// Rooms whose receipts are due to be sent.
    package func takeChanged(now: ContinuousClock.Instant) -> Set<String> {
        guard let time = telling, time <= now else { return [] }
        defer { changed = [] }
        (telling, lastTold) = (nil, now)
        return changed
    }

    /// - Parameter isEnd: true if the process ends, so that nothing can be saved later.
    package func save(now: ContinuousClock.Instant, isEnd: Bool = false) {
        guard let time = saving, isEnd || time <= now else { return }
        saving = nil
        let fields = rooms.sorted { $0.key < $1.key }.filter { !$0.value.all.isEmpty }.map { room, receipts in
            (room, Optional(JSONText(receipts.all.map(\.relayed))))
        }
        // Lost receipts come again when people go on reading.
        try? DiskFile.replace(path, with: [JSONText(fields: fields).line])
    }
}
