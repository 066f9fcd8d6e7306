import Messages

/// A wish of a component that concerns more than its own state. Navigation carries it out.
enum Outcome: Sendable {
    /// The text is another now.
    case typed
    /// The component gives the keys back.
    case close
    case effect(Effect)
    case warn(String)
    /// Goes to a place of a conversation; of the one that is shown when nil.
    case go(ListRequest.Destination, in: Conversation? = nil)
    case goToShare(PageRequest.Position)
    /// Goes to where a conversation was left.
    case openConversation(Conversation)
    case listConversations
    case open(Openable)
    case delete(MessageID)
    /// Adds an emoji to a message, or takes it back when the user has added it already.
    case react(String, to: MessageID)
    case find(Find.Wish)
    case compose(Composer.Wish)

    var isTyped: Bool { if case .typed = self { true } else { false } }
}
