import JSON
import Messages

extension JSONText {
    /// An object with its fields in the order of their names.
    static func record(_ fields: [String: JSONText]) -> JSONText {
        JSONText(fields: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// null without a text: a field of a record is always present.
    init(orNull text: String?) { self = JSONText(ifAny: text) ?? .null }

    /// A message with the fields of every command.
    /// - Parameter more: the fields of one command.
    init(
        _ id: MessageID, in conversation: ConversationID, at: Timestamp, sender: Person?, text: String,
        more: [String: JSONText] = [:]
    ) {
        let link = Link(conversation: conversation, message: id)
        let fields = [
            "link": JSONText(link.description), "conversation": JSONText(conversation.rawValue),
            "id": JSONText(id.rawValue), "at": JSONText(at.iso8601), "from": JSONText(orNull: sender?.id.rawValue),
            "name": JSONText(orNull: sender?.name), "text": JSONText(text),
        ]
        self = .record(fields.merging(more) { $1 })
    }

    /// A message in the JSON of `kedge show`, and of messages written to a file.
    init(_ message: Message, in conversation: ConversationID) {
        self.init(
            message.id, in: conversation, at: message.at, sender: message.sender, text: message.text,
            more: [
                "replyTo": JSONText(orNull: message.quote?.id.rawValue),
                "thread": JSONText(orNull: message.thread?.rawValue), "edited": JSONText(message.isEdited),
                "deleted": JSONText(message.isDeleted),
                "reactions": JSONText(
                    message.reactions.map { reaction in
                        [
                            "count": JSONText(reaction.count), "emoji": JSONText(reaction.emoji),
                            "people": JSONText(reaction.people.map(\.id.rawValue)),
                        ]
                    }),
                "attachments": JSONText(
                    message.attachments.map { file in
                        [
                            "bytes": file.size.map { JSONText($0) } ?? .null, "name": JSONText(file.name),
                            "path": JSONText(orNull: file.path),
                        ]
                    }),
            ])
    }

    /// The elements of an array without its brackets, for an array that is written in pieces. Each character that could act on a
    /// terminal is escaped; a JSON parser reads the same text.
    static func elements(_ records: [JSONText]) -> String {
        JSONText(json: records.map(\.text).joined(separator: ",")).escaping { scalar in
            guard scalar.value >= 0x7F else { return false }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }.text
    }
}
