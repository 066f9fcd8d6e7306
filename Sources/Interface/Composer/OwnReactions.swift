import Messages

/// The reactions that the user has added and taken back, and of which the store has not told yet: one can be taken back before it
/// is on the screen.
struct OwnReactions: Sendable {
    private struct Key: Hashable {
        let message: MessageID
        let emoji: String

        init(_ message: MessageID, _ emoji: String) { (self.message, self.emoji) = (message, Reaction.key(emoji)) }
    }

    /// Whether the user has reacted, as was chosen last.
    private var chosen: [Key: Bool] = [:]

    /// Chooses the opposite of what is there.
    /// - Parameter message: as it is on the screen.
    /// - Returns: whether the reaction is taken back.
    mutating func toggle(_ emoji: String, on target: MessageID, _ message: Message?, by me: PersonID?) -> Bool {
        let key = Key(target, emoji)
        let isThere = chosen[key] ?? message?.hasReaction(emoji, by: me) ?? false
        chosen[key] = !isThere
        return isThere
    }

    /// Takes a message as the store tells it.
    mutating func settle(_ message: Message, by me: PersonID?) {
        guard !chosen.isEmpty else { return }
        chosen = chosen.filter { key, isThere in
            key.message != message.id || message.hasReaction(key.emoji, by: me) != isThere
        }
    }

    /// A post was refused.
    mutating func drop(_ content: Post.Content) {
        if case .reaction(let target, let emoji, _) = content { chosen[Key(target, emoji)] = nil }
    }
}

extension Message {
    fileprivate func hasReaction(_ emoji: String, by person: PersonID?) -> Bool {
        reactions.contains { Reaction.key($0.emoji) == Reaction.key(emoji) && $0.people.contains { $0.id == person } }
    }
}
