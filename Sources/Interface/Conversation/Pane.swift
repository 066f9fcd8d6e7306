import Messages
import Timeline

/// A list of messages with its viewport, and all that belongs to it alone: the main timeline of the conversation, or the
/// replies in one of its threads.
struct Pane: Sendable {
    /// Names it among all of a session.
    let number: Int
    /// The conversation whose messages it shows; nil while it has none.
    var conversation: ConversationID?
    /// The root of the thread; nil for the main timeline.
    var thread: MessageID?
    /// The message that the thread hangs on, which stands above the replies; nil when it is not there.
    var root: Entry?
    /// Rows of it that are shown, as many as it had when the thread was opened or the screen got its size: the replies
    /// below keep their rows whatever becomes of it.
    var rootRows = 0
    var timeline: Timeline<MessageRuler>
    var opening = Opening.nothing
    /// The message that was asked for: it stays marked.
    var target: MessageID?
    /// A list that is to replace this one, on its way; or that is to be shown beside it, for a thread.
    var pending: ListRequest?
    /// Whether it takes so long that the status line says so.
    var isSlow = false
    /// Where the jumps within it started.
    var history = JumpHistory()
    /// The messages that have come in below the screen and were not seen.
    var newBelow = NewBelow()
    var newCount: Int { newBelow.count }
    /// Changes in the store that are not in the list yet.
    var changes = LateChanges()
    /// The screen before messages of it went, until they are back.
    var lost: LostScreen?
    /// The messages that were there before a rewrite.
    var knownBefore = KnownBefore()
    var mouse = PaneMouse()
    /// Counts its requests and pauses.
    private var tickets = 0

    enum Opening: Hashable, Sendable {
        /// No list has been asked for yet.
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

    /// A ticket for a request or a pause. A result that bears an older ticket is dropped.
    mutating func nextTicket() -> PaneTicket {
        tickets += 1
        return PaneTicket(pane: number, number: tickets)
    }
}

extension Pane {
    var isThread: Bool { thread != nil }

    /// The columns that it keeps to.
    var grid: Grid { timeline.ruler.grid }

    /// The message under the cursor.
    var selectedMessage: Message? { timeline.selectedIndex.map { timeline.list[$0].message } }

    /// The message under the cursor, counted from the beginning of the conversation.
    var selectedPlace: Int? {
        guard let start = timeline.windowStart, let index = timeline.selectedIndex else { return nil }
        return start + index
    }

    /// The message of the window with this index in the conversation.
    func message(at index: Int) -> MessageID? {
        guard let start = timeline.windowStart, (start..<start + timeline.count).contains(index) else { return nil }
        return timeline.list[index - start].id
    }

    /// Whether a message stands in it.
    func holds(_ message: Message) -> Bool {
        guard let thread else { return message.isMain }
        return message.thread == thread
    }

    /// The neighbour of the first message where nothing stands before it: below the root of a thread its day needs no
    /// header.
    var beginning: Neighbour? {
        root.map(Pane.beginning)
    }

    static func beginning(below root: Entry) -> Neighbour {
        Neighbour(id: root.id, at: root.message.at, sender: nil, kind: .system)
    }
}
