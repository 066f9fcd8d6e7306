package import Formats

/// Reads responses to /sync. Use it on one thread only.
package final class SyncReader {
    private let tree = JSONTree()
    let events: MatrixEvents

    /// - Parameter events: remembers the names of people.
    package init(events: MatrixEvents) { self.events = events }

    /// Nil if it is no response to /sync. A fault in a part of it hides that part only.
    /// - Parameters:
    ///   - me: the ID of this account.
    ///   - isInvited: whether this account was invited to a room.
    ///   - facts: what is known of a room; nil for a new one.
    package func read(
        _ body: UnsafeRawBufferPointer, me: String = "", isInvited: (String) -> Bool = { _ in false },
        facts: (String) -> RoomFacts?
    ) -> SyncResponse? {
        guard let value = tree.parse(body), let next = value["next_batch"]?.string, !next.isEmpty else { return nil }
        var people: [ForeignPerson] = []
        var rooms: [RoomNews] = []
        var seen: Set<String> = []
        var typing: [String: [String]] = [:]
        var receipts: [String: [Receipt]] = [:]
        var answered: Set<String> = []
        for (kind, hasLeft) in [("join" as StaticString, false), ("leave", true)] {
            value["rooms"]?[kind]?.forEachField { name, value in
                let room = name.string
                guard !room.isEmpty, value.isObject, seen.insert(room).inserted else { return true }
                if isInvited(room) { answered.insert(room) }
                let known = facts(room)
                // A room that was left before this account was logged in here is of no interest.
                guard known != nil || !hasLeft else { return true }
                if let events = value["ephemeral"]?["events"] {
                    if let list = SyncReader.typing(events) { typing[room] = list }
                    let list = Receipt.all(in: events)
                    if !list.isEmpty { receipts[room] = list }
                }
                let news = news(value, known, room, hasLeft: hasLeft, &people)
                if news.changes(known) { rooms.append(news) }
                return true
            }
        }
        let invitations = Invitation.all(in: value["rooms"], me: me).filter { !seen.contains($0.room) }
        return SyncResponse(
            next: next, rooms: rooms, invitations: invitations, answered: answered, typing: typing, receipts: receipts,
            people: people)
    }

    /// Nil if a list of events does not say who is typing.
    private static func typing(_ list: JSONValue) -> [String]? {
        var people: [String]?
        for event in list.elements where event["type"]?.string == "m.typing" {
            people = event["content"]?["user_ids"]?.elements.compactMap(\.string).filter(UserID.isValid)
        }
        return people
    }

    private func news(
        _ value: JSONValue, _ known: RoomFacts?, _ room: String, hasLeft: Bool, _ people: inout [ForeignPerson]
    ) -> RoomNews {
        var facts = known ?? RoomFacts(room: room)
        facts.hasLeft = hasLeft
        if let summary = value["summary"] { facts.take(summary: summary) }
        if let id = value["account_data"]?["events"].flatMap(SyncReader.fullyRead) { facts.fullyRead = id }
        let timeline = value["timeline"]
        let parts = RoomParts(
            state: value["state"]?["events"], timeline: timeline?["events"],
            isLimited: timeline?["limited"]?.isTrue == true, from: timeline?["prev_batch"]?.string)
        return news(facts, parts, &people)
    }

    /// - Parameter known: the facts about the room before.
    func news(_ known: RoomFacts, _ parts: RoomParts, _ people: inout [ForeignPerson]) -> RoomNews {
        var facts = known
        events.room = known.room
        if let state = parts.state {
            for value in state.elements { take(MatrixEvent(value), &facts, &people) }
        }
        var writer = RecordWriter()
        var ids: Set<String> = []
        var isStart = false
        if let list = parts.timeline {
            for value in list.elements {
                let event = MatrixEvent(value)
                if event.stateKey != nil {
                    facts.take(event)
                    if event.type == "m.room.create" { isStart = true }
                }
                guard let id = event.id?.string, ids.insert(id).inserted else { continue }
                _ = events.convert(event, into: &writer)
            }
        }
        people += writer.people
        facts.names = events.ownNames(in: known.room)
        return RoomNews(
            room: known.room, lines: writer.lines, isLimited: parts.isLimited, from: parts.from, isStart: isStart,
            facts: facts)
    }

    /// The event up to which this account has read, in a list of account data; nil if the list does not say it.
    static func fullyRead(_ list: JSONValue) -> String? {
        var mark: String?
        for event in list.elements where event["type"]?.string == "m.fully_read" {
            if let id = event["content"]?["event_id"]?.string, !id.isEmpty { mark = id }
        }
        return mark
    }

    /// The token of a response to /sync; nil if it is none.
    package func readToken(_ body: UnsafeRawBufferPointer) -> String? {
        tree.parse(body)?["next_batch"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a response, until the next one is parsed.
    func parse(_ body: UnsafeRawBufferPointer) -> JSONValue? { tree.parse(body) }

    /// Takes an event of the state before the timeline: it is no record.
    private func take(_ event: MatrixEvent, _ facts: inout RoomFacts, _ people: inout [ForeignPerson]) {
        facts.take(event)
        guard event.type == "m.room.member" else { return }
        take(person: event.stateKey?.string, event.content?["displayname"]?.string, &people)
    }

    func take(person id: String?, _ name: String?, _ people: inout [ForeignPerson]) {
        guard let id, UserID.isValid(id), let name = name?.visibleName, events.knownName(id) != name else { return }
        if events.name(id, name) { people.append(ForeignPerson(id: id, name: name)) }
    }
}
