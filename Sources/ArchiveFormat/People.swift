package import JSON

/// A person in people.json, or one in a conversation.json who has another name there.
///
///     {"id":"@ana:e.org","name":"Ana"}
///     {"id":"@ben:e.org","name":"Ben (@ben:e.org)","plain":"Ben"}      another Ben is in a room with this one
///     {"id":"@cy:e.org","name":"Cy","names":["Captain"]}               has another name in a room, which is found as well
package struct PersonEntry: Hashable, Sendable {
    package let id: String
    package let name: String
    /// The name without the part that tells namesakes apart; nil if it is the same as `name`.
    package let plain: String?
    package let names: [String]

    package init(id: String, name: String, plain: String? = nil, names: [String] = []) {
        (self.id, self.name, self.plain, self.names) = (id, name, plain, names)
    }

    package var json: JSONText {
        [
            "id": JSONText(id), "name": JSONText(name), "plain": JSONText(ifAny: plain),
            "names": JSONText(ifAny: names),
        ]
    }

    /// The content of people.json.
    package static func file(_ people: [PersonEntry]) -> String { JSONText.lines(people.map(\.json)) }

    /// An entry while it is read, valid until the next one. Not copied, since there may be a hundred thousand.
    package struct Fields {
        private let fields: JSONFields

        fileprivate init(_ fields: JSONFields) { self.fields = fields }

        package var id: Bytes { fields.bytes(0) }
        package var name: Bytes? { fields.kind(1) == .string ? fields.bytes(1) : nil }
        package var plain: String? { fields.text(2) }

        /// - Parameter reader: another reader, since making one for each person takes long.
        package func names(by reader: borrowing JSONReader) -> [String] {
            guard fields.kind(3) == .array else { return [] }
            return ((try? reader.strings(fields.bytes(3))) ?? []).filter { !$0.isEmpty }
        }
    }

    /// Calls `body` with each entry that has an ID, until it returns false.
    /// - Parameter readable: as for `JSONReader`.
    package static func forEach(
        in file: Bytes, readable: Int? = nil, _ body: (Fields) -> Bool
    ) throws(JSONReader.Failure) {
        try JSONReader(names: "id name plain names").array(file, readable: readable) { fields in
            fields.kind(0) != .string || body(Fields(fields))
        }
    }
}
