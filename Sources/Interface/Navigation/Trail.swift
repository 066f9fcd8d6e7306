import Messages

/// The user's way through the conversations.
struct Trail: Sendable {
    /// Where each conversation was left.
    var leftAt: [ConversationID: ScreenPlace] = [:]
    /// The conversation that was on the screen before the current one.
    var former: ConversationID?
    /// The conversations that were shown.
    var visited: [ConversationID: Conversation] = [:]
    /// The messages that the user folded (true) or unfolded, so that coming back gives the same screen.
    var folds: [ConversationID: [MessageID: Bool]] = [:]
    /// Whether the program began in the switcher. A conversation that cannot be shown then leads back there.
    var beganInSwitcher = false
    /// Whether the summaries that are being loaded shall lead to an unread conversation.
    var seeksUnread = false
    /// Whether all titles were asked for, since a message came into a conversation without a known title.
    var hasAskedForTitles = false
}
