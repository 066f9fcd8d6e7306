package import JSON

/// The content of a conversation.json, as kedge-archive(5) explains it.
package struct ConversationFile: Sendable {
    package let id: String
    package let title: String?
    package let topic: String?
    /// The IDs of people.
    package var members: [String] = []
    /// The ID of the event up to which the user has read.
    package var readUpTo: String?
    /// The ID of the conversation that this one replaces.
    package var predecessor: String?
    /// The ID of the conversation that replaces this one.
    package var successor: String?
    /// The address to which people have moved.
    package var movedTo: String?
    /// The number of members; nil if it is not known.
    package var memberCount: Int64?
    /// True if the user may call everybody in the conversation.
    package var callsAll = false
    /// True if nothing in it can be read or written.
    package var isClosed = false
    /// True if the user has left the conversation.
    package var hasLeft = false
    /// Other names of the conversation in links.
    package var aliases: [String] = []
    package var link: String?
    /// The people who have another name here.
    package var names: [PersonEntry] = []
    /// An object that only the network's helper reads.
    package var matrix: JSONText?

    package init(id: String, title: String?, topic: String?) { (self.id, self.title, self.topic) = (id, title, topic) }

    /// The name of the field `isClosed`.
    package static let closed = "endToEnd"

    package var json: JSONText {
        [
            "id": JSONText(id), "title": JSONText(ifAny: title), "topic": JSONText(ifAny: topic),
            "readUpTo": JSONText(ifAny: readUpTo), "predecessor": JSONText(ifAny: predecessor),
            "successor": JSONText(ifAny: successor), "movedTo": JSONText(ifAny: movedTo),
            "memberCount": memberCount.map { JSONText($0) }, "callsAll": callsAll ? true : nil,
            ConversationFile.closed: isClosed ? true : nil, "left": hasLeft ? true : nil,
            "aliases": JSONText(ifAny: aliases), "link": JSONText(ifAny: link), "members": JSONText(ifAny: members),
            "names": names.isEmpty ? nil : JSONText(names.map(\.json)), "matrix": matrix,
        ]
    }
}

/// Reads conversation.json files. Use one reader for many files, since its tables take megabytes.
package struct ConversationFileReader: ~Copyable {
    private let fields: JSONReader
    private let isWhole: Bool

    /// - Parameter isWhole: true to read `aliases` and `matrix`, too.
    package init(isWhole: Bool = false) {
        self.isWhole = isWhole
        fields = JSONReader(
            names: "id title topic members readUpTo predecessor successor movedTo memberCount callsAll "
                + ConversationFile.closed + " left link names" + (isWhole ? " aliases matrix" : ""))
    }

    /// - Parameter readable: as for `JSONReader`.
    package func read(_ bytes: Bytes, readable: Int? = nil) throws(JSONReader.Failure) -> ConversationFile {
        let values = try fields.object(bytes, readable: readable)
        var file = ConversationFile(id: values.text(0) ?? "", title: values.text(1), topic: values.text(2))
        (file.readUpTo, file.predecessor, file.successor) = (values.text(4), values.text(5), values.text(6))
        (file.movedTo, file.memberCount, file.link) = (values.text(7), values.integer(8), values.text(12))
        (file.callsAll, file.isClosed) = (values.kind(9) == .yes, values.kind(10) == .yes)
        file.hasLeft = values.kind(11) == .yes
        if values.kind(13) == .array {
            try? PersonEntry.forEach(in: values.bytes(13)) { person in
                if let name = person.name, !name.isEmpty {
                    file.names.append(PersonEntry(id: person.id.string, name: name.string))
                }
                return true
            }
        }
        if isWhole {
            if values.kind(15) == .object { file.matrix = JSONText(json: values.bytes(15).string) }
            if values.kind(14) == .array { file.aliases = try JSONReader(names: "").strings(values.bytes(14)) }
        }
        // Last, because reading a list with the same parser invalidates the values of the fields.
        if values.kind(3) == .array { file.members = try fields.strings(values.bytes(3)).filter { !$0.isEmpty } }
        return file
    }
}
