import Messages

/// A post on its way into a conversation.
struct Outgoing: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// It waits for the posts before it, so that all of them stand in the order in which they were written.
        case queued
        case sending
        /// It was sent, and the store has not told of it yet.
        case sent
        /// It is tried again, by a timer or by `R`.
        case waiting(reason: String)
        /// It was refused. Only `R` tries it again.
        case failed(reason: String)
    }

    let post: Post
    var state = State.queued
    /// The number of failed tries.
    var attempts = 0
    /// Whether it may have been sent already.
    var isRetry = false

    /// Whether it stands below the last message until it has arrived.
    var isMessage: Bool {
        if case .message = post.content { true } else { false }
    }

    /// The thread that it is a reply in.
    var thread: MessageID? {
        if case .message(_, _, let thread) = post.content { thread } else { nil }
    }
}
