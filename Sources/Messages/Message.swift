/// A message as it is shown: every later edit, deletion and reaction is already folded in.
package struct Message: Identifiable, Hashable, Sendable {
    package let id: MessageID
    package let at: Timestamp
    /// Nil for what nobody said (a system line).
    package let sender: Person?
    package let kind: Kind
    /// Empty when deleted.
    package var text: String
    package var quote: Quote?
    /// The root of the thread that this message is a reply in.
    package let thread: MessageID?
    /// A thread reply that is shown in the main timeline too.
    package let isBroadcast: Bool
    package var attachments: [Attachment]
    package var isEdited: Bool
    package var isDeleted: Bool
    /// In the order in which each emoji was first used.
    package var reactions: [Reaction]
    /// How many replies the thread under this message has.
    package var replyCount: Int
    /// When the last of them in the order of the log was sent; nil without any.
    package var lastReply: Timestamp?
    /// The message's own place, for pages before and after it.
    package let cursor: Cursor

    /// Whether it stands in the main timeline.
    package var isMain: Bool { thread == nil || isBroadcast }

    /// Bytes that it takes in memory, nearly: pages and windows are bounded by these as well as by their messages.
    package var weight: Int { Message.weight(text: text, attachments: attachments) }

    package static func weight(text: String, attachments: [Attachment]) -> Int {
        attachments.reduce(text.utf8.count + 256) { $0 + $1.name.utf8.count + ($1.path?.utf8.count ?? 0) + 64 }
    }

    package enum Kind: Hashable, Sendable {
        case text
        /// `* ana waves`
        case action
        /// Joins, changes of topic.
        case system
    }

    package init(
        id: MessageID, at: Timestamp, sender: Person?, kind: Kind = .text, text: String, quote: Quote? = nil,
        thread: MessageID? = nil, isBroadcast: Bool = false, attachments: [Attachment] = [], isEdited: Bool = false,
        isDeleted: Bool = false, reactions: [Reaction] = [], replyCount: Int = 0, lastReply: Timestamp? = nil,
        cursor: Cursor
    ) {
        self.id = id
        self.at = at
        self.sender = sender
        self.kind = kind
        self.text = text
        self.quote = quote
        self.thread = thread
        self.isBroadcast = isBroadcast
        self.attachments = attachments
        self.isEdited = isEdited
        self.isDeleted = isDeleted
        self.reactions = reactions
        self.replyCount = replyCount
        self.lastReply = lastReply
        self.cursor = cursor
    }
}

/// Who wrote. `name` is what people read; it may be the ID when the store knows no name.
package struct Person: Identifiable, Hashable, Sendable {
    package let id: PersonID
    package let name: String

    package init(id: PersonID, name: String) {
        self.id = id
        self.name = name
    }
}

/// What a reply answers to. Its row is always there; its content may come later.
package struct Quote: Hashable, Sendable {
    package let id: MessageID
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// Not looked up yet.
        case pending
        /// The conversation holds no such message.
        case missing
        case deleted
        case message(sender: Person?, text: String)
    }

    /// Unicode scalars of a text that are quoted: a whole chapter that somebody answers to need not be carried with every answer.
    package static let longestText = 1_000

    package init(id: MessageID, content: Content) {
        self.id = id
        self.content = content
    }

    /// What an answer to a message says of it.
    package init(of message: Message) {
        id = message.id
        content =
            message.isDeleted
            ? .deleted : .message(sender: message.sender, text: message.text.beginning(Quote.longestText))
    }
}

package struct Attachment: Hashable, Sendable {
    package let name: String
    package let path: String?
    /// Bytes, when known.
    package let size: Int64?

    package init(name: String, path: String?, size: Int64?) {
        self.name = name
        self.path = path
        self.size = size
    }
}

/// One emoji under a message and who put it there, in order.
package struct Reaction: Hashable, Sendable {
    package let emoji: String
    /// Of many, only some: the first ones, and the reader.
    package let people: [Person]
    /// How many there are.
    package let count: Int

    /// - Parameter count: nil when all people are named.
    package init(emoji: String, people: [Person], count: Int? = nil) {
        self.emoji = emoji
        self.people = people
        self.count = count ?? people.count
    }
}
