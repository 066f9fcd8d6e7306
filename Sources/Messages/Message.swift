// Messages have times, so a module that imports Messages gets the functions for times as well.
@_exported public import Dates

/// A message as it is shown: with every later edit, deletion and reaction applied.
package struct Message: Identifiable, Hashable, Sendable {
    package let id: MessageID
    package let at: Timestamp
    /// Nil for a system line without an author.
    package let sender: Person?
    package let kind: Kind
    /// Nil unless this is a system line about somebody's presence.
    package let presence: Presence?
    /// Empty for a deleted message.
    package var text: String
    /// The bytes of the text that are missing at its end, because a list holds only the beginning of a long text.
    package private(set) var omitted = 0
    package var quote: Quote?
    /// The root of the thread that contains this reply; nil outside of threads.
    package let thread: MessageID?
    /// True if this thread reply is shown in the main timeline too.
    package let isBroadcast: Bool
    package var attachments: [Attachment]
    package var isEdited: Bool
    package var isDeleted: Bool
    /// In the order in which each emoji was first used.
    package var reactions: [Reaction]
    /// The number of replies in the thread under this message.
    package var replyCount: Int
    /// The time of the last reply in the log; nil without replies.
    package var lastReply: Timestamp?
    /// The ID of the post from which this message was made; nil for other messages.
    package let transaction: MessageID?
    /// The place of this message, for pages before and after it.
    package let cursor: Cursor

    /// True if it is in the main timeline.
    package var isMain: Bool { thread == nil || isBroadcast }

    /// Its approximate size in memory, in bytes. Pages and windows are limited by size as well as by number.
    package var weight: Int {
        let names = id.rawValue.utf8.count + (sender.map { $0.id.rawValue.utf8.count + $0.name.utf8.count } ?? 0)
        return Message.weight(text: text, attachments: attachments, names: names)
    }

    /// - Parameter names: the size of its IDs and of the names of its people.
    package static func weight(text: String, attachments: [Attachment], names: Int) -> Int {
        attachments.reduce(text.utf8.count + max(256, names)) {
            $0 + $1.name.utf8.count + ($1.path?.utf8.count ?? 0) + 64
        }
    }

    /// A list holds a text of more bytes than these only while it shows or uses the whole text.
    package static let longText = 64 << 10

    /// The same message; of a long text only the beginning.
    package var shortened: Message {
        var message = self
        message.text = text.beginning(Message.longText)
        message.omitted += text.utf8.count - message.text.utf8.count
        return message
    }

    package enum Kind: Hashable, Sendable {
        case text
        /// `* ana waves`
        case action
        /// Joins and changes of topic.
        case system
    }

    package init(
        id: MessageID, at: Timestamp, sender: Person?, kind: Kind = .text, presence: Presence? = nil, text: String,
        quote: Quote? = nil, thread: MessageID? = nil, isBroadcast: Bool = false, attachments: [Attachment] = [],
        isEdited: Bool = false,
        isDeleted: Bool = false, reactions: [Reaction] = [], replyCount: Int = 0, lastReply: Timestamp? = nil,
        transaction: MessageID? = nil, cursor: Cursor
    ) {
        self.id = id
        self.at = at
        self.sender = sender
        self.kind = kind
        self.presence = presence
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
        self.transaction = transaction
        self.cursor = cursor
    }
}

extension Message {
    /// True if the text begins with the sender's name: `Ana joined the group`, `@ana set the topic`.
    package var textBeginsWithSender: Bool {
        guard let name = sender?.name else { return false }
        let text = text.first == "@" ? text.dropFirst() : text[...]
        return text.hasPrefix(name) && text.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}

/// A person who writes. `name` is the name to show: the ID if the store knows no name.
package struct Person: Identifiable, Hashable, Sendable {
    package let id: PersonID
    package let name: String

    package init(id: PersonID, name: String) {
        self.id = id
        self.name = name
    }
}

/// The message that a reply refers to. The row is always shown; the content may come later.
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

    /// The longest quoted text, in Unicode scalars: when people reply to a whole chapter, the reply does not contain all of it.
    package static let longestText = 1_000

    package init(id: MessageID, content: Content) {
        self.id = id
        self.content = content
    }

    /// The quote in a reply to a message.
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
    /// In bytes; nil when it is not known.
    package let size: Int64?

    package init(name: String, path: String?, size: Int64?) {
        self.name = name
        self.path = path
        self.size = size
    }
}

/// A reaction: an emoji, and the people who chose it, in order.
package struct Reaction: Hashable, Sendable {
    package let emoji: String
    /// The people. If there are many, only the first ones and the reader.
    package let people: [Person]
    /// The number of people.
    package let count: Int

    /// - Parameter count: nil when `people` holds all of them.
    package init(emoji: String, people: [Person], count: Int? = nil) {
        self.emoji = emoji
        self.people = people
        self.count = count ?? people.count
    }

    /// The emoji without variation selectors, which only some clients write, so that ❤ and ❤️ count as one.
    package static func key(_ emoji: String) -> String {
        // Both selectors begin with this byte.
        guard emoji.utf8.contains(0xEF) else { return emoji }
        let key = String(
            String.UnicodeScalarView(emoji.unicodeScalars.filter { !(0xFE0E...0xFE0F).contains($0.value) }))
        return key.isEmpty ? emoji : key
    }
}

/// A file that is attached to a message.
package struct MessageFile: Hashable, Sendable {
    package let attachment: Attachment
    package let message: MessageID
    package let conversation: ConversationID

    package init(_ attachment: Attachment, of message: MessageID, in conversation: ConversationID) {
        (self.attachment, self.message, self.conversation) = (attachment, message, conversation)
    }
}

/// A text of a message from some time on. Its author is the author of the message: nobody else can edit it.
package struct MessageVersion: Hashable, Sendable {
    package let at: Timestamp
    package let text: String
    /// True for the first text; always false if the store contains only later texts.
    package let isFirst: Bool

    package init(at: Timestamp, text: String, isFirst: Bool) {
        (self.at, self.text, self.isFirst) = (at, text, isFirst)
    }
}
