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
