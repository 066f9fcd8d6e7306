package struct Conversation: Identifiable, Hashable, Sendable {
    package let id: ConversationID
    /// The title that people see; the ID when it has no title.
    package let title: String
    package let topic: String?
    /// The members, as far as the store knows them.
    package var members: [Person]
    /// The address of the conversation in links of its service: `https://matrix.to/#/!room:example.org`. Nil for an archive of
    /// Kedge's own.
    package let address: String?
    /// The message up to which its server says that the user has read; nil where none says so.
    package let readUpTo: MessageID?
    /// The space in which it is shown; nil for one outside of all spaces.
    package var space: Space?
    /// The conversation from which its people have come, if it is here.
    package let predecessor: ConversationID?
    /// The conversation to which its people have moved.
    package let successor: Successor?
    /// Whether the user has left its room on the server, or was removed from it.
    package let hasLeft: Bool
    /// How many people are in it, as its server says; nil if that is not known. Fewer of them may be known as `members`.
    package let memberCount: Int?
    /// Whether a message may call everybody in it by `@room`.
    package let callsAll: Bool
    /// Whether its messages are encrypted, so that none can be read or written here.
    package let isEncrypted: Bool

    package init(
        id: ConversationID, title: String, topic: String?, members: [Person] = [], address: String? = nil,
        readUpTo: MessageID? = nil, space: Space? = nil, predecessor: ConversationID? = nil,
        successor: Successor? = nil, hasLeft: Bool = false, memberCount: Int? = nil, callsAll: Bool = false,
        isEncrypted: Bool = false
    ) {
        self.id = id
        self.title = title
        self.topic = topic
        self.members = members
        self.address = address
        self.readUpTo = readUpTo
        self.space = space
        self.predecessor = predecessor
        self.successor = successor
        self.hasLeft = hasLeft
        self.memberCount = memberCount
        self.callsAll = callsAll
        self.isEncrypted = isEncrypted
    }
}

/// The facts about a conversation that a list shows.
package struct ConversationSummary: Hashable, Sendable {
    package let conversation: Conversation
    /// All messages: text, action and system, thread replies and tombstones.
    package let count: Int
    /// How many of them are presence lines.
    package let presence: Int
    package let first: Timestamp?
    package let last: Timestamp?
    /// The last message of the main timeline: of a person, if there is one at its end.
    package let newest: Message?
    /// The time of the last message that a person wrote; nil if there is none, or when it is not known.
    package let spoken: Timestamp?
    package let unread: Unread

    package init(
        conversation: Conversation, count: Int, presence: Int = 0, first: Timestamp?, last: Timestamp?,
        newest: Message? = nil, spoken: Timestamp? = nil, unread: Unread = Unread()
    ) {
        self.conversation = conversation
        self.count = count
        self.presence = presence
        self.first = first
        self.last = last
        self.newest = newest
        self.spoken = spoken
        self.unread = unread
    }

    package func with(_ unread: Unread) -> ConversationSummary {
        ConversationSummary(
            conversation: conversation, count: count, presence: presence, first: first, last: last, newest: newest,
            spoken: spoken, unread: unread)
    }
}

extension Conversation {
    /// Whether the server has more members than are known here.
    package var lacksMembers: Bool { (memberCount ?? 0) > members.count }
}
