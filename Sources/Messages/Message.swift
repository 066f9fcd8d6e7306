@_exported public import Dates

/// A message as it is shown: with every later edit, deletion and reaction applied.
package struct Message: Identifiable, Hashable, Sendable {
    package let id: MessageID
    package let at: Timestamp
    /// Nil for a system line, which nobody wrote.
    package let sender: Person?
    package let kind: Kind
    /// Nil for any line but a system line about somebody's presence.
    package let presence: Presence?
    /// Empty for a deleted message.
    package var text: String
    package var quote: Quote?
    /// The root of the thread in which this message is a reply.
    package let thread: MessageID?
    /// Whether this thread reply is shown in the main timeline too.
    package let isBroadcast: Bool
    package var attachments: [Attachment]
    package var isEdited: Bool
    package var isDeleted: Bool
    /// In the order in which each emoji was first used.
    package var reactions: [Reaction]
    /// The number of replies in the thread under this message.
    package var replyCount: Int
    /// The time of the last reply, in the order of the log; nil without replies.
    package var lastReply: Timestamp?
    /// The ID of the post that it is the echo of; nil if it is none.
    package let transaction: MessageID?
    /// The place of this message, for pages before and after it.
    package let cursor: Cursor

    /// Whether it is in the main timeline.
    package var isMain: Bool { thread == nil || isBroadcast }

    /// Its approximate size in memory, in bytes. Pages and windows are limited by size as well as by number.
    package var weight: Int {
        let names = id.rawValue.utf8.count + (sender.map { $0.id.rawValue.utf8.count + $0.name.utf8.count } ?? 0)
        return Message.weight(text: text, attachments: attachments, names: names)
    }

    /// - Parameter names: the bytes of its IDs and of the names of its people.
    package static func weight(text: String, attachments: [Attachment], names: Int) -> Int {
        attachments.reduce(text.utf8.count + max(256, names)) {
            $0 + $1.name.utf8.count + ($1.path?.utf8.count ?? 0) + 64
        }
    }

    package enum Kind: Hashable, Sendable {
        case text
        /// `* ana waves`
        case action
        /// Joins, changes of topic.
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
    /// Whether the text names its sender: `Ana joined the group`, `@ana set the topic`.
    package var textBeginsWithSender: Bool {
        guard let name = sender?.name else { return false }
        let text = text.first == "@" ? text.dropFirst() : text[...]
        return text.hasPrefix(name) && text.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}

/// A person who writes. `name` is the name to show; it is the ID when the store knows no name.
package struct Person: Identifiable, Hashable, Sendable {
    package let id: PersonID
    package let name: String

    package init(id: PersonID, name: String) {
        self.id = id
        self.name = name
    }
}

/// The message that a reply refers to. Its row is always there; its content may come later.
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

    /// The longest quoted text, in Unicode scalars: when people reply to a whole chapter, not every reply has to carry
    /// it.
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

/// An emoji under a message, and the people who put it there, in order.
package struct Reaction: Hashable, Sendable {
    package let emoji: String
    /// Of many people, only the first ones and the reader.
    package let people: [Person]
    /// The number of people.
    package let count: Int

    /// - Parameter count: nil when `people` holds all of them.
    package init(emoji: String, people: [Person], count: Int? = nil) {
        self.emoji = emoji
        self.people = people
        self.count = count ?? people.count
    }

    /// The emoji without variation selectors, which some clients write and others leave out: by this, ❤ and ❤️ are one.
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

/// A text that a message had from some moment on. Its author is that of the message: nobody else can edit it.
package struct MessageVersion: Hashable, Sendable {
    package let at: Timestamp
    package let text: String
    /// Whether it is the text as it was first written. When the store holds only later texts, none is.
    package let isFirst: Bool

    package init(at: Timestamp, text: String, isFirst: Bool) {
        (self.at, self.text, self.isFirst) = (at, text, isFirst)
    }
}

/// An ID that is only compared, never parsed. Two IDs are equal when their bytes are: strings compare the two spellings
/// of "é" as equal, but they name two messages.
package struct OpaqueID<Kind>: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static func == (a: OpaqueID, b: OpaqueID) -> Bool { a.rawValue.utf8.elementsEqual(b.rawValue.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Names a message within its conversation.
package typealias MessageID = OpaqueID<Message>

/// Names a conversation within its store. Holds no "/", so that a link can be split at the first one.
package typealias ConversationID = OpaqueID<Conversation>

/// Names a person within a store.
package typealias PersonID = OpaqueID<Person>

/// Names a gap within its conversation, as it is seen from one of its sides.
package typealias GapID = OpaqueID<Gap>

/// CONVERSATION or CONVERSATION/MESSAGE-ID, as people paste it.
package struct Link: Hashable, Sendable, CustomStringConvertible {
    package let conversation: ConversationID
    package let message: MessageID?

    package init(conversation: ConversationID, message: MessageID?) {
        self.conversation = conversation
        self.message = message
    }

    /// Splits at the first "/": the ID of a conversation holds none, the ID of a message may.
    package init(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        conversation = ConversationID(String(parts[0]))
        message = parts.count > 1 && !parts[1].isEmpty ? MessageID(String(parts[1])) : nil
    }

    package var description: String {
        message.map { "\(conversation)/\($0)" } ?? conversation.rawValue
    }
}

/// Unique IDs that sort by the time at which they were made: 48 bits of milliseconds and 80 random bits, as 26
/// characters (https://github.com/ulid/spec).
package enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A time before 1970 or after the year 10889 counts as the nearest time that has an ID.
    package static func make(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(min(max(0, time.milliseconds), (1 << 48) - 1))
        var digits = stride(from: 45, through: 0, by: -5).map { milliseconds >> UInt64($0) & 31 }
        for _ in 0..<16 { digits.append(generator.next(upperBound: UInt64(32))) }
        return String(decoding: digits.map { alphabet[Int($0)] }, as: UTF8.self)
    }
}

// Messages have times, so a room that imports Messages gets the functions for times as well.
