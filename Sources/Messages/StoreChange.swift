/// A change in a conversation that is open.
package enum StoreChange: Hashable, Sendable {
    /// A message in its new form: edited, deleted, reacted to, or replied to in its thread.
    case updated(Message)
    /// A message after the newest one; or a reply in a thread, after the newest reply there.
    case arrived(Message)
    /// These messages, which arrive with this change, are replies in threads that the reader has begun or has written in.
    case inOwnThreads(Set<MessageID>)
    /// Messages are missing between the newest message before this change and those that arrive after it.
    case gap
    /// Messages have come into a gap: an edge with a gap has to be asked for again.
    case filled
    /// The server of the archive can be reached, or no longer.
    case reach(StoreReach)
    /// Any message may have changed, or may be gone.
    case replaced
    /// All people who are typing, apart from the user, for the next few seconds.
    case typing([Person])
    /// How far other people have read: all that is known of that.
    case readers([Reader])
    /// The store knows more than before: the places of messages, and what they quote.
    case indexed
    /// A new line was ignored: the problems say why.
    case passedOver
}

/// An error of a store. `description` is one line for people.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchConversation(ConversationID, nearest: [ConversationID])
    case noSuchMessage(MessageID, in: ConversationID)
    /// An edit was not stored, because its message was edited meanwhile.
    /// - Parameter now: the text of the message by now.
    case editedMeanwhile(MessageID, now: String, in: ConversationID)
    /// Worth a retry: a slow disk, a server that is away.
    case unavailable(String)
    /// The archive cannot be read. The text says what, where, and what to do.
    case unreadable(String)
    /// A post was not stored. The text says why, and what to do.
    case notSent(String)

    package var description: String {
        switch self {
        case .noSuchConversation(let id, let nearest):
            let names = nearest.map { "\"\($0)\"" }
            let last = names.count > 1 ? " or " : ""
            let list = names.dropLast().joined(separator: ", ") + last + (names.last ?? "")
            return "there is no conversation \"\(id.rawValue.shortened)\"; "
                + (nearest.isEmpty ? "`kedge list` lists them all" : "did you mean \(list)?")
        case .noSuchMessage(let id, let conversation):
            let name = id.rawValue.shortened
            return "there is no message \"\(name)\" in \"\(conversation)\"; check the ID"
        case .editedMeanwhile: return "the message was edited meanwhile"
        case .unavailable(let reason), .unreadable(let reason), .notSent(let reason):
            return reason
        }
    }

    /// The description without a path at its beginning, where room is short.
    package var reason: String {
        guard description.hasPrefix("/"), let end = description.firstRange(of: ": ") else { return description }
        return String(description[end.upperBound...])
    }

    /// Whether a retry may succeed.
    package var isTransient: Bool {
        if case .unavailable = self { true } else { false }
    }
}

/// A message that came into a conversation while Kedge was open, or whose text changed then.
package struct Arrival: Hashable, Sendable {
    package let conversation: ConversationID
    /// In its current form; it may be a thread reply.
    package let message: Message
    /// Whether it is a reply in a thread that the reader has begun or has written in.
    package let isInOwnThread: Bool
    /// Whether it came; false if it was here before, and was edited or deleted.
    package let isNew: Bool

    package init(
        conversation: ConversationID, message: Message, isInOwnThread: Bool = false, isNew: Bool = true
    ) {
        self.isNew = isNew
        self.conversation = conversation
        self.message = message
        self.isInOwnThread = isInOwnThread
    }
}
