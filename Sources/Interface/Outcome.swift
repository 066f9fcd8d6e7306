import Messages

/// A wish of a component that concerns more than its own state. Navigation carries it out.
enum Outcome: Sendable {
    /// The text is another now.
    case typed
    /// The component gives the keys back.
    case close
    case closeHelp
    case effect(Effect)
    case tell(String)
    case warn(String)
    /// Asks which of the links and files of a message is to be opened.
    /// - Parameter number: of the link or file that is proposed.
    case askForLink(LinkNumbers, number: Int?)
    /// Nothing that was asked for before is to lead elsewhere.
    case stay
    /// Goes to a place of a conversation; of the one that is shown when nil.
    case go(ListRequest.Destination, in: Conversation? = nil, leaving: ListRequest.Leaving = .jump)
    case goToShare(PageRequest.Position, leaving: ListRequest.Leaving = .jump)
    /// Goes to where a conversation was left.
    case openConversation(Conversation)
    case listConversations
    /// Opens the thread of the selected message, or closes it.
    case toggleThread
    case open(Openable)
    case delete(MessageID)
    /// Adds an emoji to a message, or takes it back when the user has added it already.
    case react(String, to: MessageID)
    /// A message is folded (true) or unfolded from now on.
    case fold(MessageID, Bool)
    /// Asks where the window stands in the conversation.
    case locate
    /// The line of the unread messages stands above this one.
    case unreadLine(above: MessageID?)
    /// The messages were read again.
    /// - Parameter hasMoved: whether another message is under the cursor now.
    case reread(hasMoved: Bool)
    case find(FindWish)
    case compose(ComposerWish)

    var isTyped: Bool { if case .typed = self { true } else { false } }
}
