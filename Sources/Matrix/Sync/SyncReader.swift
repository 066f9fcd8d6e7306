package import Formats

/// Reads responses to /sync. Use it on one thread only.
package final class SyncReader {
    private let tree = JSONTree()
    private let events: MatrixEvents

    /// - Parameter events: remembers the names of people.
    package init(events: MatrixEvents) { self.events = events }

    /// Nil if it is no response to /sync. A fault in a part of it hides that part only.
    /// - Parameter facts: what is known of a room; nil for a new one.
    package func read(_ body: UnsafeRawBufferPointer, facts: (String) -> RoomFacts?) -> SyncResponse? {
        guard let value = tree.parse(body), let next = value["next_batch"]?.string, !next.isEmpty else { return nil }
        var people: [ForeignPerson] = []
        var rooms: [RoomNews] = []
        var seen: Set<String> = []
        var typing: [String: [String]] = [:]
        for (kind, hasLeft) in [("join" as StaticString, false), ("leave", true)] {
            value["rooms"]?[kind]?.forEachField { name, value in
                let room = name.string
                guard !room.isEmpty, value.isObject, seen.insert(room).inserted else { return true }
                let known = facts(room)
                // A room that was left before this account was logged in here is of no interest.
                guard known != nil || !hasLeft else { return true }
                if let list = SyncReader.typing(value) { typing[room] = list }
                let news = news(value, known, room, hasLeft: hasLeft, &people)
                if news.changes(known) { rooms.append(news) }
                return true
            }
        }
        return SyncResponse(next: next, rooms: rooms, typing: typing, people: people)
    }

    /// Nil if the response does not say who is typing in a room.
    private static func typing(_ value: JSONValue) -> [String]? {
        guard let list = value["ephemeral"]?["events"] else { return nil }
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
        events.room = room
        if let summary = value["summary"] { facts.take(summary: summary) }
        if let state = value["state"]?["events"] {
            for value in state.elements { take(MatrixEvent(value), &facts, &people) }
        }
        if let list = value["account_data"]?["events"] {
            for event in list.elements where event["type"]?.string == "m.fully_read" {
                if let id = event["content"]?["event_id"]?.string, !id.isEmpty { facts.fullyRead = id }
            }
        }
        let timeline = value["timeline"]
        var writer = RecordWriter()
        var ids: Set<String> = []
        var isStart = false
        if let list = timeline?["events"] {
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
        return RoomNews(
            room: room, lines: writer.lines, isLimited: timeline?["limited"]?.isTrue == true,
            from: timeline?["prev_batch"]?.string, isStart: isStart, facts: facts)
    }

    /// Takes an event of the state before the timeline: it is no record.
    private func take(_ event: MatrixEvent, _ facts: inout RoomFacts, _ people: inout [ForeignPerson]) {
        facts.take(event)
        guard event.type == "m.room.member", let id = event.stateKey?.string, UserID.isValid(id),
            let name = event.content?["displayname"]?.string, !name.isEmpty
        else { return }
        if events.name(id) != name {
            events.name(id, name)
            people.append(ForeignPerson(id: id, name: name))
        }
    }
}
