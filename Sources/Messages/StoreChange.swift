/// A change in an open conversation.
package enum StoreChange: Hashable, Sendable {
    /// A message in its new form: edited, deleted, reacted to, or replied to in its thread.
    case updated(Message)
    /// A message after the newest one, or a thread reply after the newest reply in its thread.
    case arrived(Message)
    /// The messages in this change that are replies in threads which the reader has started or written in.
    case inOwnThreads(Set<MessageID>)
    /// Messages are missing between the newest message before this change and the messages that arrive after it.
    case gap
    /// Messages have been fetched into a gap: an edge with a gap should be requested again.
    case filled
    /// The archive's server became reachable or unreachable.
    case reach(StoreReach)
    /// Any message may have changed or disappeared.
    case replaced
    /// All people who are typing in the next few seconds, without the user.
    case typing([Person])
    /// The read positions of other people, if known.
    case readers([Reader])
    /// The store knows more than before: positions of messages, and contents of quotes.
    case indexed
    /// A new line was skipped. `problems` gives the reason.
    case passedOver
}

/// The state of a store's connection to its server.
package enum StoreReach: Hashable, Sendable {
    case online
    /// - Parameter reason: one line for people.
    case offline(reason: String)
}

/// An error of a store. `description` is one line for people.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchConversation(ConversationID, nearest: [ConversationID])
    case noSuchMessage(MessageID, in: ConversationID)
    /// An edit was not stored, because its message was edited in the meantime.
    /// - Parameter now: the current text of the message.
    case editedMeanwhile(MessageID, now: String, in: ConversationID)
    /// The operation may succeed on a retry: a slow disk, an unreachable server.
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

    /// The description without the path at its beginning, for narrow places.
    package var reason: String {
        guard description.hasPrefix("/"), let end = description.firstRange(of: ": ") else { return description }
        return String(description[end.upperBound...])
    }

    /// True if a retry may succeed.
    package var isTransient: Bool {
        if case .unavailable = self { true } else { false }
    }
}

/// A message that arrived in a conversation while Kedge was open, or whose text changed then.
package struct Arrival: Hashable, Sendable {
    package let conversation: ConversationID
    /// The current form of the message, which may be a thread reply.
    package let message: Message
    /// True if it is a reply in a thread that the reader has started or written in.
    package let isInOwnThread: Bool
    /// True if it is new; false for an edit or a deletion of an earlier message.
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
