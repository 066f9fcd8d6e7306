import FoundationEssentials
import Interface
import Messages

/// Writes messages as for `kedge show`, also when a selection is copied or written to a file.
struct MessageWriter {
    private let format: MessageFormat
    private let zone: Zone

    init(_ format: MessageFormat, zone: Zone) { (self.format, self.zone) = (format, zone) }

    func text(of messages: [Message], in conversation: ConversationID) -> String {
        switch format {
        case .text: printed(messages, as: .text)
        case .markdown: printed(messages, as: .markdown)
        // A message cannot fail to be encoded: it has only texts and numbers.
        case .json: ((try? JSONText.encode(messages.map { ShownMessage($0, in: conversation) })) ?? "[]") + "\n"
        }
    }

    private func printed(_ messages: [Message], as format: ExportPrinter.Format) -> String {
        let printer = ExportPrinter(format: format, zone: zone)
        return messages.map(printer.text).joined()
    }
}

/// A message in the JSON of `kedge show`, and of messages written to a file.
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

    /// One object with the common fields, and those of this command.
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

enum JSONText {
    /// The elements of an array without its brackets, for an array that is written in pieces.
    static func elements(_ records: [some Encodable]) throws -> String {
        String(try encode(records).dropFirst().dropLast())
    }

    /// One array. Each character that could act on a terminal is escaped; a JSON parser reads the same text.
    static func encode(_ records: [some Encodable]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(records), as: UTF8.self)
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    text += "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                    text += String(unit, radix: 16)
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
