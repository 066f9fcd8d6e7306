import Messages

/// How far the user has read, and how far he had when the conversation was opened.
struct Reading: Sendable {
    var states: ReadStates
    /// How far the conversation on the screen had been read when it was opened.
    private(set) var opened = ReadState.unknown
    /// The first message that was new then: the line stands above it until another conversation is opened. Nil when nothing
    /// was new.
    var firstUnread: MessageID?
    /// The replies that wait in the threads of the conversation on the screen; nil when that is not known.
    private(set) var threads: ThreadMarks?
    private var conversation: ConversationID?
    /// Whether a reply that named the reader came in before his eyes, which has still to be kept.
    var hasSeenReply = false

    /// The messages that have come in below the screen in conversations and threads that were left, or since.
    var newBelow: [WritingPlace: NewBelow] = [:]
    /// The messages that came into the other conversations since they were looked at, if that was in this session.
    var elsewhere: [ConversationID: NewElsewhere] = [:]

    init(states: ReadStates) { self.states = states }

    mutating func open(_ id: ConversationID, firstUnread: MessageID?, threads: ThreadMarks?) {
        opened = states[id]
        self.firstUnread = firstUnread
        (conversation, self.threads) = (id, threads)
    }

    func threads(of id: ConversationID) -> ThreadMarks? { id == conversation ? threads : states.threads(of: id) }

    /// A message has come in after all others.
    mutating func note(_ message: Message) { threads?.upTo = message.id }

    /// A reply in a thread waits for the reader.
    mutating func note(waiting reply: ThreadReply) {
        if threads?.open.contains(reply) == false { threads?.open.append(reply) }
    }

    /// A thread is looked at.
    mutating func see(thread: MessageID) { threads?.open.removeAll { $0.thread == thread } }
}
