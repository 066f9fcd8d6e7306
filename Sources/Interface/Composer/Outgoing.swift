import Messages

/// A post on its way into a conversation.
struct Outgoing: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Its turn comes when those before it are there: they are to stand in the order in which they were written.
        case queued
        case sending
        /// It is there, and has not come back from the store yet.
        case sent
        /// It is tried again, by itself and by `R`.
        case waiting(reason: String)
        /// It is not there: tried again only by `R`.
        case failed(reason: String)
    }

    let post: Post
    var state = State.queued
    /// How often it was tried in vain.
    var attempts = 0
    /// Whether it may be there already.
    var isRetry = false

    /// Whether it is shown below the last message until it is there itself.
    var isMessage: Bool {
        if case .message = post.content { true } else { false }
    }

    /// The thread that it is a reply in.
    var thread: MessageID? {
        if case .message(_, _, let thread) = post.content { thread } else { nil }
    }
}
