import Display
import Messages
import Search
import Timeline

/// The part of the model that a panel may read, besides its own state.
struct Context {
    let keymap: Keymap
    let size: Size
    /// The time of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil if not known.
    let me: PersonID?
    let panel: Panel?
    /// True if the help is open.
    let hasHelp: Bool
    /// The notice in the status line.
    let notice: Notice?
    let directory: Directory
    /// The conversation on the screen.
    let conversation: Conversation?
    let panes: Panes
    let reading: Reading
    let trail: Trail
    /// Messages of the conversation that the user folded (true) or unfolded.
    let folds: [MessageID: Bool]
    /// Texts that were sent, the newest last.
    let sent: [String]
    let composerColumns: Int
    /// The read positions of others.
    let readers: Readers
    /// The members of the conversation as its server knows them; nil until it has reported them.
    let members: [Person]?
    /// Nil before they were read.
    let bookmarks: [Bookmark]?
    /// The words that count as mentions besides the user's name.
    let highlight: [String]

    /// The main timeline of the conversation.
    var main: Pane { panes.main }
    /// The pane that has the keys.
    var pane: Pane { panes.focused }
    /// The thread that has the keys.
    var thread: Pane? { pane.isThread ? pane : nil }

    /// The user, with the words that count as mentions; nil if not known.
    var own: Addressee? { me.map { Addressee(pane.person($0, in: conversation), highlight: highlight) } }

    /// True if a conversation has been requested.
    var hasConversation: Bool { pane.opening != .nothing }
    /// The day of the message under the cursor.
    var day: CivilDate? { pane.selectedEntry?.date }
    var writingPlace: WritingPlace? {
        conversation.map { WritingPlace(conversation: $0.id, thread: pane.thread) }
    }

    /// ` in Dev` for a conversation that is not on the screen.
    func place(_ id: ConversationID) -> String {
        id == conversation?.id ? "" : " in \(directory.conversation(id).title)"
    }

    /// Resolves a query whose words are all complete, as `kedge search` does.
    func complete(_ text: String) -> ResolvedQuery { ResolvedQuery(query(text, isTyping: false), zone: zone, now: now) }

    /// The resolved query of words that the user is still typing.
    func typed(_ text: String) -> ResolvedQuery {
        ResolvedQuery(query(text, isTyping: true), zone: zone, now: now)
    }

    /// The query of words whose dates are not parsed yet.
    func query(_ text: String, isTyping: Bool) -> Query { Query(text, isTyping: isTyping, me: me?.rawValue) }
}

/// All known conversations by their IDs.
struct Directory: Sendable {
    let current: Conversation?
    let listed: [ConversationID: ConversationSummary]
    let visited: [ConversationID: Conversation]

    var conversations: [Conversation] { listed.values.map(\.conversation) + [current].compactMap(\.self) }

    /// The members of all known conversations.
    var people: Set<Person> { Set(conversations.flatMap(\.members)) }

    /// A conversation; its title is its ID if it is not known.
    func conversation(_ id: ConversationID) -> Conversation {
        if let current, current.id == id { return current }
        return listed[id]?.conversation ?? visited[id] ?? Conversation(id: id, title: id.rawValue, topic: nil)
    }
}
