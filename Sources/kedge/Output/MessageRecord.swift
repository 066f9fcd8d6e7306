import Messages

/// The fields of a message in the JSON of every command.
struct MessageRecord: Encodable {
    let link: String
    let conversation: String
    let id: String
    let at: String
    let from: Nullable<String>
    let name: Nullable<String>
    let text: String

    init(_ id: MessageID, in conversation: ConversationID, at: Timestamp, sender: Person?, text: String) {
        link = Link(conversation: conversation, message: id).description
        self.conversation = conversation.rawValue
        self.id = id.rawValue
        self.at = at.iso8601
        from = Nullable(sender?.id.rawValue)
        name = Nullable(sender?.name)
        self.text = text
    }

    init(_ hit: Hit) {
        self.init(hit.message, in: hit.conversation, at: hit.at, sender: hit.sender, text: hit.text)
    }
}

/// A field of a JSON record that is always present: null stands for no value.
struct Nullable<Value: Encodable>: Encodable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
