package struct Conversation: Identifiable, Hashable, Sendable {
    /// Lists hold and copy a hundred thousand conversations.
    private var shared: Shared<Fields>

    private struct Fields: Hashable, Sendable {
        let id: ConversationID
        let title: String
        let topic: String?
        var members: [Person]
        let address: String?
        let readUpTo: MessageID?
        var space: Space?
        let predecessor: ConversationID?
        let successor: Successor?
        let hasLeft: Bool
        let memberCount: Int?
        let callsAll: Bool
        let isEncrypted: Bool
    }

    package var id: ConversationID { shared.value.id }
    /// The title that people see; the ID when it has no title.
    package var title: String { shared.value.title }
    package var topic: String? { shared.value.topic }
    /// The members, as far as the store knows them.
    package var members: [Person] {
        get { shared.value.members }
        set { change { $0.members = newValue } }
    }
    /// The address of the conversation in links of its service: `https://matrix.to/#/!room:example.org`. Nil for an archive of
    /// Kedge's own.
    package var address: String? { shared.value.address }
    /// The message up to which its server says that the user has read; nil where none says so.
    package var readUpTo: MessageID? { shared.value.readUpTo }
    /// The space in which it is shown; nil for one outside of all spaces.
    package var space: Space? {
        get { shared.value.space }
        set { change { $0.space = newValue } }
    }
    /// The conversation from which its people have come, if it is here.
    package var predecessor: ConversationID? { shared.value.predecessor }
    /// The conversation to which its people have moved.
    package var successor: Successor? { shared.value.successor }
    /// Whether the user has left its room on the server, or was removed from it.
    package var hasLeft: Bool { shared.value.hasLeft }
    /// How many people are in it, as its server says; nil if that is not known. Fewer of them may be known as `members`.
    package var memberCount: Int? { shared.value.memberCount }
    /// Whether a message may call everybody in it by `@room`.
    package var callsAll: Bool { shared.value.callsAll }
    /// Whether its messages are encrypted, so that none can be read or written here.
    package var isEncrypted: Bool { shared.value.isEncrypted }

    package init(
        id: ConversationID, title: String, topic: String?, members: [Person] = [], address: String? = nil,
        readUpTo: MessageID? = nil, space: Space? = nil, predecessor: ConversationID? = nil,
        successor: Successor? = nil, hasLeft: Bool = false, memberCount: Int? = nil, callsAll: Bool = false,
        isEncrypted: Bool = false
    ) {
        shared = Shared(
            Fields(
                id: id, title: title, topic: topic, members: members, address: address, readUpTo: readUpTo,
                space: space, predecessor: predecessor, successor: successor, hasLeft: hasLeft,
                memberCount: memberCount, callsAll: callsAll, isEncrypted: isEncrypted))
    }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = shared.value
        change(&fields)
        shared = Shared(fields)
    }
}

/// A large value that its copies share.
private final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: Shared, b: Shared) -> Bool { a === b || a.value == b.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
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
    package var newest: Message? { shared?.value }
    private let shared: Shared<Message>?
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
        shared = newest.map { Shared($0) }
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
