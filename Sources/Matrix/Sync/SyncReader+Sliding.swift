internal import Formats

extension SyncReader {
    /// Reads a response to sliding sync; nil if it is none. A fault in a part of it hides that part only.
    package func readSliding(_ body: UnsafeRawBufferPointer) -> SlidingPage? {
        guard let value = parse(body), let pos = value["pos"]?.string, !pos.isEmpty,
            let count = value["lists"]?["all"]?["count"]?.integer, count >= 0
        else { return nil }
        var people: [ForeignPerson] = []
        var rooms: [RoomNews] = []
        var seen: Set<String> = []
        let account = value["extensions"]?["account_data"]?["rooms"]
        value["rooms"]?.forEachField { name, value in
            let room = name.string
            // An invitation has no timeline.
            guard !room.isEmpty, value["initial"]?.isTrue == true, value["timeline"]?.isArray == true,
                seen.insert(room).inserted
            else { return true }
            rooms.append(news(sliding: value, room, &people))
            return true
        }
        var marks: [String: String] = [:]
        account?.forEachField { name, list in
            marks[name.string] = SyncReader.fullyRead(list)
            return true
        }
        for index in rooms.indices { rooms[index].mark(fullyRead: marks[rooms[index].room]) }
        var receipts: [String: [Receipt]] = [:]
        value["extensions"]?["receipts"]?["rooms"]?.forEachField { name, event in
            Receipt.take(event, into: &receipts[name.string, default: []])
            return true
        }
        return SlidingPage(
            pos: pos, count: Int(clamping: count), rooms: rooms, receipts: receipts, people: people)
    }

    private func news(sliding value: JSONValue, _ room: String, _ people: inout [ForeignPerson]) -> RoomNews {
        var facts = RoomFacts(room: room)
        events.room = room
        if let heroes = value["heroes"] {
            facts.take(heroes: heroes.elements.compactMap { $0["user_id"]?.string })
            for hero in heroes.elements { take(person: hero["user_id"]?.string, hero["displayname"]?.string, &people) }
        }
        if let count = value["joined_count"]?.integer { facts.take(memberCount: count) }
        let parts = RoomParts(
            state: value["required_state"], timeline: value["timeline"], isLimited: value["limited"]?.isTrue == true,
            from: value["prev_batch"]?.string)
        return news(facts, parts, &people)
    }
}
