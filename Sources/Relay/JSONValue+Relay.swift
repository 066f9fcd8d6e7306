internal import Formats
internal import Messages

extension JSONValue {
    /// A number that counts something: not negative.
    func count(_ key: StaticString) -> Int? {
        self[key]?.integer.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
    }

    /// Nil for a text that is not the ID of a conversation, and could be a path.
    var conversation: ConversationID? {
        guard let id = self["conversation"]?.string, !id.isEmpty, !id.hasPrefix("."),
            !id.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { return nil }
        return ConversationID(id)
    }

    func message(_ key: StaticString) -> MessageID? {
        self[key]?.string.flatMap { $0.isEmpty ? nil : MessageID($0) }
    }
}
