import Messages

/// A wish of a component that concerns more than its own state. Navigation carries it out.
enum Outcome: Sendable {
    /// The text has changed.
    case typed
    /// Closes the panel.
    case close
    case closeHelp
    /// Carries out a command by its name.
    case perform(Action)
    case effect(Effect)
    case tell(String)
    case warn(String)
    /// Asks which of the links and files of a message is to be opened.
    /// - Parameter number: of the link or file that is selected first.
    case askForLink(LinkNumbers, number: Int?)
    /// Gives up earlier requests that would change the screen.
    case stay
    /// The place that was asked for cannot be reached, so what was typed for it is dropped.
    case lost
    /// Goes to a place of a conversation; of the current one if nil.
    case go(ListRequest.Destination, in: Conversation? = nil, leaving: ListRequest.Leaving = .jump)
    /// Goes to a message of any conversation from its main timeline, with its thread open if it is a reply in one.
    case goTo(MessageID, Conversation)
    case goToShare(PageRequest.Position, leaving: ListRequest.Leaving = .jump)
    /// Goes to the place where the user has left a conversation.
    case openConversation(Conversation)
    case listConversations
    /// Searches everywhere for the words that are searched for in the conversation, or the other way round.
    case toggleScope
    /// Opens the thread of the selected message, or closes it.
    case toggleThread
    case open(Openable)
    /// Shows these pictures of a message.
    case showPictures([Attachment], of: MessageID)
    case delete(MessageID)
    /// Adds an emoji to a message, or takes it back when the user has added it already.
    case react(String, to: MessageID)
    /// The user has folded (true) or unfolded a message.
    case fold(MessageID, Bool)
    /// Asks for the place of the window in the conversation.
    case locate
    /// The line of unread messages stands above this message.
    case unreadLine(above: MessageID?)
    /// The messages were read again, so hits may have moved.
    /// - Parameter hasMoved: whether another message is under the cursor now.
    case reread(hasMoved: Bool)
    case find(FindWish)
    case compose(ComposerWish)
    /// Opens the search everywhere with these words.
    case searchFor(String)
    case bookmark(BookmarkWish)
    /// Marks a whole conversation.
    case mark(ReadMark, ConversationID)
    case begin(UserTask)
    /// Mutes a conversation, or no longer.
    case mute(ConversationID)
    /// Asks whether an invitation is accepted.
    case answer(Invitation)
    /// Joins a room, and opens its conversation.
    /// - Parameter name: for people.
    case join(String, name: String)
    /// Opens the conversation to which people have moved from this one (newer), or from which they came (older).
    case followMove(Pane.Edge)
    /// A question of the open sheet.
    case ask(SheetQuestion)

    var isTyped: Bool { if case .typed = self { true } else { false } }
}
