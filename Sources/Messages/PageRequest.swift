package import Dates

/// A request for a page.
package struct PageRequest: Hashable, Sendable {
    package let conversation: ConversationID
    /// The root of the thread to read; nil for the main timeline.
    package let thread: MessageID?
    package let position: Position
    /// The largest number of messages.
    package let limit: Int
    /// The reader's position: the page then reports what is unread. Nil if that is not needed.
    package let since: ReadState?
    /// The unread thread replies as last recorded.
    package let threads: ThreadMarks?

    package enum Position: Hashable, Sendable {
        case earliest
        case latest
        /// The page around the first unread message; else around the message under which the first unread thread reply is shown;
        /// else the latest page.
        case unread
        /// The page around a message.
        case message(MessageID)
        /// The page around the first of these messages that still exists; if none does, the page at the moment.
        case survivor(of: [MessageID], near: Timestamp)
        /// The page around the first message at or after the start of a time; the latest page if there is none.
        case date(NamedTime)
        /// The page around the message with this index in the main timeline; the last page if there are fewer messages.
        case index(Int)
        /// The page around the message at this share of the conversation, 0 to 1.
        case share(Double)
        case before(Cursor)
        case after(Cursor)
    }

    package init(
        conversation: ConversationID, thread: MessageID? = nil, position: Position, limit: Int,
        since: ReadState? = nil, threads: ThreadMarks? = nil
    ) {
        self.conversation = conversation
        self.thread = thread
        self.position = position
        self.limit = limit
        self.since = since
        self.threads = threads
    }
}

extension PageRequest {
    /// Limits the request to as many messages as fill a screen, since each takes at least one row.
    package func filling(rows: Int) -> PageRequest {
        PageRequest(
            conversation: conversation, thread: thread, position: position, limit: min(limit, rows), since: since,
            threads: threads)
    }
}
