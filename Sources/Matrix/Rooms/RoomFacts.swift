package import Formats

/// The facts about a room that its state events tell.
package struct RoomFacts: Hashable, Sendable {
    /// Opaque.
    package let room: String
    package private(set) var name: String?
    /// `#harbour:example.org`
    package private(set) var alias: String?
    package private(set) var topic: String?
    /// The people after whom the server names a room without a name.
    package private(set) var heroes: [String] = []
    /// `m.space` for a space.
    package private(set) var type: String?
    package private(set) var isEncrypted = false
    /// The room that people have moved to.
    package private(set) var replacement: String?
    /// The event up to which this account has read in any of its clients.
    package var fullyRead: String?
    /// Whether this account is no member any more.
    package var hasLeft = false
    /// The people who are in it or invited, as far as the server has told.
    package private(set) var members: Set<String> = []

    package init(room: String) { self.room = room }

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
        guard key.isEmpty else { return }
        if type == "m.room.name" {
            name = filled("name")
        } else if type == "m.room.topic" {
            topic = filled("topic")
        } else if type == "m.room.canonical_alias" {
            alias = filled("alias")
        } else if type == "m.room.create" {
            self.type = filled("type")
        } else if type == "m.room.encryption" {
            // No later event turns it off.
            isEncrypted = true
        } else if type == "m.room.tombstone" {
            replacement = filled("replacement_room")
        }
    }

    /// Takes the summary of a response to /sync.
    package mutating func take(summary: JSONValue) {
        guard let list = summary["m.heroes"], list.isArray else { return }
        take(heroes: list.elements.compactMap(\.string))
    }

    mutating func take(heroes list: [String]) { heroes = Array(list.filter(UserID.isValid).prefix(5)) }

    /// Sets what a file has kept.
    mutating func restore(
        name: String?, alias: String?, topic: String?, type: String?, replacement: String?, heroes: [String],
        members: [String], isEncrypted: Bool
    ) {
        (self.name, self.alias, self.topic, self.type) = (name, alias, topic, type)
        (self.replacement, self.heroes) = (replacement, heroes)
        (self.members, self.isEncrypted) = (Set(members), isEncrypted)
    }

    // MARK: - Names

    /// - Parameter person: the name of a person.
    package func title(_ person: (String) -> String) -> String {
        if let name = name ?? alias { return name }
        return heroes.isEmpty ? "Empty room" : heroes.map(person).joined(separator: ", ")
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
