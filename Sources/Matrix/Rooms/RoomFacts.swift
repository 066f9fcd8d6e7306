package import Formats

/// The facts about a room that its state events tell.
package struct RoomFacts: Hashable, Sendable {
    /// Opaque.
    package let room: String
    package internal(set) var name: String?
    /// `#harbour:example.org`
    package internal(set) var alias: String?
    package internal(set) var topic: String?
    /// The people after whom the server names a room without a name.
    package internal(set) var heroes: [String] = []
    /// `m.space` for a space.
    package internal(set) var type: String?
    package var isSpace: Bool { type == "m.space" }
    package internal(set) var isEncrypted = false
    /// The room that people have moved to.
    package internal(set) var replacement: String?
    /// A server that knows that room.
    package internal(set) var replacementServer: String?
    /// The room that people have come from.
    package internal(set) var predecessor: String?
    /// Of a space: the rooms in it.
    package internal(set) var children: Set<String> = []
    /// The spaces that the room names as those in which it is to be shown.
    package internal(set) var mainSpaces: Set<String> = []
    /// The event up to which this account has read in any of its clients.
    package var fullyRead: String?
    /// Whether this account is no member any more.
    package var hasLeft = false
    /// The people who are in it or invited, as far as the server has told.
    package internal(set) var members: Set<String> = []

    /// The names that people have in it, where these differ from those that count in other rooms.
    package var names: [String: String] = [:]

    /// The people who made it, from version 12 of rooms on: they may do everything, and no permissions name them.
    package internal(set) var creators: Set<String> = []
    /// The people who may call everybody in it, as far as its permissions say; nil for all of its members, and where they are not known.
    package internal(set) var callers: Set<String>?

    /// How many people are in it; nil if the server has not told.
    package internal(set) var memberCount: Int?

    package init(room: String) { self.room = room }

    /// Whether a person may call everybody in the room. The server decides: where it is not known, it is tried.
    package func mayCallRoom(_ person: String) -> Bool {
        callers?.contains(person) ?? true || creators.contains(person)
    }

    // MARK: - Events

    /// Takes an event of the room's state; others change nothing.
    package mutating func take(_ event: MatrixEvent) {
        guard let key = event.stateKey?.string, let content = event.content else { return }
        func filled(_ name: StaticString) -> String? { content[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        let type = event.type
        if type == "m.room.member" {
            switch content["membership"]?.string {
            case "join", "invite": if UserID.isValid(key) { members.insert(key) }
            case .some: members.remove(key)
            case nil: break
            }
            return
        }
        if type == "m.space.child" || type == "m.space.parent" { return take(relation: type, to: key, content) }
        guard key.isEmpty else { return }
        if type == "m.room.name" {
            name = filled("name")?.visibleName
        } else if type == "m.room.topic" {
            topic = filled("topic")
        } else if type == "m.room.canonical_alias" {
            alias = filled("alias")
        } else if type == "m.room.create" {
            self.type = filled("type")
            if let version = filled("room_version"), Int(version) ?? 0 >= 12 {
                let others = content["additional_creators"]?.elements.compactMap(\.string) ?? []
                creators = Set(others + (event.sender.map { [$0.string] } ?? []))
            }
            predecessor = content["predecessor"]?["room_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        } else if type == "m.room.encryption" {
            // No later event turns it off.
            isEncrypted = true
        } else if type == "m.room.power_levels" {
            take(permissions: content)
        } else if type == "m.room.tombstone" {
            replacement = filled("replacement_room")
            replacementServer = event.sender.flatMap { UserID.domain($0.string) }
        }
    }

    /// Who may call everybody (Matrix client-server API, "m.room.power_levels"). Levels may be texts in old rooms.
    private mutating func take(permissions content: JSONValue) {
        func level(_ value: JSONValue?) -> Int64? { value?.integer ?? value?.string.flatMap { Int64($0) } }
        let needed = level(content["notifications"]?["room"]) ?? 50
        guard level(content["users_default"]) ?? 0 < needed else {
            callers = nil
            return
        }
        var callers: Set<String> = []
        content["users"]?.forEachField { name, value in
            if level(value) ?? 0 >= needed { callers.insert(name.string) }
            return true
        }
        self.callers = callers
    }

    /// A relation without servers that know the other room is none any more (Matrix client-server API, "Spaces").
    private mutating func take(relation type: Bytes, to room: String, _ content: JSONValue) {
        guard !room.isEmpty else { return }
        let holds = content["via"]?.elements.contains { $0.isString } == true
        if type == "m.space.child" {
            if holds { children.insert(room) } else { children.remove(room) }
        } else if holds, content["canonical"]?.isTrue == true {
            mainSpaces.insert(room)
        } else {
            mainSpaces.remove(room)
        }
    }

    /// Takes the summary of a response to /sync.
    package mutating func take(summary: JSONValue) {
        if let count = summary["m.joined_member_count"]?.integer { take(memberCount: count) }
        guard let list = summary["m.heroes"], list.isArray else { return }
        take(heroes: list.elements.compactMap(\.string))
    }

    mutating func take(memberCount: Int64) { self.memberCount = memberCount > 0 ? Int(clamping: memberCount) : nil }

    mutating func take(heroes list: [String]) { heroes = Array(list.filter(UserID.isValid).prefix(5)) }

    // MARK: - Names

    /// - Parameter person: the name of a person.
    package func title(_ person: (String) -> String) -> String {
        if let name = name ?? alias { return name }
        return heroes.isEmpty ? "Empty room" : heroes.map { names[$0] ?? person($0) }.joined(separator: ", ")
    }

    /// The names of people that are to be shown in this room only, by their IDs: people of one name are told apart.
    /// - Parameter person: the name of a person where no other is known.
    func shownNames(_ person: (String) -> String) -> [(id: String, name: String)] {
        let own = names.filter { person($0.key) != $0.value }
        guard !own.isEmpty else { return [] }
        let taken = Set(own.values)
        var people: [String: Set<String>] = [:]
        for id in members.union(own.keys) {
            let name = own[id] ?? person(id)
            if taken.contains(name) { people[name, default: []].insert(id) }
        }
        let shown = people.flatMap { name, ids in
            ids.map { (id: $0, name: ids.count > 1 ? "\(name) (\($0))" : name) }
        }
        return shown.sorted { $0.id < $1.id }
    }

    /// The ID of its conversation: of the alias, the name, the people in it, or its own ID.
    /// - Parameter isTaken: whether another conversation has an ID.
    package func conversation(isTaken: (String) -> Bool) -> String {
        func local(_ id: String) -> String { String(id.dropFirst().prefix { $0 != ":" }) }
        let names: [String?] = [alias.map(local), name, heroes.map(local).joined(separator: " "), local(room)]
        let slug = names.lazy.compactMap { $0.map(Slug.of) }.first { !$0.isEmpty } ?? "room"
        if !isTaken(slug) { return slug }
        var number = 2
        while isTaken("\(slug)-\(number)") { number += 1 }
        return "\(slug)-\(number)"
    }
}
