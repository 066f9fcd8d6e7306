internal import Formats

/// The file conversation.json of a room.
extension RoomFacts {
    /// Links of Matrix begin so (Matrix specification, appendices, "matrix.to navigation").
    private static let site = "https://matrix.to/#/"

    /// The aliases are the names by which links know the room.
    /// - Parameter person: the name of a person.
    package func file(conversation id: String, person: (String) -> String) -> [UInt8] {
        var room = "\"room\":\(JSONString.text(room))"
        func add(_ key: String, _ text: String?) {
            if let text { room += ",\"\(key)\":\(JSONString.text(text))" }
        }
        add("name", name)
        add("alias", alias)
        add("type", type)
        add("replacement", replacement)
        if !heroes.isEmpty { room += ",\"heroes\":\(RoomFacts.list(heroes))" }
        if isEncrypted { room += ",\"encrypted\":true" }
        if hasLeft { room += ",\"left\":true" }
        let topic = topic.map { ",\"topic\":\(JSONString.text($0))" } ?? ""
        let readUpTo = fullyRead.map { ",\"readUpTo\":\(JSONString.text($0))" } ?? ""
        let text =
            "{\"id\":\(JSONString.text(id)),\"title\":\(JSONString.text(title(person)))\(topic)\(readUpTo),"
            + "\"aliases\":\(RoomFacts.list([self.room] + (alias.map { [$0] } ?? []))),"
            + "\"link\":\(JSONString.text(RoomFacts.site + self.room)),\"members\":\(RoomFacts.list(members.sorted())),\"matrix\":{\(room)}}\n"
        return Array(text.utf8)
    }

    /// Nil if the file is not that of a room.
    package init?(file bytes: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(bytes), let facts = value["matrix"], let room = facts["room"]?.string else {
            return nil
        }
        self.init(room: room)
        restore(
            name: facts["name"]?.string, alias: facts["alias"]?.string, topic: value["topic"]?.string,
            type: facts["type"]?.string, replacement: facts["replacement"]?.string,
            heroes: RoomFacts.strings(facts["heroes"]), members: RoomFacts.strings(value["members"]),
            isEncrypted: facts["encrypted"]?.isTrue == true)
        hasLeft = facts["left"]?.isTrue == true
        // Earlier versions have written it among the facts.
        fullyRead = (value["readUpTo"] ?? facts["fullyRead"])?.string
    }

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map(JSONString.text).joined(separator: ",") + "]"
    }

    private static func strings(_ value: JSONValue?) -> [String] { value?.elements.compactMap(\.string) ?? [] }
}
