import Messages

/// The way of the user through the conversations.
struct Trail: Sendable {
    /// Where each conversation was left.
    var leftAt: [ConversationID: ScreenPlace] = [:]
    /// The conversations that have been shown.
    var visited: [ConversationID: Conversation] = [:]
    /// The messages that were folded (true) or unfolded, and by conversation, so that one comes back to the same screen.
    var folds: [ConversationID: [MessageID: Bool]] = [:]
    /// Whether the user is led back to the choice of a conversation when the chosen one cannot be shown.
    var beganInSwitcher = false
    /// Whether the summaries that are being loaded are to lead to an unread conversation.
    var seeksUnread = false
    /// Whether the titles of all conversations were asked for because a message came into one that has none yet.
    var hasAskedForTitles = false
}
