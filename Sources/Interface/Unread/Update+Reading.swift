import Messages
import Timeline

extension Model {
    /// Whether it has still to be noted which messages were there when the archive was first opened.
    package var isFirstOpening: Bool { reading.states.baseline == nil }

    /// The message above which the line will stand when a conversation is opened with this page.
    func firstUnread(in page: Page, of id: ConversationID) -> MessageID? {
        // Until the baseline is known, the messages that came in during this session are the new ones.
        reading.states[id] == .unknown ? reading.elsewhere[id]?.first : page.firstUnread
    }

    // MARK: - New messages

    /// u
    mutating func goToFirstUnread() -> [Effect] {
        // The messages that have come in below since count for themselves once those that were new before have been read.
        let isRead = conversation.map { reading.states[$0.id] != reading.opened } ?? false
        if let first = main.newBelow.first, isRead || reading.firstUnread == nil {
            leaveThread()
            return go(to: .position(.message(first)))
        }
        guard let first = reading.firstUnread else {
            tell("nothing was new here")
            return []
        }
        leaveThread()
        return go(to: .unread(first))
    }

    /// Alt-a: the unread messages elsewhere have to be counted first.
    mutating func seekUnread() -> [Effect] {
        trail.seeksUnread = true
        return [loadSummaries()]
    }

    /// All summaries are there.
    mutating func goToUnread() -> [Effect] {
        trail.seeksUnread = false
        let counted = switcher.firstUnread(besides: conversation?.id)
        // Nothing is counted before it is noted which messages were there, and no replies that wait in threads of this
        // conversation.
        let uncounted = reading.elsewhere.keys.min { $0.rawValue < $1.rawValue }
        guard let found = counted ?? uncounted.map(known) else {
            tell("nothing is new in the other conversations")
            return []
        }
        let new = reading.elsewhere[found.id]
        leaveThread()
        if counted == nil, new?.first == nil, let reply = new?.threads.first?.first {
            return go(to: .position(.message(reply)), in: found)
        }
        return go(to: .unread(reading.states[found.id] == .unknown ? new?.first : nil), in: found)
    }

    /// A user who sees the end has read to the end. A place that is seen behind a panel does not count as read, nor while
    /// the screen from before is on its way back.
    mutating func markRead() -> [Effect] {
        let kept = keepThreads()
        guard split.main != nil else { return kept }
        return kept + markMain()
    }

    private mutating func markMain() -> [Effect] {
        let timeline = main.timeline
        guard main.opening == .shown, !timeline.hasNewer else { return [] }
        let lastRow = timeline.row(of: .newer) - 1
        let isLooking = panel?.isBesideMessages == false || help != nil || main.pending?.isRestoring == true
        guard !isLooking, timeline.viewport.rows.contains(lastRow) else { return [] }
        return markLast(of: timeline)
    }

    private mutating func markLast(of timeline: Timeline<MessageRuler>) -> [Effect] {
        guard let id = conversation?.id, let last = timeline.list.last else { return [] }
        let index = timeline.windowStart.map { $0 + timeline.count - 1 }
        let read = reading.states.positions[id]
        // A log that is being rewritten ends before the last message that was read.
        let isBefore = index.flatMap { index in read?.index.map { index < $0 } } ?? false
        guard read?.message != last.id, !(isBefore && main.knownBefore.contains(last.message)) else { return [] }
        return keep(ReadPosition(message: last.id, index: index, threads: reading.threads), of: id)
    }

    /// Looking at a thread moves no mark of the main timeline: waiting replies are kept beside that. How far all
    /// threads were looked through is kept together with a mark that has changed.
    private mutating func keepThreads() -> [Effect] {
        guard let id = conversation?.id, let threads = reading.threads, case .upTo(let last) = reading.states[id],
            reading.hasSeenReply || threads.open != reading.states.threads(of: id)?.open ?? []
        else { return [] }
        return keep(ReadPosition(message: last, index: reading.states.positions[id]?.index, threads: threads), of: id)
    }

    private mutating func keep(_ position: ReadPosition, of id: ConversationID) -> [Effect] {
        reading.hasSeenReply = false
        reading.states.positions[id] = position
        return [.markRead(id, position)]
    }
}
