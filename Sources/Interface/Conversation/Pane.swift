import Messages
import Timeline

/// A list of messages with its viewport: the main timeline of the conversation, or the replies of one of its threads.
struct Pane: Sendable {
    typealias Edge = Pager<Messages.Cursor>.Side
    typealias Ticket = Pager<Messages.Cursor>.Ticket

    /// Unique among all panes of a session.
    let number: Int
    /// The conversation whose messages it shows; nil while it has none.
    var conversation: ConversationID?
    /// The root of the thread; nil for the main timeline.
    var thread: MessageID?
    /// The root, which stands above the replies; nil in the main timeline, or when the root is missing.
    var root: ThreadRoot?
    /// Rows of the root on the screen. They were fixed when the thread was opened or the screen was resized, so that the
    /// replies below keep their rows when the root changes.
    var rootRows = 0
    /// Whether a step of the search has opened the thread.
    var isFromSearch = false
    /// Whether the user has moved the cursor to the root.
    var selectsRoot = false
    /// Whether the screen has room for the root.
    var hasHead = false
    var timeline: Timeline<MessageRuler>
    /// The columns of the longest name when the conversation was opened. It stays until another one is.
    var nameColumns: Int?
    var nameRoom = NameRoom()
    var opening = Opening.nothing
    /// The gaps at both ends of the window.
    var gaps = GapEdges()
    /// The loads that may have read the conversation before messages came into a gap.
    var staleLoads: Set<Ticket> = []
    /// Whether messages of the conversation are missing, so that there may be more than the store has counted.
    var isPartial = false
    /// The message that the user asked for. It stays marked.
    var target: MessageID?
    /// A list on its way that will replace this one; or, if it is of a thread, that will be shown beside it.
    var pending: ListRequest?
    /// Whether that takes so long that the status line says so.
    var isSlow = false
    /// The places where jumps in this pane started.
    var history = JumpHistory()
    /// New messages below the screen that the user has not seen.
    var newBelow = NewBelow()
    var newCount: Int { newBelow.count }
    /// Changes of the store that are not in the list yet.
    var changes = LateChanges()
    /// The screen before some of its messages were lost; nil when they are back.
    var lost: LostScreen?
    /// Messages that existed before the log was rewritten; when they arrive again, they do not count as new.
    var knownBefore = KnownBefore()
    var mouse = PaneMouse()
    /// Where the selection of several messages was begun; nil when only the message under the cursor is selected.
    var mark: MarkedMessage?
    /// Counts requests and pauses.
    private var tickets = 0

    enum Opening: Hashable, Sendable {
        /// No list was asked for yet.
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

    /// The columns of its messages.
    var grid: Grid { timeline.ruler.grid }

    /// The message under the cursor.
    var selectedMessage: Message? { isRootSelected ? root?.message : selectedEntry?.message }

    /// The index of the selected message in the whole conversation; for a run that of its first line.
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

    /// Whether a message belongs into this pane.
    func holds(_ message: Message) -> Bool {
        guard let thread else { return message.isMain }
        return message.thread == thread
    }

    /// The message before the first one where the pane begins: in a thread the root, so that its day gets no second header.
    var beginning: Neighbour? {
        root.map(Pane.beginning)
    }

    static func beginning(below root: ThreadRoot) -> Neighbour {
        Neighbour(id: root.message.id, at: root.message.at, sender: nil, kind: .system)
    }
}
