import Messages
import Timeline

/// A list of messages with its viewport: the main timeline of the conversation, or the replies of one of its threads.
struct Pane: Sendable {
    typealias Side = Pager<Messages.Cursor>.Side
    typealias Ticket = Pager<Messages.Cursor>.Ticket

    /// Unique among all panes of a session.
    let number: Int
    /// The conversation of the messages; nil until one is requested.
    var conversation: ConversationID?
    /// The root of the thread; nil for the main timeline.
    var thread: MessageID?
    /// The root, which stands above the replies; nil in the main timeline, or when the root is missing.
    var root: ThreadRoot?
    /// Rows of the root on the screen. They were fixed when the thread was opened or the screen was resized, so that
    /// the replies below keep their rows when the root changes.
    var rootRows = 0
    /// True if a jump to a reply has opened the thread, so that the way back from there closes it.
    var isFromJump = false
    /// True if the user has moved the cursor to the root.
    var selectsRoot = false
    /// True if the screen has room for the root.
    var hasHead = false
    var timeline: Timeline<MessageRuler>
    /// The columns of the longest name when the conversation was opened; kept until another one is opened.
    var nameColumns: Int?
    var nameRoom = NameRoom()
    var opening = Opening.nothing
    /// The gaps at both ends of the window.
    var gaps: [Side: GapEdge] = [:]
    /// The loads that may have been read before messages came into a gap.
    var staleLoads: Set<Ticket> = []
    /// True if messages of the conversation are missing, so that there may be more than the store has counted.
    var isPartial = false
    /// The message that the user requested. It stays marked.
    var target: MessageID?
    /// A loading list that will replace this one; a list of a thread will be shown next to this one.
    var pending: ListRequest?
    /// True if `pending` takes so long that the status line says so.
    var isSlow = false
    /// The places where jumps in this pane started.
    var history = JumpHistory()
    /// New messages below the screen that the user has not seen.
    var newBelow = NewBelow()
    var newCount: Int { newBelow.count }
    /// The message below the line of unread messages of a thread. Nil without a line, and in the main timeline.
    var threadLine: MessageID?
    /// True if replies have come below that line and the user has not seen the thread since.
    var hasUnseen = false
    /// Changes of the store that are not in the list yet.
    var changes = LateChanges()
    /// The screen before some of its messages were lost; nil when they are back.
    var lost: LostScreen?
    /// Messages that existed before the log was rewritten; when they arrive again, they do not count as new.
    var knownBefore = KnownBefore()
    var mouse = PaneMouse()
    /// The message where the selection of several messages was begun; nil when only the message under the cursor is selected.
    var mark: MarkedMessage?
    /// The long text under the cursor, which the list holds as a whole.
    var selectedText = SelectedText()
    /// The number of requests and pauses so far.
    private var tickets = 0

    enum Opening: Hashable, Sendable {
        /// No list was requested yet.
        case nothing
        case loading
        case failed(reason: String, attempts: Int)
        case shown
    }

    init(
        number: Int, conversation: ConversationID? = nil, thread: MessageID? = nil, timeline: Timeline<MessageRuler>
    ) {
        self.number = number
        self.conversation = conversation
        self.thread = thread
        self.timeline = timeline
    }

    /// A ticket for a request or a pause. A result with an older ticket has no effect.
    mutating func nextTicket() -> PaneTicket {
        tickets += 1
        return PaneTicket(pane: number, number: tickets)
    }
}

extension Pane {
    var isThread: Bool { thread != nil }

    /// The columns of the messages.
    var grid: Grid { timeline.ruler.grid }

    /// True if the root is under the cursor. Without replies it always is.
    var isRootSelected: Bool {
        root != nil && opening == .shown && (timeline.list.isEmpty || selectsRoot && hasHead)
    }

    /// The message under the cursor as the screen shows it.
    var selectedEntry: Entry? {
        isRootSelected ? root?.entry : timeline.selectedIndex.map { timeline.list[$0] }
    }

    /// The message with this ID, if the pane shows it.
    func loaded(_ id: MessageID) -> Message? {
        if let root, root.message.id == id { return root.message }
        return timeline.list.index(of: id).map { timeline.list[$0].message }
    }

    /// The message under the cursor.
    var selectedMessage: Message? { isRootSelected ? root?.message : selectedEntry?.message }

    /// The index of the selected message in the whole conversation; for a run, the index of its first line.
    var selectedPlace: Int? { selectedPlaces?.lowerBound }

    /// The indices of the selected message, or of all lines of the selected run.
    var selectedPlaces: Range<Int>? {
        guard !isRootSelected, let index = timeline.selectedIndex, let start = timeline.position(of: index) else {
            return nil
        }
        return start..<start + timeline.list[index].span
    }

    /// The loaded message with this index in the whole conversation.
    func message(at index: Int) -> MessageID? {
        guard let (item, rest) = timeline.item(at: index) else { return nil }
        let entry = timeline.list[item]
        return entry.run?.lines[rest].id ?? entry.id
    }

    /// The person with this ID, with the name of a member or from the loaded messages.
    func person(_ id: PersonID, in conversation: Conversation?) -> Person {
        let writers = (0..<timeline.count).lazy.compactMap { timeline.list[$0].message.sender }
        return conversation?.members.first { $0.id == id } ?? writers.first { $0.id == id }
            ?? Person(id: id, name: id.rawValue)
    }

    /// True if a message belongs in this pane.
    func holds(_ message: Message) -> Bool {
        guard let thread else { return message.isMain }
        return message.thread == thread
    }

    /// The message before the pane's first one: in a thread the root, so that its day gets no second header.
    var beginning: Neighbour? {
        root.map(Pane.beginning)
    }

    static func beginning(below root: ThreadRoot) -> Neighbour {
        Neighbour(id: root.message.id, at: root.message.at, sender: nil, kind: .system)
    }
}

/// The root of a thread, shown above its replies.
struct ThreadRoot: Sendable {
    let message: Message
    /// The entry is laid out for each frame, so it holds no more text than fits on any screen.
    let entry: Entry

    /// The number of characters of the root to use: enough for a third of a large screen.
    fileprivate static let longestText = 4_000

    init(_ message: Message, zone: Zone) {
        (self.message, entry) = (message, Entry(message.asRoot, after: nil, zone: zone).withoutDay())
    }

    /// The same message with new content, in the same place.
    init(_ message: Message, replacing old: ThreadRoot) {
        (self.message, entry) = (message, Entry(message.asRoot, replacing: old.entry))
    }
}

extension Message {
    /// The message as the root above its replies: without their number, and with no more text than fits on any screen.
    fileprivate var asRoot: Message {
        var root = self
        root.replyCount = 0
        root.text = text.beginning(ThreadRoot.longestText)
        return root
    }
}

/// The message at which the user began to select several.
struct MarkedMessage: Hashable, Sendable {
    let id: MessageID
    /// The index of the message in the whole conversation, if known.
    let place: Int?
    let at: Timestamp
}

/// The state of a gesture of the mouse in a pane.
struct PaneMouse: Hashable, Sendable {
    /// True if the scroll bar is being dragged.
    var isDragging = false
    /// The row of the last pressed message: a drag from there selects several messages.
    var pressedRow: Int?
    /// True if the last click jumped or opened a thread: the second half of a double click then does nothing.
    var hasJumped = false
}

/// The long text under the cursor. The list of a conversation holds the beginnings of long texts, and one of them as a whole, since
/// keys act on it.
struct SelectedText: Sendable {
    /// The message whose whole text the list holds.
    var whole: MessageID?
    /// The message whose whole text is loading.
    var asked: (id: MessageID, ticket: PaneTicket)?
    var retries = Retries()

    /// Its name for the user, with the reason for the wait.
    var name: String {
        let name = "the rest of this message"
        return retries.reason.map { "\(name), \(retries.words) (\($0))" } ?? name
    }
}

/// The part of the model that a pane may read, besides its own state.
struct PaneContext {
    let keymap: Keymap
    /// The time of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil when not known.
    let me: PersonID?
    /// The conversation on the screen.
    let conversation: Conversation?
    var reading: Reading
    /// Messages of the conversation that the user folded (true) or unfolded.
    let folds: [MessageID: Bool]
    /// True if the user is writing a text that a jump would leave.
    let isWriting: Bool
    /// True if a question about the selected message is on the screen.
    let isAskingAboutMessage: Bool
    /// True if the user may write here.
    let canWrite: Bool

    /// True if a message can be new to the user.
    func isNewFromOthers(_ message: Message) -> Bool { message.isNew(to: me) }
}

extension Message {
    /// True if the message counts as new for this person: somebody else has written it, and it is no presence line.
    func isNew(to me: PersonID?) -> Bool { presence == nil && sender.map { $0.id != me } ?? true }
}
