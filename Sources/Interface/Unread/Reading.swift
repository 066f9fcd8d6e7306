import Messages

/// How far the user has read, now and when the conversation was opened.
struct Reading: Sendable {
    var states: ReadStates
    /// How far the conversation on the screen had been read when it was opened.
    private(set) var opened = ReadState.unknown
    /// The first message that was unread then; the line stays above it until another conversation is opened. Nil when nothing
    /// was unread.
    var firstUnread: MessageID?
    /// Waiting replies in threads of the conversation on the screen; nil when they are not known.
    private(set) var threads: ThreadMarks?
    private var conversation: ConversationID?
    /// Whether the user has seen a reply that names him, which has to be kept on the disk.
    var hasSeenReply = false

    /// New messages below the screens of conversations and threads that the user has left.
    var newBelow: [WritingPlace: NewBelow] = [:]
    /// New messages of other conversations since the user opened them in this session.
    var elsewhere: [ConversationID: NewElsewhere] = [:]

    init(states: ReadStates) { self.states = states }

    mutating func open(_ id: ConversationID, firstUnread: MessageID?, threads: ThreadMarks?) {
        opened = states[id]
        self.firstUnread = firstUnread
        (conversation, self.threads) = (id, threads)
    }

    func threads(of id: ConversationID) -> ThreadMarks? { id == conversation ? threads : states.threads(of: id) }

    /// A message has arrived after all others.
    mutating func note(_ message: Message) { threads?.upTo = message.id }

    /// A reply in a thread waits for the user.
    mutating func note(waiting reply: ThreadReply) {
        if threads?.open.contains(reply) == false { threads?.open.append(reply) }
    }

    /// The user has opened a thread.
    mutating func see(thread: MessageID) { threads?.open.removeAll { $0.thread == thread } }
}
