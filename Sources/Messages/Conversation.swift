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
    /// The title to show; the ID if there is no title.
    package var title: String { shared.value.title }
    package var topic: String? { shared.value.topic }
    /// The members that the store knows.
    package var members: [Person] {
        get { shared.value.members }
        set { change { $0.members = newValue } }
    }
    /// The link to the conversation in its service: `https://matrix.to/#/!room:example.org`. Nil for an archive without a
    /// service.
    package var address: String? { shared.value.address }
    /// The message up to which the user has read according to the server; nil without such a report.
    package var readUpTo: MessageID? { shared.value.readUpTo }
    /// The space that shows it; nil outside of all spaces.
    package var space: Space? {
        get { shared.value.space }
        set { change { $0.space = newValue } }
    }
    /// The conversation that this one replaces, if the archive contains it.
    package var predecessor: ConversationID? { shared.value.predecessor }
    /// The conversation that replaces this one.
    package var successor: Successor? { shared.value.successor }
    /// True if the user has left its room on the server, or was removed from it.
    package var hasLeft: Bool { shared.value.hasLeft }
    /// The number of members according to the server; nil if not known. `members` may have fewer.
    package var memberCount: Int? { shared.value.memberCount }
    /// True if a message may address everybody by `@room`.
    package var callsAll: Bool { shared.value.callsAll }
    /// True if its messages are encrypted and cannot be read or written here.
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
    /// The number of all messages: text, action and system, thread replies and tombstones.
    package let count: Int
    /// The number of presence lines among the messages.
    package let presence: Int
    package let first: Timestamp?
    package let last: Timestamp?
    /// The last message by a person near the end of the main timeline; the last system line if there is none.
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
    /// True if the server has more members than `members`.
    package var lacksMembers: Bool { (memberCount ?? 0) > members.count }
}

/// An invitation to a conversation of a server. Its contents come from the person who invites.
package struct Invitation: Hashable, Sendable, Identifiable {
    /// The ID of the room on its server, to accept or decline the invitation.
    package let id: String
    package let title: String?
    package let sender: Person?
    /// True if the invitation is to a space instead of a conversation.
    package let isToSpace: Bool

    package init(id: String, title: String?, sender: Person?, isToSpace: Bool = false) {
        (self.id, self.title, self.sender, self.isToSpace) = (id, title, sender, isToSpace)
    }

    /// The name in a list: the title, the person who invites, or the ID.
    package var name: String { title ?? sender?.name ?? id }
}

/// Distinguishes conversations with the same title by the part of their IDs that differs, such as the network of an IRC channel.
package struct Namesakes: Hashable, Sendable {
    private var marks: [ConversationID: String] = [:]

    package init(_ conversations: [Conversation] = []) {
        let groups = Dictionary(grouping: conversations) { $0.title.lowercased() }
        for group in groups.values where group.count > 1 {
            for (id, mark) in Namesakes.marks(of: group.map(\.id)) { marks[id] = mark }
        }
    }

    /// Nil if no other conversation has the same title.
    package subscript(id: ConversationID) -> String? { marks[id] }

    /// The title, followed by the mark in parentheses if it needs one.
    package func title(of conversation: Conversation) -> String {
        self[conversation.id].map { "\(conversation.title) (\($0))" } ?? conversation.title
    }

    /// The IDs without the words that all of them have at the beginning and at the end; the whole IDs if one of them would become
    /// empty.
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
    /// Its position among the spaces, counted from 0.
    package let place: Int

    package init(id: String, title: String, place: Int) { (self.id, self.title, self.place) = (id, title, place) }
}

/// The conversation that replaces another one.
package struct Successor: Hashable, Sendable {
    /// The conversation; nil if the archive does not contain it.
    package let conversation: ConversationID?
    /// The address by which it is joined.
    package let address: String

    package init(conversation: ConversationID?, address: String) {
        (self.conversation, self.address) = (conversation, address)
    }
}
