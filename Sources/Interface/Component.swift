import Display
import Messages
import Search
import Timeline

/// A part of the screen: its state, the way in which input changes it, and outcomes for everything that concerns other parts.
/// Each component has a folder, with its view.
protocol Component: Sendable {
    /// The values beside its own state that it may look at.
    associatedtype Surroundings
    mutating func handle(_ event: PanelEvent, in surroundings: Surroundings) -> [Outcome]
}

/// The part of the model that a panel may look at, beside its own state.
struct Context {
    let keymap: Keymap
    let size: Size
    /// As of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil if it is not known who that is.
    let me: PersonID?
    let panel: Panel?
    /// Whether the status line shows a notice.
    let hasNotice: Bool
    let directory: Directory
    /// The conversation on the screen.
    let conversation: Conversation?
    /// Its main timeline.
    let main: Pane
    /// The thread that has the keys.
    let thread: Pane?
    /// Its messages that the user folded (true) or unfolded.
    let folds: [MessageID: Bool]
    /// Whether a conversation has been asked for.
    let hasConversation: Bool
    /// The day of the message under the cursor.
    let day: CivilDate?
    let writingPlace: WritingPlace?
    /// Texts that were sent, the newest last.
    let sent: [String]
    let composerColumns: Int

    /// Rows that a step of the wheel scrolls.
    static let wheelRows = 3

    /// The meaning of complete words at this moment. `kedge search` finds the same for them.
    func complete(_ text: String) -> ResolvedQuery { ResolvedQuery(query(text, isTyping: false), zone: zone, now: now) }

    /// The meaning of words that the user is still typing.
    func typed(_ text: String) -> ResolvedQuery {
        ResolvedQuery(query(text, isTyping: true), zone: zone, now: now)
    }

    /// Words whose dates are not read yet.
    func query(_ text: String, isTyping: Bool) -> Query { Query(text, isTyping: isTyping, me: me?.rawValue) }
}

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

/// A pause that is over. If its ticket is not that of the last pause of its kind, nothing happens.
package enum Pause: Hashable, Sendable {
    /// A list is slow, so the status line says that it is being loaded.
    case list(PaneTicket)
    /// The first moments of a list are over.
    case settling(PaneTicket)
    /// No change has come in for a moment.
    case quiet(PaneTicket)
    /// The number of messages shall be asked for again.
    case counting(PaneTicket)
    /// The hits of this search may have changed, so they are collected again.
    case hits(Int)
    /// The hits of this search in all conversations may have changed.
    case results(Int)
    /// The store's preparation is slow, so its progress is shown.
    case preparation(Int)
    /// The draft shall be kept.
    case draft(Int)
    /// The list of conversations is slow, so it is shown as far as it has come.
    case switcher(Int)
}
