import Messages

/// A message in the JSON of `kedge show`, and of messages that are written to a file.
struct ShownMessage: Encodable {
    struct Reaction: Encodable {
        let emoji: String
        let count: Int
        let people: [String]
    }

    struct Attachment: Encodable {
        let name: String
        let path: Nullable<String>
        let bytes: Nullable<Int64>
    }

    private enum CodingKeys: CodingKey { case replyTo, thread, edited, deleted, reactions, attachments }

    let message: MessageRecord
    let replyTo: Nullable<String>
    let thread: Nullable<String>
    let edited: Bool
    let deleted: Bool
    let reactions: [Reaction]
    let attachments: [Attachment]

    init(_ message: Message, in conversation: ConversationID) {
        self.message = MessageRecord(
            message.id, in: conversation, at: message.at, sender: message.sender, text: message.text)
        replyTo = Nullable(message.quote?.id.rawValue)
        thread = Nullable(message.thread?.rawValue)
        edited = message.isEdited
        deleted = message.isDeleted
        reactions = message.reactions.map {
            Reaction(emoji: $0.emoji, count: $0.count, people: $0.people.map(\.id.rawValue))
        }
        attachments = message.attachments.map {
            Attachment(name: $0.name, path: Nullable($0.path), bytes: Nullable($0.size))
        }
    }

    /// One object: the fields of every command, and those of this one.
    func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(replyTo, forKey: .replyTo)
        try container.encode(thread, forKey: .thread)
        try container.encode(edited, forKey: .edited)
        try container.encode(deleted, forKey: .deleted)
        try container.encode(reactions, forKey: .reactions)
        try container.encode(attachments, forKey: .attachments)
    }
}
