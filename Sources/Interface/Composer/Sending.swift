import Display
import Messages
import Timeline

/// A post on its way into a conversation.
struct Outgoing: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Waits for earlier posts, so that all appear in the order in which they were written.
        case queued
        case sending
        /// Sent, but not yet reported by the store.
        case sent
        /// Will be tried again, by a timer or by `R`.
        case waiting
        /// Refused. Only `R` tries it again.
        case failed
    }

    let post: Post
    var state = State.queued
    /// The number of failed tries.
    var attempts = 0
    /// True if an earlier try may have sent the post already.
    var isRetry = false

    /// True for a message: it is shown below the last one until it has arrived.
    var isMessage: Bool {
        if case .message = post.content { true } else { false }
    }

    /// The thread in which it is a reply.
    var thread: MessageID? {
        if case .message(_, _, let thread) = post.content { thread } else { nil }
    }
}

extension Outgoing {
    var isWaiting: Bool { [.waiting, .failed].contains(state) }

    /// True if posts after it have to wait.
    var isInTheWay: Bool { [.sending, .waiting].contains(state) }
}

/// Reactions that the user has added or removed, until the store reports them: one can be removed before it is on the screen.
struct OwnReactions: Sendable {
    private struct Key: Hashable {
        let message: MessageID
        let emoji: String

        init(_ message: MessageID, _ emoji: String) { (self.message, self.emoji) = (message, Reaction.key(emoji)) }
    }

    /// The user's last choice: true for a reaction added.
    private var chosen: [Key: Bool] = [:]

    /// Chooses to add a reaction, or to remove it if the user has added it.
    /// - Parameter message: the message on the screen.
    /// - Returns: true if the reaction is to be removed.
    mutating func toggle(_ emoji: String, on target: MessageID, _ message: Message?, by me: PersonID?) -> Bool {
        let key = Key(target, emoji)
        let isThere = chosen[key] ?? message?.hasReaction(emoji, by: me) ?? false
        chosen[key] = !isThere
        return isThere
    }

    /// Drops the choices that a message from the store already shows.
    mutating func settle(_ message: Message, by me: PersonID?) {
        guard !chosen.isEmpty else { return }
        chosen = chosen.filter { key, isThere in
            key.message != message.id || message.hasReaction(key.emoji, by: me) != isThere
        }
    }

    /// Drops the choice of a post that was refused.
    mutating func drop(_ content: Post.Content) {
        if case .reaction(let target, let emoji, _) = content { chosen[Key(target, emoji)] = nil }
    }
}

extension Message {
    fileprivate func hasReaction(_ emoji: String, by person: PersonID?) -> Bool {
        reactions.contains { Reaction.key($0.emoji) == Reaction.key(emoji) && $0.people.contains { $0.id == person } }
    }
}
