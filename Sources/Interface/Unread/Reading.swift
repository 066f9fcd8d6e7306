import Messages
import Timeline

/// The read positions of the user, now and when the conversation on the screen was opened.
struct Reading: Sendable {
    var states: ReadStates
    /// The read position of the conversation on the screen when it was opened, or when the line of unread messages was last placed.
    private(set) var opened = ReadState.unknown
    /// The message below the line of unread messages: the first one that was unread at the opening, came unseen later, or was
    /// marked as unread. Nil without a line.
    var firstUnread: MessageID?
    /// Waiting replies in threads of the conversation on the screen; nil when they are not known.
    private(set) var threads: ThreadMarks?
    /// True if the user has marked messages on the screen as unread. They stay so until the conversation is opened again.
    private(set) var isHeld = false
    /// The muted conversations.
    var muted: Set<ConversationID> = []
    private var conversation: ConversationID?
    /// The user's attention to the conversation.
    var attention = Attention()
    /// True if the user has seen a reply for him in a thread. This must be saved.
    var hasSeenReply = false

    /// New messages below the screens of conversations and threads that the user has left.
    var newBelow: [WritingPlace: NewBelow] = [:]
    /// New messages of other conversations in this session, since the user last opened them.
    var elsewhere: [ConversationID: NewElsewhere] = [:]

    init(states: ReadStates) { self.states = states }

    var line: UnreadLine? { firstUnread.map { UnreadLine(first: $0, opened: opened) } }

    /// - Parameter former: the line from an earlier view of the conversation. The line stays where it was if nothing is unread.
    mutating func open(_ id: ConversationID, firstUnread: MessageID?, former: UnreadLine?, threads: ThreadMarks?) {
        opened = former.flatMap { firstUnread == nil ? $0.opened : nil } ?? states[id]
        isHeld = false
        self.firstUnread = firstUnread ?? former?.first
        (conversation, self.threads) = (id, threads)
        attention.forgetArrivals()
        see { $0.see() }
        tellOfThreads()
    }

    /// True if messages were read since the line was placed.
    var hasReadSinceLine: Bool { conversation.map { states[$0] != opened } ?? false }

    /// Places the line above a message that came unseen.
    mutating func placeLine(above first: MessageID) {
        firstUnread = first
        if let conversation { opened = states[conversation] }
    }

    func threads(of id: ConversationID) -> ThreadMarks? { id == conversation ? threads : states.threads(of: id) }

    /// Records a message after all others.
    mutating func note(_ message: Message) { threads?.upTo = message.id }

    /// Records a waiting reply in a thread.
    mutating func note(waiting reply: ThreadReply) {
        if threads?.open.contains(reply) == false { threads?.open.append(reply) }
    }

    /// Keeps the messages of the conversation on the screen unread from this one on, as marked by the user.
    mutating func hold(from first: MessageID) { (isHeld, firstUnread) = (true, first) }

    /// Removes the line and the mark, since the user has marked the conversation as read.
    mutating func release(_ threads: ThreadMarks?) { (isHeld, firstUnread, self.threads) = (false, nil, threads) }

    /// The unread messages that a badge shows: of a muted conversation only those for the user.
    func shown(_ unread: Unread, in id: ConversationID) -> Unread {
        muted.contains(id) ? Unread(mentions: unread.mentions) : unread
    }

    /// True if lists show a conversation dim: the user has muted it, or has left it.
    func isDim(_ conversation: Conversation) -> Bool { muted.contains(conversation.id) || conversation.hasLeft }

    /// Forgets replies that another process has shown to the user.
    mutating func forget(waiting replies: [ThreadReply]) { threads?.open.removeAll(where: replies.contains) }

    /// Forgets the waiting replies that were deleted.
    mutating func forgetDeleted(in changes: [StoreChange]) {
        let deleted = Set(changes.compactMap(\.message).filter(\.isDeleted).map(\.id))
        let gone = threads?.open.filter { deleted.contains($0.message) } ?? []
        if gone.isEmpty { return }
        forget(waiting: gone)
        tellOfThreads()
    }

    /// Counts the waiting replies as new.
    private mutating func tellOfThreads() {
        guard let conversation, let open = threads?.open else { return }
        elsewhere[conversation] = open.isEmpty ? nil : NewElsewhere(waiting: open)
    }

    /// Forgets the replies in a thread that the user has opened.
    mutating func see(thread: MessageID) {
        threads?.open.removeAll { $0.thread == thread }
        see { $0.see(thread: thread) }
    }

    /// Updates the new messages of the conversation after the user has seen some of them.
    private mutating func see(_ change: (inout NewElsewhere) -> Void) {
        guard let conversation, var new = elsewhere[conversation] else { return }
        change(&new)
        elsewhere[conversation] = new.unread.isEmpty ? nil : new
    }
}
