import Messages

/// New messages of a conversation that is not on the screen.
struct NewElsewhere: Hashable, Sendable {
    private(set) var unread = Unread()
    /// The first one of the main timeline.
    private(set) var first: MessageID?
    /// Threads with replies that name the user or reply to him. The main timeline does not show these replies.
    private(set) var threads: [NewInThread] = []

    struct NewInThread: Hashable, Sendable {
        let thread: MessageID
        /// The first of these replies.
        let first: MessageID
        var mentions: Int
    }

    init() {}

    init(waiting replies: [ThreadReply]) {
        for reply in replies { add(reply, Unread(mentions: 1)) }
    }

    mutating func add(_ message: Message, _ unread: Unread) {
        if let thread = message.thread, !message.isMain {
            add(ThreadReply(thread: thread, message: message.id), unread)
        } else {
            self.unread += unread
            first = first ?? message.id
        }
    }

    private mutating func add(_ reply: ThreadReply, _ unread: Unread) {
        self.unread += unread
        if let index = threads.firstIndex(where: { $0.thread == reply.thread }) {
            threads[index].mentions += unread.mentions
        } else {
            threads.append(NewInThread(thread: reply.thread, first: reply.message, mentions: unread.mentions))
        }
    }

    /// The user has opened the conversation.
    mutating func see() {
        first = nil
        unread = Unread(mentions: threads.reduce(0) { $0 + $1.mentions })
    }

    /// The user has opened a thread.
    mutating func see(thread: MessageID) {
        for new in threads where new.thread == thread { unread.mentions -= new.mentions }
        threads.removeAll { $0.thread == thread }
    }
}
