import Messages

/// A wish of a component that concerns more than its own state. Navigation carries it out.
enum Outcome: Hashable, Sendable {
    /// The text is another now.
    case typed
    /// The component gives the keys back.
    case close
    case warn(String)
    case goToDate(Timestamp)
    case goToShare(PageRequest.Position)
    case open(Openable)
    case delete(MessageID)
    /// Adds an emoji to a message, or takes it back when it is one's own already.
    case react(String, to: MessageID)
}
