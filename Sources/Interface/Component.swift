import Display
import Messages
import Search
import Timeline

/// A part of the screen: its state, the way in which input changes it, and outcomes that concern other parts.
protocol Component: Sendable {
    /// The values besides its own state that it may read.
    associatedtype Surroundings
    mutating func handle(_ event: PanelEvent, in surroundings: Surroundings) -> [Outcome]
}

/// A request of a component that concerns more than its own state. The router performs it.
enum Outcome: Sendable {
    /// The text has changed.
    case typed
    /// Closes the panel.
    case close
    /// Performs an action, as from the list of commands.
    case perform(Action)
    case effect(Effect)
    /// A request of the open sheet.
    case ask(Request)
    /// Shows a notice; nil removes the one that is shown.
    case notice(Notice?)
    case prompt(Question)
    /// The requested place cannot be reached, so keys typed for it are dropped.
    case lost
    /// Cancels earlier requests that would lead elsewhere, since the user begins something here.
    case stayHere
    /// Opens a panel that keeps its own state.
    case open(Panel)
    /// Another conversation is on the screen.
    /// - Parameters:
    ///   - former: the one before.
    ///   - cursor: the last message that the page of the conversation could know.
    case entered(ConversationID, from: ConversationID?, since: Messages.Cursor?)
    /// Goes to a place of a conversation; of the current one if nil. A message of a named conversation is shown in its main timeline,
    /// with its thread open if it is a reply in one. Without a destination this is the place where the user left the conversation.
    case go(ListRequest.Destination?, in: Conversation? = nil, leaving: ListRequest.Leaving = .jump)
    case begin(UserTask)
    /// Shows these pictures of a message.
    case pictures([MessageFile])
    case find(FindWish)
    case search(SearchWish)
    case compose(ComposerWish)
    case bookmark(BookmarkWish)
    case list(ListWish)
    case pane(PaneNews)

    /// A question that a component asks in the line at the bottom.
    enum Question: Sendable {
        /// Asks for the link or file of a message to open.
        /// - Parameter number: of the link or file that is selected first.
        case link(LinkNumbers, number: Int?)
        /// Asks if the user accepts an invitation.
        case invitation(Invitation)
        /// Asks if a file may be opened, for this reason.
        case risk(String, path: String)
        /// Asks if a file may be replaced by these messages.
        case replace(String, by: MarkedRange)
        case deletion(of: MessageID)
        case leaving(Conversation)
        case date
        /// Offers emoji for a message, first those of other messages on the screen.
        case reaction(to: MessageID, others: [String])
    }

    static func tell(_ text: String) -> Outcome { .notice(Notice(text: text)) }
    static func warn(_ text: String, about subject: Notice.Subject? = nil) -> Outcome {
        .notice(Notice(text: text, isWarning: true, subject: subject))
    }
    /// Cancels earlier requests that would change the screen.
    static let stay = Outcome.find(.giveUp)

    var isTyped: Bool { if case .typed = self { true } else { false } }
}

extension [Effect] {
    var outcomes: [Outcome] { map { .effect($0) } }
}

/// A change in a pane that others depend on.
enum PaneNews: Sendable {
    /// The user has folded (true) or unfolded a message.
    case folded(MessageID, Bool)
    /// The place of the window in the conversation is not known any more.
    case moved
    /// The selected messages were written to a file, so the selection ends.
    case written
    /// The messages of the main timeline were read again, so hits may have moved.
    /// - Parameters:
    ///   - firstUnread: the message below the line of unread messages.
    ///   - hasMoved: true if another message is under the cursor now.
    case reread(firstUnread: MessageID?, hasMoved: Bool)
}

/// A request to the list of conversations.
enum ListWish: Sendable {
    /// Loads the list again, with the numbers of new messages or without.
    case load, loadTitles
    /// Shows changed numbers in the open list.
    case show
    /// A message has come into a conversation that is not on the screen.
    case arrived(Arrival, Unread)
    /// The user has read a conversation to its end.
    case noteRead(ConversationID)
    /// Marks a whole conversation.
    case mark(ReadMark, ConversationID)
    /// Mutes or unmutes a conversation.
    case mute(ConversationID)
    /// Joins a room, and opens its conversation.
    /// - Parameter name: the room's name for the user.
    case join(String, name: String)
    /// Goes to another conversation, where the user left it.
    case visit(Conversation)
    /// The list has named the conversations, so what is shown by its ID gets its title.
    case named
    /// Goes to the unread conversation that was sought: to this one, if the list has one.
    case goToUnread(Conversation?)
    /// The unread conversation that was sought will not be known.
    case seekNoMore
    /// Opens the conversation that replaces this one (newer), or that this one replaced (older).
    case followMove(Pager<Messages.Cursor>.Side)
}

/// Input for the open panel, or for the pane that has the keys.
enum PanelEvent: Hashable, Sendable {
    /// Typed or pasted characters.
    case text([Character])
    /// An action that may edit a text. If the text changes, the outcome is `typed`.
    case edit(Action)
    /// No more input waits after texts and edits, so the text is processed as a whole. A paste comes as thousands of keys.
    case settled
    case action(Action)
    case mouse(Mouse)
    /// Any key, for a component that takes no text.
    case key(Key)
}

/// A request of the composer that concerns more than its text.
enum ComposerWish: Sendable {
    /// Opens the composer as it was left.
    case write
    case reply(Quote)
    /// Opens the composer for an edit of a message.
    case rewrite(Message)
    /// Shows the new text of a message that was edited elsewhere meanwhile.
    case contest(String)
    /// The text has changed.
    case changed
    case keep
    /// Saves the draft of a conversation at once.
    case keepNow(ConversationID)
    /// Edits the text in the user's editor.
    case edit
    case leave
    /// Scrolls the messages above, down when positive.
    case scroll(screens: Int)
    case send
    case delete(MessageID)
    /// Adds an emoji to a message, or removes it when the user has added it already.
    case react(String, to: MessageID)
}

/// A request of the search in the conversation that concerns more than the search.
enum FindWish: Sendable {
    case go(FindHit, leaving: ListRequest.Leaving)
    /// Shows again the screen from before the search.
    case restore(ScreenPlace)
    /// Shows another match of the selected message.
    case showMatch(FindHit.Inner)
    /// Opens the thread of a hit, at the hit.
    case showReply(ListRequest.Reply, of: FindHit)
    /// Cancels the loading of a hit, since the words have changed.
    case dropHit
    /// Cancels the loading of a place, unless it is a hit.
    case dropOthers
    /// Adds the place where the search began to the history of jumps.
    case leave(ScreenPlace)
    /// Turns the hit that is loading into a jump.
    case makeJump
    /// Folds and unfolds messages as they were before the search.
    case folds([MessageID: Bool])
    /// Cancels earlier steps.
    case giveUp
}

/// A request to go on in a search, or to change from one search to the other.
enum SearchWish: Sendable {
    /// Opens the search everywhere.
    /// - Parameters:
    ///   - words: nil for the words of the last search.
    ///   - near: the hit to select.
    case everywhere(words: String?, near: Link? = nil)
    /// Searches for these words in the conversation.
    case here(words: String)
    /// The search in the conversation has begun with the words of the search everywhere.
    case begun
    /// Performs the pending steps of the search in the conversation, as far as their hits are known.
    case goOn
    /// Continues in the next conversation of the search everywhere.
    case goOnElsewhere(FindDirection, words: String)
}

/// A request of a prompt or a list of bookmarks.
enum BookmarkWish: Hashable, Sendable {
    /// Sets a bookmark at a message of the conversation on the screen.
    case set(Character, MessageID)
    case go(Character)
    /// Goes to the place where the last jump started; a second time, back to this place.
    case goBack
}

extension Mouse {
    /// The rows that a step of the wheel scrolls.
    private static let stepRows = 3

    /// The rows by which the wheel scrolls, down when positive; nil for any other action.
    var wheelRows: Int? {
        switch action {
        case .wheelUp: -Mouse.stepRows
        case .wheelDown: Mouse.stepRows
        case .press, .drag, .release: nil
        }
    }
}
