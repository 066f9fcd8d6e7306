import Messages
import Timeline

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
    /// Whether the user has marked messages on the screen as unread. They stay so until the conversation is opened again.
    private(set) var isHeld = false
    /// The muted conversations.
    var muted: Set<ConversationID> = []
    private var conversation: ConversationID?
    /// Whether the user looks at it.
    var attention = Attention()
    /// Whether the user has seen a reply that names him, which has to be kept on the disk.
    var hasSeenReply = false

    /// New messages below the screens of conversations and threads that the user has left.
    var newBelow: [WritingPlace: NewBelow] = [:]
    /// New messages of other conversations since the user opened them in this session.
    var elsewhere: [ConversationID: NewElsewhere] = [:]

    init(states: ReadStates) { self.states = states }

    /// The line of unread messages, and how far the conversation had been read when it was placed.
    struct Line: Sendable {
        let first: MessageID
        fileprivate let opened: ReadState
    }

    var line: Line? { firstUnread.map { Line(first: $0, opened: opened) } }

    /// - Parameter former: the line of an earlier look at the conversation, to which the user comes back. It stays where it was
    ///   when nothing else is unread.
    mutating func open(_ id: ConversationID, firstUnread: MessageID?, former: Line?, threads: ThreadMarks?) {
        opened = former.flatMap { firstUnread == nil ? $0.opened : nil } ?? states[id]
        isHeld = false
        self.firstUnread = firstUnread ?? former?.first
        (conversation, self.threads) = (id, threads)
        attention.forgetArrivals()
    }

    func threads(of id: ConversationID) -> ThreadMarks? { id == conversation ? threads : states.threads(of: id) }

    /// A message has arrived after all others.
    mutating func note(_ message: Message) { threads?.upTo = message.id }

    /// A reply in a thread waits for the user.
    mutating func note(waiting reply: ThreadReply) {
        if threads?.open.contains(reply) == false { threads?.open.append(reply) }
    }

    /// The user has marked the messages of the conversation on the screen as unread from this one on.
    mutating func hold(from first: MessageID) { (isHeld, firstUnread) = (true, first) }

    /// The user has marked the conversation on the screen as read.
    mutating func release(_ threads: ThreadMarks?) { (isHeld, firstUnread, self.threads) = (false, nil, threads) }

    /// The part of the unread messages that a badge shows: of a muted conversation only those that name the user.
    func shown(_ unread: Unread, in id: ConversationID) -> Unread {
        muted.contains(id) ? Unread(mentions: unread.mentions) : unread
    }

    /// Whether lists show a conversation dim: the user has muted it, or has left it.
    func isDim(_ conversation: Conversation) -> Bool { muted.contains(conversation.id) || conversation.hasLeft }

    /// Another process has shown these replies to the user.
    mutating func forget(waiting replies: [ThreadReply]) { threads?.open.removeAll(where: replies.contains) }

    /// The user has opened a thread.
    mutating func see(thread: MessageID) { threads?.open.removeAll { $0.thread == thread } }
}

/// The mark that a whole conversation gets.
package enum ReadMark: Hashable, Sendable {
    case read
    /// Its newest message of others is unread.
    case unread
}

extension Model {
    /// Whether the last messages of all conversations still have to be noted, because the archive is open for the first time.
    package var isFirstOpening: Bool { reading.states.baseline == nil }

    /// The message below the line of unread messages, when a conversation is opened with this page.
    func firstUnread(in page: Page, of id: ConversationID) -> MessageID? {
        // Until the baseline is known, only messages of this session count as unread.
        reading.states[id] == .unknown ? reading.elsewhere[id]?.first : page.firstUnread
    }

    // MARK: - New messages

    /// u: goes to the first unread message.
    mutating func goToFirstUnread() -> [Effect] {
        // After the unread messages from before were read, those that have come in since count.
        let isRead = conversation.map { reading.states[$0.id] != reading.opened } ?? false
        if let first = main.newBelow.first, isRead || reading.firstUnread == nil {
            leaveThread()
            return go(to: .position(.message(first)))
        }
        guard let first = reading.firstUnread else {
            tell("nothing new here")
            return []
        }
        leaveThread()
        return go(to: .unread(first))
    }

    /// Alt-a: goes to a conversation with unread messages. They have to be counted first.
    mutating func seekUnread() -> [Effect] {
        trail.seeksUnread = true
        return [loadSummaries()]
    }

    /// All summaries have come.
    mutating func goToUnread() -> [Effect] {
        trail.seeksUnread = false
        let counted = switcher.firstUnread(besides: conversation?.id) { reading.shown($1, in: $0) }
        // Before the baseline is known, nothing is counted by the store; it also does not count waiting replies in threads.
        let uncounted = reading.elsewhere.filter { !reading.shown($1.unread, in: $0).isEmpty }.keys
            .min { $0.rawValue < $1.rawValue }
        guard let found = counted ?? uncounted.map(known) else {
            tell("nothing new in other conversations")
            dropHeld()
            return []
        }
        let new = reading.elsewhere[found.id]
        leaveThread()
        if counted == nil, new?.first == nil, let reply = new?.threads.first?.first {
            return go(to: .position(.message(reply)), in: found)
        }
        return go(to: .unread(reading.states[found.id] == .unknown ? new?.first : nil), in: found)
    }

    /// Another Kedge of the user has read in these conversations, or has marked them: what is new in them is counted again. The
    /// line of unread messages of the conversation on the screen stays where it is.
    mutating func take(readElsewhere positions: [ConversationID: ReadPosition]) -> [Effect] {
        var effects: [Effect] = []
        for (id, position) in positions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let known = reading.states.positions[id]
            guard known != position else { continue }
            if id == conversation?.id {
                // Messages that this screen has shown already are read, whatever the other one shows.
                if let here = known?.index, let there = position.index, there < here { continue }
                let open = position.threads?.open ?? []
                reading.forget(waiting: (known?.threads?.open ?? []).filter { !open.contains($0) })
            }
            reading.states.positions[id] = position
            reading.elsewhere[id] = nil
            effects.append(.countUnread(self.known(id), reading.states))
        }
        return effects
    }

    /// The user has read to the end when he sees the end: not while he does not look, nor below a panel, nor on a screen from
    /// before that is still being restored.
    mutating func markRead() -> [Effect] {
        let kept = keepThreads()
        guard split.main != nil else { return kept }
        return kept + markMain()
    }

    private mutating func markMain() -> [Effect] {
        let timeline = main.timeline
        guard main.opening == .shown, !timeline.hasNewer, !reading.isHeld, reading.attention.isLooking else {
            return []
        }
        let lastRow = timeline.row(of: .newer) - 1
        let isLooking = panel?.isBesideMessages == false || help != nil || main.pending?.isRestoring == true
        guard !isLooking, timeline.viewport.rows.contains(lastRow) else { return [] }
        return markLast(of: timeline)
    }

    private mutating func markLast(of timeline: Timeline<MessageRuler>) -> [Effect] {
        guard let id = conversation?.id, let last = timeline.list.last else { return [] }
        let index = timeline.windowStart.map { $0 + timeline.span - 1 }
        let read = reading.states.positions[id]
        // While a log is being rewritten, it may end before the last message that was read.
        let isBefore = index.flatMap { index in read?.index.map { index < $0 } } ?? false
        guard read?.message != last.last.id, !(isBefore && main.knownBefore.contains(last.message)) else { return [] }
        return keep(ReadPosition(message: last.last.id, index: index, threads: reading.threads), of: id)
    }

    /// Opening a thread does not move the mark of the main timeline, so waiting replies are kept apart from it. The last
    /// message up to which all threads were looked through is kept when the mark changes.
    private mutating func keepThreads() -> [Effect] {
        guard let id = conversation?.id, let threads = reading.threads, case .upTo(let last) = reading.states[id],
            reading.hasSeenReply || threads.open != reading.states.threads(of: id)?.open ?? []
        else { return [] }
        return keep(ReadPosition(message: last, index: reading.states.positions[id]?.index, threads: threads), of: id)
    }

    mutating func keep(_ position: ReadPosition, of id: ConversationID) -> [Effect] {
        reading.hasSeenReply = false
        reading.states.positions[id] = position
        switcher.noteRead(id)
        return [.markRead(id, position)]
    }
}
