package import Formats

/// Reads responses to /sync. Use it on one thread only.
package final class SyncReader {
    private let tree = JSONTree()
    let events: MatrixEvents

    /// - Parameter events: remembers the names of people.
    package init(events: MatrixEvents) { self.events = events }

    /// The bytes that a part takes, about: a long response is read a part at a time.
    static let mostBytes = 4 << 20
    /// The members of a room come only as far as they have written lately: the largest rooms have some 100,000.
    private static let mostState = 100_000
    /// How many people who are typing in a room are told.
    private static let mostTyping = 32
    /// The names that people have had last, for the next part.
    private var people: [ForeignPerson] = []

    /// Reads a response of any length. A fault in a part of it hides that part only.
    /// - Parameters:
    ///   - me: the ID of this account.
    ///   - passed: hears of bytes that were read, and may be read again.
    ///   - isInvited: whether this account was invited to a room.
    ///   - facts: what is known of a room; nil for a new one.
    ///   - take: takes the parts of the response: one, unless it is long. Rooms are in the order of the response.
    /// - Returns: false if it is no response to /sync: there is no part then.
    /// - Throws: the error of `take`.
    package func read<Failure: Error>(
        _ body: UnsafeRawBufferPointer, me: String = "", passed: @escaping (UnsafeRawBufferPointer) -> Void = { _ in },
        isInvited: (String) -> Bool = { _ in false }, facts: (String) -> RoomFacts?,
        take: (SyncResponse) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let whole = text(body, passed: passed)?.fields(named: ["next_batch", "rooms"]),
            let next = whole["next_batch"]?.string, !next.isEmpty
        else { return false }
        let lists = whole["rooms"]?.fields(named: ["join", "leave", "invite"]) ?? [:]
        var part = SyncResponse(next: next)
        var seen: Set<String> = []
        var answered: Set<String> = []
        for (kind, hasLeft) in [("join", false), ("leave", true)] {
            guard let list = lists[kind] else { continue }
            for (room, value) in list.fields {
                guard !room.isEmpty, value.isObject, seen.insert(room).inserted else { continue }
                if isInvited(room) { answered.insert(room) }
                let known = facts(room)
                // A room that was left before this account was logged in here is of no interest.
                guard known != nil || !hasLeft else { continue }
                let fields = value.fields(named: ["summary", "account_data", "state", "timeline", "ephemeral"])
                if let events = fields["ephemeral"]?["events"] {
                    if let list = SyncReader.typing(events) { part.typing[room] = list }
                    let list = Receipt.all(in: events)
                    if !list.isEmpty { part.receipts[room] = list }
                    part.weight += list.count * 200
                }
                var new = known ?? RoomFacts(room: room)
                new.hasLeft = hasLeft
                if let summary = fields["summary"]?.value { new.take(summary: summary) }
                if let id = fields["account_data"]?["events"].flatMap(SyncReader.fullyRead) { new.fullyRead = id }
                let timeline = fields["timeline"]?.fields(named: ["events", "limited", "prev_batch"]) ?? [:]
                let parts = RoomParts(
                    state: fields["state"]?["events"], timeline: timeline["events"],
                    isLimited: timeline["limited"]?.isTrue == true, from: timeline["prev_batch"]?.string)
                try read(parts, of: new) { (news) throws(Failure) in
                    if news.changes(known) { try add(news, to: &part, take) }
                }
            }
        }
        part.invitations = Invitation.all(in: lists["invite"], me: me).filter { !seen.contains($0.room) }
        part.answered = answered
        part.people = takePeople()
        part.isLast = true
        try take(part)
        return true
    }

    /// Adds what is new in a room to a part, and gives the part away when it is full.
    private func add<Failure: Error>(
        _ news: RoomNews, to part: inout SyncResponse, _ take: (SyncResponse) throws(Failure) -> Void
    ) throws(Failure) {
        part.rooms.append(news)
        part.weight += news.lines.count + 1_000
        guard part.weight > SyncReader.mostBytes else { return }
        part.people = takePeople()
        try take(part)
        part = SyncResponse(next: part.next)
    }

    func takePeople() -> [ForeignPerson] {
        defer { people = [] }
        return people
    }

    /// Nil if a list of events does not say who is typing.
    private static func typing(_ list: LongJSON) -> [String]? {
        var people: [String]?
        for event in list.objects where event["type"]?.string == "m.typing" {
            let all = event["content"]?["user_ids"]?.elements.compactMap(\.string).filter(UserID.isValid)
            // More could not be shown.
            people = all.map { Array($0.prefix(mostTyping)) }
        }
        return people
    }

    /// Reads the events of a room. Very many come in several pieces, as if in several responses.
    /// - Parameter known: the facts about the room before.
    func read<Failure: Error>(
        _ parts: RoomParts, of known: RoomFacts, _ take: (RoomNews) throws(Failure) -> Void
    ) throws(Failure) {
        var facts = known
        events.room = known.room
        if let state = parts.state {
            for value in state.objects.prefix(SyncReader.mostState) { self.take(MatrixEvent(value), &facts) }
        }
        var writer = RecordWriter()
        var ids: Set<String> = []
        var isStart = false
        var isFirst = true
        func news() -> RoomNews {
            people += writer.people
            facts.names = events.ownNames(in: known.room)
            return RoomNews(
                room: known.room, lines: writer.lines, isLimited: isFirst && parts.isLimited,
                from: isFirst ? parts.from : nil, isStart: isStart, facts: facts)
        }
        if let list = parts.timeline {
            for value in list.objects {
                let event = MatrixEvent(value)
                if event.stateKey != nil {
                    facts.take(event)
                    if event.type == "m.room.create" { isStart = true }
                }
                guard let id = event.id?.string, ids.insert(id).inserted else { continue }
                _ = events.convert(event, into: &writer)
                guard writer.lines.count > SyncReader.mostBytes else { continue }
                try take(news())
                writer = RecordWriter()
                (ids, isFirst) = ([], false)
                events.room = known.room
            }
        }
        try take(news())
    }

    /// The event up to which this account has read, in a list of account data; nil if the list does not say it.
    static func fullyRead(_ list: LongJSON) -> String? {
        var mark: String?
        for event in list.objects where event["type"]?.string == "m.fully_read" {
            if let id = event["content"]?["event_id"]?.string, !id.isEmpty { mark = id }
        }
        return mark
    }

    /// The token of a response to /sync; nil if it is none.
    package func readToken(_ body: UnsafeRawBufferPointer) -> String? {
        text(body)?["next_batch"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A response; nil if it is no JSON, or cut off.
    func text(
        _ body: UnsafeRawBufferPointer, passed: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
    ) -> LongJSON? { LongJSON(document: body, by: tree, passed: passed) }

    /// Takes an event of the state before the timeline: it is no record.
    private func take(_ event: MatrixEvent, _ facts: inout RoomFacts) {
        facts.take(event)
        guard event.type == "m.room.member" else { return }
        take(person: event.stateKey?.string, events.name(givenBy: event))
    }

    func take(person id: String?, _ name: String?) {
        guard let id, UserID.isValid(id), let name = name?.visibleName, events.knownName(id) != name else { return }
        if events.name(id, name) { people.append(ForeignPerson(id: id, name: name)) }
    }
}
