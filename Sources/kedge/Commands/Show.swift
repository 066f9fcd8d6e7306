import ArgumentParser
import Display
import Interface
import Messages

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a message and its neighbours.",
        discussion: """
            One message a line, separated by tabs: link, time, sender, text. On a terminal texts keep their lines.
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(help: ArgumentHelp("The message.", valueName: "conversation/message-id"))
    var link: String

    @Option(help: ArgumentHelp("Messages to print before and after it.", valueName: "n"))
    var context = 3

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var raw: RawOption

    func validate() throws {
        guard (0...1_000_000).contains(context) else { throw ValidationError("--context takes 0 to 1000000") }
    }

    func run() throws {
        var options = self.options
        let wanted = try options.resolve(self.link)
        guard let id = wanted.message else {
            throw Failure(.usage, "\"\(self.link.shortened)\" names no message; write CONVERSATION/MESSAGE-ID")
        }
        try raw.check()
        let opened = try options.opened(first: wanted)
        let (store, conversation) = (opened.store, opened.resolved(wanted).conversation)
        let messages = try waiting { [context] () async throws(StoreError) in
            try await Show.messages(around: id, in: conversation, of: store, context: context)
        }
        if json {
            try Output.print([JSONText.encode(messages.map { Record($0, in: conversation) })])
        } else if Output.isTerminal {
            try Output.print(Show.printed(messages, in: conversation, target: id))
        } else {
            try Table(messages.map { Show.row($0, in: conversation, isTarget: $0.id == id) }).print(isRaw: raw.isOn)
        }
        try warn(of: store)
    }

    /// The message among its neighbours in the main timeline. A reply in a thread stands after the root of the thread.
    private static func messages(
        around id: MessageID, in conversation: ConversationID, of store: any ConversationListing & MessageReading,
        context: Int
    ) async throws(StoreError) -> [Message] {
        _ = try await store.conversation(conversation)
        guard context > 0 else { return [try await store.message(id, in: conversation)] }
        let limit = 2 * context + 1
        let page = try await store.page(
            PageRequest(conversation: conversation, position: .message(id), limit: limit))
        guard let index = page.messages.firstIndex(where: { $0.id == page.focus }) else {
            return [try await store.message(id, in: conversation)]
        }
        var slice = Array(page.messages[max(0, index - context)..<min(page.messages.count, index + context + 1)])
        // The page has all other messages already. To read one again may be slow: it may have a million reactions.
        if page.focus != id { slice.insert(try await store.message(id, in: conversation), at: min(index, context) + 1) }
        return slice
    }

    private static func row(_ message: Message, in conversation: ConversationID, isTarget: Bool) -> [Cell] {
        [
            Cell(Link(conversation: conversation, message: message.id).description, isTarget ? .target : .time),
            Cell(Zone.local.minute(message.at), .time), Cell(message.sender?.name ?? "", .name),
            Cell(message.isDeleted ? "message deleted" : message.text),
        ]
    }

    /// For people: the text stands beside time and sender where there is room, else below them. It is wrapped, but its blocks
    /// of code are not.
    private static func printed(
        _ messages: [Message], in conversation: ConversationID, target: MessageID
    ) -> [String] {
        var columns = Columns()
        let heads = columns.aligned(
            messages.map { row($0, in: conversation, isTarget: $0.id == target).dropLast() + [Cell("")] },
            hasColor: Output.allowsColor)
        let isBeside = Output.columns - columns.indent >= leastTextColumns
        let indent = isBeside ? columns.indent : textIndent
        return zip(messages, heads).flatMap { message, head in
            let rows = PrintedText.rows(of: message, columns: Output.columns - indent).map(\.string)
            let below = (isBeside ? rows.dropFirst() : rows[...]).map { CleanText.blanks(indent).string + $0 }
            return [isBeside ? head + (rows.first ?? "") : head.withoutBlanksAtEnd] + below
        }
    }

    /// Where there are fewer columns than these for texts, they stand below time and sender.
    private static let leastTextColumns = 40
    private static let textIndent = 4

    private struct Record: Encodable {
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
}

extension String {
    fileprivate var withoutBlanksAtEnd: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}
