/// Which page is wanted.
package struct PageRequest: Hashable, Sendable {
    package let conversation: ConversationID
    /// The root of the thread whose replies are wanted; nil for the main timeline.
    package let thread: MessageID?
    package let position: Position
    /// Messages, at most.
    package let limit: Int
    /// How far the reader has read: with the page comes what is new since. Nil when that is not asked.
    package let since: ReadState?
    /// What waited in the threads when that was last noted.
    package let threads: ThreadMarks?

    package enum Position: Hashable, Sendable {
        case earliest
        case latest
        /// The page around the first message that is new to the reader, else around what the first reply in a thread that
        /// waits for him is shown by; the latest page without either.
        case unread
        /// The page around a message.
        case message(MessageID)
        /// The page around the first of these messages that still stands there; without any, the page of the moment.
        case survivor(of: [MessageID], near: Timestamp)
        /// The page around the first message at or after a moment; the latest page when there is none.
        case date(Timestamp)
        /// The page around the message with this index in the main timeline; the last one when there are not so many.
        case index(Int)
        /// The page around the message that stands so far in the conversation, 0 to 1.
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
