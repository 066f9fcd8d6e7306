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

/// An invitation to a conversation of a server. The person who invites says what stands in it.
package struct Invitation: Hashable, Sendable, Identifiable {
    /// By which it is accepted or declined: the ID of the room on its server.
    package let id: String
    package let title: String?
    package let sender: Person?
    /// Whether it is to a space, and not to a conversation.
    package let isToSpace: Bool

    package init(id: String, title: String?, sender: Person?, isToSpace: Bool = false) {
        (self.id, self.title, self.sender, self.isToSpace) = (id, title, sender, isToSpace)
    }

    /// What a list calls it: the title, the person who invites, or the ID.
    package var name: String { title ?? sender?.name ?? id }
}

/// Tells conversations of equal titles apart by the part of their IDs in which they differ, such as the network of an IRC
/// channel.
package struct Namesakes: Hashable, Sendable {
    private var marks: [ConversationID: String] = [:]

    package init(_ conversations: [Conversation] = []) {
        let groups = Dictionary(grouping: conversations) { $0.title.lowercased() }
        for group in groups.values where group.count > 1 {
            for (id, mark) in Namesakes.marks(of: group.map(\.id)) { marks[id] = mark }
        }
    }

    /// Nil for a conversation whose title no other has.
    package subscript(id: ConversationID) -> String? { marks[id] }

    /// The title, with the mark in parentheses where it needs one.
    package func title(of conversation: Conversation) -> String {
        self[conversation.id].map { "\(conversation.title) (\($0))" } ?? conversation.title
    }

    /// The IDs without the words that all of them have at the beginning and at the end; the whole IDs where one of them has no
    /// other words.
    private static func marks(of ids: [ConversationID]) -> [(ConversationID, String)] {
        let words = ids.map { $0.rawValue.split { !$0.isLetter && !$0.isNumber } }
        let most = words.map(\.count).min() ?? 0
        func count(where isSame: (Int) -> Bool) -> Int { (0..<most).first { !isSame($0) } ?? most }
        let first = count { index in words.allSatisfy { $0[index] == words[0][index] } }
        let last = count { index in
            words.allSatisfy { $0[$0.count - 1 - index] == words[0][words[0].count - 1 - index] }
        }
        guard first + last < most else { return ids.map { ($0, $0.rawValue) } }
        return zip(ids, words).map { id, words in
            (id, String(id.rawValue[words[first].startIndex..<words[words.count - 1 - last].endIndex]))
        }
    }
}

/// A group of conversations under one title: a space of Matrix.
package struct Space: Hashable, Sendable, Identifiable {
    package let id: String
    package let title: String
    /// Its place among the spaces, counted from 0.
    package let place: Int

    package init(id: String, title: String, place: Int) { (self.id, self.title, self.place) = (id, title, place) }
}

/// The conversation to which the people of another one have moved.
package struct Successor: Hashable, Sendable {
    /// Nil if it is not here.
    package let conversation: ConversationID?
    /// Where it is joined.
    package let address: String

    package init(conversation: ConversationID?, address: String) {
        (self.conversation, self.address) = (conversation, address)
    }
}
