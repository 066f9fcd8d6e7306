package import Formats

/// The file conversation.json of a room.
extension RoomFacts {
    /// The aliases are the names by which links know the room.
    /// - Parameters:
    ///   - person: the name of a person where no other is known.
    ///   - known: the conversation of a room; nil for a room that is not here.
    ///   - me: the ID of this account.
    ///   - isReadable: whether messages of encrypted rooms can be read and sent.
    package func file(
        conversation id: String, person: (String) -> String, known: (String) -> String? = { _ in nil },
        me: String = "", isReadable: Bool = false
    ) -> [UInt8] {
        var text = "\"id\":\(JSONString.text(id)),\"title\":\(JSONString.text(title(person)))"
        func add(_ key: String, _ value: String?) {
            if let value { text += ",\"\(key)\":\(JSONString.text(value))" }
        }
        add("topic", topic)
        add("readUpTo", fullyRead)
        add("predecessor", predecessor.flatMap(known))
        add("successor", replacement.flatMap(known))
        add("movedTo", replacement.map { RoomAddress(room: $0, via: replacementServer.map { [$0] } ?? []).link })
        if let memberCount { text += ",\"memberCount\":\(memberCount)" }
        if mayCallRoom(me) { text += ",\"callsAll\":true" }
        if isEncrypted, !isReadable { text += ",\"\(RoomFacts.closed)\":true" }
        if hasLeft { text += ",\"left\":true" }
        text += ",\"aliases\":\(RoomFacts.list([room] + (alias.map { [$0] } ?? [])))"
        text += ",\"link\":\(JSONString.text(RoomAddress.site + room)),\"members\":\(RoomFacts.list(members.sorted()))"
        let names = shownNames(person).map { "{\"id\":\(JSONString.text($0.id)),\"name\":\(JSONString.text($0.name))}" }
        if !names.isEmpty { text += ",\"names\":[\(names.joined(separator: ","))]" }
        return Array("{\(text),\"matrix\":\(matrix)}\n".utf8)
    }

    /// The field of a room in which nothing can be read or written.
    package static let closed = "endToEnd"

    /// Nil if the file is not that of a room.
    package init?(file bytes: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let facts = tree.parse(bytes).flatMap({ RoomFacts(file: $0) }) else { return nil }
        self = facts
    }

    /// What can still be read in the damaged file of a room: the room and its title. Nil without a room.
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

    /// Nil if the value is not what the file of a room holds.
    package init?(file value: JSONValue) {
        guard let facts = value["matrix"].flatMap({ RoomFacts(matrix: $0) }) else { return nil }
        self = facts
        topic = value["topic"]?.string
        members = Set(RoomFacts.strings(value["members"]))
        memberCount = value["memberCount"]?.integer.map { Int(clamping: $0) }
        // Earlier versions have written these two among the facts.
        fullyRead = (value["readUpTo"] ?? value["matrix"]?["fullyRead"])?.string
        hasLeft = (value["left"] ?? value["matrix"]?["left"])?.isTrue == true
    }

    /// The facts that no field of the native format has, as an object of JSON.
    package var matrix: String {
        var text = "\"room\":\(JSONString.text(room))"
        func add(_ key: String, _ value: String?) {
            if let value { text += ",\"\(key)\":\(JSONString.text(value))" }
        }
        func add(_ key: String, _ values: [String]) {
            if !values.isEmpty { text += ",\"\(key)\":\(RoomFacts.list(values))" }
        }
        add("name", name)
        add("alias", alias)
        add("type", type)
        add("replacement", replacement)
        add("replacementServer", replacementServer)
        add("predecessor", predecessor)
        add("heroes", heroes)
        add("children", children.sorted())
        add("mainSpaces", mainSpaces.sorted())
        add("creators", creators.sorted())
        if let callers { text += ",\"callers\":\(RoomFacts.list(callers.sorted()))" }
        if isEncrypted { text += ",\"encrypted\":true" }
        if !names.isEmpty {
            let list = names.sorted { $0.key < $1.key }.map { "\(JSONString.text($0)):\(JSONString.text($1))" }
            text += ",\"names\":{\(list.joined(separator: ","))}"
        }
        return "{\(text)}"
    }

    /// - Parameter facts: what `matrix` gives; nil if it is anything else.
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

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map(JSONString.text).joined(separator: ",") + "]"
    }

    private static func strings(_ value: JSONValue?) -> [String] { value?.elements.compactMap(\.string) ?? [] }
}
