internal import ArchiveFormat
package import Formats
package import JSON

/// The facts about a room that its state events tell.
package struct RoomFacts: Hashable, Sendable {
    /// Opaque.
    package let room: String
    package internal(set) var name: String?
    /// `#harbour:example.org`
    package internal(set) var alias: String?
    package internal(set) var topic: String?
    /// The people whose names are the title of a room without a name, according to the server.
    package internal(set) var heroes: [String] = []
    /// `m.space` for a space.
    package internal(set) var type: String?
    package var isSpace: Bool { type == "m.space" }
    package internal(set) var isEncrypted = false
    /// The room that replaces this one.
    package internal(set) var replacement: String?
    /// A server that knows that room.
    package internal(set) var replacementServer: String?
    /// The room that this one replaces.
    package internal(set) var predecessor: String?
    /// The rooms in it, for a space.
    package internal(set) var children: Set<String> = []
    /// The spaces in which the room is shown, according to the room.
    package internal(set) var mainSpaces: Set<String> = []
    /// The event up to which this account has read in any of its clients.
    package var fullyRead: String?
    /// True if this account is no member any more.
    package var hasLeft = false
    /// The people who are in it or invited, as far as the server has reported.
    package internal(set) var members: Set<String> = []

    /// The names of people in this room, where they differ from their names in other rooms.
    package var names: [String: String] = [:]

    /// The people who made it, for version 12 of rooms and later: they have all permissions, and no event lists them.
    package internal(set) var creators: Set<String> = []
    /// The people who may call everybody in it, by its permissions; nil for all members, and if that is not known.
    package internal(set) var callers: Set<String>?

    /// The number of members; nil if the server has not reported it.
    package internal(set) var memberCount: Int?

    package init(room: String) { self.room = room }

    /// True if a person may call everybody in the room. If that is not known, true: the server decides.
    package func mayCallRoom(_ person: String) -> Bool {
        callers?.contains(person) ?? true || creators.contains(person)
    }

    // MARK: - Events

    /// Applies an event of the room's state; others change nothing.
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

    /// Applies the permission to call everybody (client-server API, "m.room.power_levels"). Old rooms have levels as texts.
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

    /// Applies a relation. One without servers is void (Matrix client-server API, "Spaces").
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

    /// Applies the summary of a response to /sync.
    package mutating func take(summary: JSONValue) {
        if let count = summary["m.joined_member_count"]?.integer { take(memberCount: count) }
        guard let list = summary["m.heroes"], list.isArray else { return }
        take(heroes: list.elements.compactMap(\.string))
    }

    mutating func take(memberCount: Int64) { self.memberCount = memberCount > 0 ? Int(clamping: memberCount) : nil }

    mutating func take(heroes list: [String]) { heroes = Array(list.filter(UserID.isValid).prefix(5)) }

    // MARK: - Names

    /// The name, or the names of people in the room. A server names no people for a room whose name is invisible.
    /// - Parameters:
    ///   - me: the ID of this account.
    ///   - person: the name of a person.
    package func title(for me: String = "", _ person: (String) -> String) -> String {
        if let name = name ?? alias { return name }
        let people = heroes.isEmpty ? Array(members.subtracting([me]).sorted().prefix(5)) : heroes
        return people.isEmpty ? "Empty room" : people.map { names[$0] ?? person($0) }.joined(separator: ", ")
    }

    /// The people who are shown by another name in this room, sorted by their IDs. People whose names look the same are told apart.
    /// - Parameter person: the name of a person where no other is known.
    func shownNames(_ person: (String) -> String) -> [PersonEntry] {
        let own = names.filter { person($0.key) != $0.value }
        guard !own.isEmpty else { return [] }
        let taken = Set(own.values.map(\.shownForm))
        var people: [String: [(id: String, name: String)]] = [:]
        for id in members.union(own.keys) {
            let name = own[id] ?? person(id)
            let form = name.shownForm
            if taken.contains(form) { people[form, default: []].append((id, name)) }
        }
        let shown = people.values.flatMap { namesakes in
            namesakes.map { PersonEntry(id: $0.id, name: namesakes.count > 1 ? "\($0.name) (\($0.id))" : $0.name) }
        }
        return shown.sorted { $0.id < $1.id }
    }

    /// The ID of its conversation, made from the alias, the name, the people in it, or its own ID.
    /// - Parameter isTaken: true if another conversation has an ID.
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

/// The file conversation.json of a room.
extension RoomFacts {
    /// The content of the file. Its aliases are the names by which links know the room.
    /// - Parameters:
    ///   - person: the name of a person where no other is known.
    ///   - known: the conversation of a room; nil for a room that is not here.
    ///   - me: the ID of this account.
    ///   - isReadable: true if messages of encrypted rooms can be read and sent.
    package func file(
        conversation id: String, person: (String) -> String, known: (String) -> String? = { _ in nil },
        me: String = "", isReadable: Bool = false
    ) -> JSONText {
        let movedTo = replacement.map { RoomAddress(room: $0, via: replacementServer.map { [$0] } ?? []).link }
        var file = ConversationFile(id: id, title: title(for: me, person), topic: topic)
        (file.members, file.memberCount, file.hasLeft) = (members.sorted(), memberCount.map { Int64($0) }, hasLeft)
        (file.readUpTo, file.predecessor) = (fullyRead, predecessor.flatMap(known))
        (file.successor, file.movedTo) = (replacement.flatMap(known), movedTo)
        (file.callsAll, file.isClosed) = (mayCallRoom(me), isEncrypted && !isReadable)
        (file.aliases, file.link) = ([room] + (alias.map { [$0] } ?? []), RoomAddress.site + room)
        (file.names, file.matrix) = (shownNames(person), matrix)
        return file.json
    }

    /// Nil if the file is not that of a room.
    package init?(file bytes: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let file = try? ConversationFileReader(isWhole: true).read(bytes), let matrix = file.matrix?.bytes,
            let value = matrix.withUnsafeBytes({ tree.parse($0) }), let facts = RoomFacts(matrix: value)
        else { return nil }
        self = facts
        (topic, members, memberCount) = (file.topic, Set(file.members), file.memberCount.map { Int(clamping: $0) })
        // Earlier versions have written these two among the facts.
        fullyRead = file.readUpTo ?? value["fullyRead"]?.string
        hasLeft = file.hasLeft || value["left"]?.isTrue == true
    }

    /// The readable parts of a room's damaged file: the room and its title. Nil without a room.
    package init?(damagedFile bytes: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        func text(_ key: String) -> String? {
            guard let start = bytes.offset(of: "\"\(key)\":", from: 0) else { return nil }
            let from = start + key.utf8.count + 3
            var end = from + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard end < bytes.count else { return nil }
            let value = Array("[".utf8) + bytes[from...end] + Array("]".utf8)
            return value.withUnsafeBytes { tree.parse($0)?.elements.compactMap(\.string).first }
        }
        let link = text("link").flatMap {
            $0.hasPrefix(RoomAddress.site) ? String($0.dropFirst(RoomAddress.site.count)) : nil
        }
        guard let room = text("room") ?? link, room.hasPrefix("!"), room.utf8.count <= 255 else { return nil }
        self.init(room: room)
        name = text("title")?.visibleName
    }

    /// The facts for which the native format has no field, as an object of JSON.
    package var matrix: JSONText {
        let names = names.sorted { $0.key < $1.key }.map { ($0, Optional(JSONText($1))) }
        return [
            "room": JSONText(room), "name": JSONText(ifAny: name), "alias": JSONText(ifAny: alias),
            "type": JSONText(ifAny: type), "replacement": JSONText(ifAny: replacement),
            "replacementServer": JSONText(ifAny: replacementServer), "predecessor": JSONText(ifAny: predecessor),
            "heroes": JSONText(ifAny: heroes), "children": JSONText(ifAny: children.sorted()),
            "mainSpaces": JSONText(ifAny: mainSpaces.sorted()), "creators": JSONText(ifAny: creators.sorted()),
            "callers": callers.map { JSONText($0.sorted()) }, "encrypted": isEncrypted ? true : nil,
            "names": names.isEmpty ? nil : JSONText(fields: names),
        ]
    }

    /// - Parameter facts: the value of `matrix`; nil for anything else.
    package init?(matrix facts: JSONValue) {
        guard let room = facts["room"]?.string else { return nil }
        self.init(room: room)
        (name, alias, type) = (facts["name"]?.string, facts["alias"]?.string, facts["type"]?.string)
        replacement = facts["replacement"]?.string
        replacementServer = facts["replacementServer"]?.string
        predecessor = facts["predecessor"]?.string
        heroes = RoomFacts.strings(facts["heroes"])
        children = Set(RoomFacts.strings(facts["children"]))
        mainSpaces = Set(RoomFacts.strings(facts["mainSpaces"]))
        creators = Set(RoomFacts.strings(facts["creators"]))
        callers = facts["callers"].map { Set(RoomFacts.strings($0)) }
        isEncrypted = facts["encrypted"]?.isTrue == true
        facts["names"]?.forEachField { person, name in
            if let name = name.string { names[person.string] = name }
            return true
        }
    }

    private static func strings(_ value: JSONValue?) -> [String] { value?.elements.compactMap(\.string) ?? [] }
}
