internal import Formats
internal import Matrix

/// Who has read how far, in all rooms. It tells of changes at most once a second, however many come, and is on the disk for the next
/// process a minute after a change, or when this process ends.
final class ReceiptBook {
    private static let tellingPause = Duration.seconds(1)
    private static let savingPause = Duration.seconds(60)
    /// How many of the last events of a response are looked at.
    private static let mostEvents = 64

    private let path: String
    private var rooms: [String: RoomReceipts] = [:]
    /// The rooms whose changes are not told yet.
    private var changed: Set<String> = []
    private var lastTold: ContinuousClock.Instant?
    private var telling: ContinuousClock.Instant?
    private var saving: ContinuousClock.Instant?

    /// - Parameter path: `matrix/receipts.json` in the archive. A file that cannot be read counts as none: its receipts come again when
    ///   people go on reading.
    init(path: String) {
        self.path = path
        guard let bytes = try? DiskFile.read(path, longest: 64 << 20) else { return }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        bytes.withUnsafeBytes { bytes in
            tree.parse(bytes)?.forEachField { room, list in
                rooms[room.string] = RoomReceipts(list.elements.compactMap { Receipt(kept: $0) })
                return true
            }
        }
    }

    /// When something is to be told or saved; nil if nothing is.
    var due: ContinuousClock.Instant? { [telling, saving].compactMap { $0 }.min() }

    /// The receipts of a room, each with the message that it is about.
    func receipts(in room: String) -> [(receipt: Receipt, message: String)] {
        guard let known = rooms[room] else { return [] }
        return known.all.map { ($0, known.message(of: $0)) }
    }

    /// - Parameter isFollowed: whether a Kedge wants to know.
    func take(_ receipts: [Receipt], in room: String, isFollowed: Bool, now: ContinuousClock.Instant) {
        guard rooms[room, default: RoomReceipts()].take(receipts) else { return }
        if saving == nil { saving = now + ReceiptBook.savingPause }
        guard isFollowed else { return }
        changed.insert(room)
        if telling == nil { telling = max(now, lastTold.map { $0 + ReceiptBook.tellingPause } ?? now) }
    }

    /// Takes records that have come.
    func note(_ lines: [UInt8], in room: String) {
        guard !lines.isEmpty else { return }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var events: [(id: String, isMessage: Bool)] = []
        Lines.forEach(in: Lines.last(ReceiptBook.mostEvents, of: lines)) { line in
            guard let value = tree.parse(line), let id = value["id"]?.string else { return }
            events.append((id, value["type"]?.string == "message"))
        }
        rooms[room, default: RoomReceipts()].note(events: events)
    }

    /// The rooms of which is to be told now.
    func takeChanged(now: ContinuousClock.Instant) -> Set<String> {
        guard let time = telling, time <= now else { return [] }
        defer { changed = [] }
        (telling, lastTold) = (nil, now)
        return changed
    }

    /// - Parameter isEnd: whether the process ends.
    func save(now: ContinuousClock.Instant, isEnd: Bool = false) {
        guard let time = saving, isEnd || time <= now else { return }
        saving = nil
        let fields = rooms.sorted { $0.key < $1.key }.filter { !$0.value.all.isEmpty }.map { room, receipts in
            "\(JSONString.text(room)):[\(receipts.all.map(\.kept).joined(separator: ","))]"
        }
        // What is lost comes again when people go on reading.
        try? DiskFile.replace(path, with: [Array("{\(fields.joined(separator: ",\n"))}\n".utf8)])
    }
}

extension Receipt {
    fileprivate var kept: String {
        let thread = scope.thread.map { ",\"thread\":\(JSONString.text($0))" } ?? ""
        return
            "{\"person\":\(JSONString.text(person)),\"event\":\(JSONString.text(event))\(thread),\"at\":\(time)}"
    }

    /// Nil if the value is none.
    fileprivate init?(kept value: JSONValue) {
        guard let person = value["person"]?.string, let event = value["event"]?.string else { return nil }
        self.init(
            person: person, event: event, scope: Scope(thread: value["thread"]?.string),
            time: value["at"]?.integer ?? 0)
    }
}

/// The messages of islands whose reactions are to be asked for: they came later than the messages, where events are missing here.
///
/// One request is on its way at a time, and a failure drops all that is left: reactions are no reason to bother a server.
struct ReactionQueue {
    struct Target: Hashable {
        let room: String
        let event: String
    }

    /// How many messages around the one that was asked for.
    static let mostOfIsland = 20
    private static let mostWaiting = 100

    private var waiting: [Target] = []
    private(set) var current: Target?

    /// - Parameters:
    ///   - events: the messages of the island, in their order.
    ///   - middle: the one that was asked for. The nearest come first.
    mutating func add(_ events: [String], around middle: String, in room: String) {
        let place = events.firstIndex(of: middle) ?? 0
        let nearest = events.indices.sorted { abs($0 - place) < abs($1 - place) }.prefix(ReactionQueue.mostOfIsland)
        waiting = Array(
            (nearest.map { Target(room: room, event: events[$0]) } + waiting).prefix(ReactionQueue.mostWaiting))
    }

    /// The next one to ask for; nil if none is left, or one is on its way.
    mutating func next() -> Target? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current
    }

    /// Takes the end of the request that is on its way.
    /// - Returns: what it was for; nil if it is not wanted any more.
    mutating func end(isFailure: Bool) -> Target? {
        defer { current = nil }
        if isFailure { waiting = [] }
        return isFailure ? nil : current
    }
}
