import Display
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
    var gaps = GapEdges()
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
    func isNewFromOthers(_ message: Message) -> Bool {
        message.presence == nil && message.sender.map { $0.id != me } ?? true
    }
}

/// Actions on the messages: they move the cursor, or use the selected message.
extension Pane: Component {
    mutating func handle(_ event: PanelEvent, in context: PaneContext) -> [Outcome] {
        switch event {
        case .action(let action): return act(action, in: context)
        case .mouse(let event): return use(event, in: context)
        case .text, .edit, .settled, .key: return []
        }
    }

    private mutating func act(_ action: Action, in context: PaneContext) -> [Outcome] {
        if action == .activate, opening != .shown { return retryOpening(in: context) }
        guard opening == .shown else { return [] }
        if action == .activate, let pending, pending.isWaiting { return retry(pending, in: context) }
        switch action {
        case .activate: return activate(in: context)
        case .beginning:
            selectsRoot = isThread && mark == nil
            return [.go(.position(.earliest))]
        case .end: return [.go(.position(.latest))]
        case .copyText: return copyText()
        case .select: return toggleMark()
        case .copyLink: return copyLink(in: context)
        case .copyAddress: return copyAddress()
        case .openLink: return openSelected()
        case .picture: return showPictures()
        case .fold: return toggleFold()
        default: return move(action)
        }
    }

    private mutating func move(_ action: Action) -> [Outcome] {
        // A user who moves on does not want an earlier request to change the screen.
        dropPending()
        if moveAtRoot(action) { return [.stay] }
        switch action {
        case .up: timeline.moveSelection(by: -1)
        case .down: timeline.moveSelection(by: 1)
        case .rowUp: timeline.scroll(by: -1)
        case .rowDown: timeline.scroll(by: 1)
        case .pageUp, .pageDown, .halfUp, .halfDown: timeline.scrollScreen(by: rows(of: action))
        default: return [.stay]
        }
        return [.stay] + viewportMoved()
    }

    /// Scrolls by screens, down when positive, also while the user writes a text.
    mutating func scroll(screens: Int) -> [Outcome] {
        timeline.scrollScreen(by: screens * rows(of: .pageDown))
        return viewportMoved()
    }

    /// The actions that move the cursor or the screen by a known distance.
    static let steps: Set<Action> = [.up, .down, .rowUp, .rowDown, .pageUp, .pageDown, .halfUp, .halfDown]

    /// The rows by which an action scrolls.
    private func rows(of action: Action) -> Int {
        let height = timeline.viewport.height
        return switch action {
        case .rowUp: -1
        case .rowDown: 1
        case .pageUp: -max(1, height - 2)
        case .pageDown: max(1, height - 2)
        case .halfUp: -max(1, height / 2)
        case .halfDown: max(1, height / 2)
        default: 0
        }
    }

    /// True if a step leads beyond the loaded messages while their page is loading.
    /// - Parameter orRetry: true to include a page that will be requested again, because it could not be loaded.
    func awaitsPage(_ action: Action, orRetry: Bool) -> Bool {
        guard opening == .shown, Pane.steps.contains(action) else { return false }
        return switch action {
        case .up: !isRootSelected && timeline.awaitsPage(steppingTo: .older, orRetry: orRetry)
        case .down: !isRootSelected && timeline.awaitsPage(steppingTo: .newer, orRetry: orRetry)
        default: timeline.awaitsPage(scrollingBy: rows(of: action), orRetry: orRetry)
        }
    }

    func awaitsPage(scrollingBy rows: Int, orRetry: Bool) -> Bool {
        opening == .shown && timeline.awaitsPage(scrollingBy: rows, orRetry: orRetry)
    }

    // MARK: - Enter

    /// Opens the target of the selected message, retries a failed load, or crosses a gap.
    mutating func activate(in context: PaneContext) -> [Outcome] {
        if let edge = timeline.selectedEdge ?? visibleEdge {
            timeline.leaveEdge()
            return use(edge)
        }
        return openQuoted(in: context)
    }

    /// The edge whose row on the screen has an action. Enter performs it even when the cursor is elsewhere, unless the
    /// selected message has something to open. For a gap, the cursor has to be next to it.
    private var visibleEdge: Side? {
        guard let message = selectedMessage, message.quote == nil else { return nil }
        return Side.allCases.first { side in
            let isVisible = timeline.viewport.rows.contains(timeline.row(of: side))
            let isBeside = timeline.selectedIndex == (side == .older ? 0 : timeline.count - 1)
            let isPlain = message.replyCount == 0 && message.presence == nil && !isFolded
            switch timeline.pager.state(of: side) {
            case .failed: return isVisible
            case .gap: return isVisible && isBeside && isPlain
            case .exhausted:
                // The last messages of a room that has moved say who has left it.
                let isFree = isPlain || side == .newer && message.presence != nil
                return timeline.linkedEdges.contains(side) && isBeside && isFree
                    && (isVisible || side == .newer && timeline.viewport.isFollowing)
            case .idle, .loading: return false
            }
        }
    }

    /// Retries the failed load of an edge, or goes to the messages beyond its gap, or to the conversation to which it leads.
    mutating func use(_ edge: Side) -> [Outcome] {
        if timeline.pager.state(of: edge) == .exhausted, timeline.linkedEdges.contains(edge) {
            return [.list(.followMove(edge))]
        }
        guard timeline.pager.state(of: edge) == .gap else { return retry(edge) }
        guard let neighbour = gaps[edge]?.gap.neighbour else {
            return [.tell("no \(edge == .older ? "older" : "newer") messages are here")]
        }
        return [.go(.position(.message(neighbour.id)))]
    }

    private mutating func openQuoted(in context: PaneContext) -> [Outcome] {
        guard let message = selectedMessage else { return [] }
        if message.presence != nil { return toggleFold() }
        guard let quote = message.quote else {
            let opensThread = message.replyCount > 0 || !isThread && ReplySummary.isNeeded(for: message)
            return opensThread ? [.perform(.thread)] : openPlain(in: context)
        }
        if quote.id == thread { return [.tell("it replies to the message above")] }
        guard quote.content != .missing else {
            return [.warn("the message it replies to is not here (\(quote.id))")]
        }
        // The root is in the main timeline, and so is the message that it quotes.
        if isRootSelected, let conversation = context.conversation {
            return [
                .go(.position(.message(quote.id)), in: conversation)
            ]
        }
        return [.go(.position(.message(quote.id)))]
    }

    /// Unfolds a message without a quote or replies; for a short one, a notice names the keys that act on it.
    private mutating func openPlain(in context: PaneContext) -> [Outcome] {
        if isFolded { return toggleFold() }
        let openables = selectedEntry?.openables ?? []
        guard openables.isEmpty else {
            let picture =
                openables.contains(where: \.isPicture) ? "\(context.keymap.keyName(.picture)) shows the picture, " : ""
            let key = context.keymap.keyName(.openLink)
            return [.tell("\(picture)\(key) opens the \(Openable.kind(of: openables)) of this message")]
        }
        guard context.canWrite else { return [.tell("nothing to open here")] }
        let thread = isThread ? "" : ", \(context.keymap.keyName(.thread)) begins a thread"
        return [.tell("nothing to open here; \(context.keymap.keyName(.reply)) replies\(thread)")]
    }

    // MARK: - Copying

    private func copyText() -> [Outcome] {
        guard let message = selectedMessage else { return [] }
        guard !message.isDeleted, !message.text.isEmpty else { return [.warn("this message has no text to copy")] }
        guard message.text.utf8.count <= ClipboardLimit.bytes else {
            return [.warn("this text is too long for the clipboard; use `kedge show`")]
        }
        let lines = message.text.count { $0.isNewline } + 1
        return [.tell(lines == 1 ? "text copied" : "text copied, \(lines) lines"), .effect(.copy(message.text))]
    }

    private func copyLink(in context: PaneContext) -> [Outcome] {
        guard let message = selectedMessage, let conversation else { return [] }
        let link =
            MatrixLink.link(to: message.id, in: context.conversation, by: context.me)
            ?? Link(conversation: conversation, message: message.id).description
        return [.tell("link copied: \(link)"), .effect(.copy(link))]
    }

    /// Copies the address of the only link of the selected message; if it has several, asks for a number.
    private mutating func copyAddress() -> [Outcome] {
        guard let entry = selectedEntry else { return [] }
        let links = entry.body.links
        guard let first = links.first else { return [.tell("this message has no link")] }
        if links.count == 1 { return Openable.link(first.address).copied }
        return ask(LinkNumbers(message: entry.id, openables: entry.openables, copies: true))
    }

    // MARK: - Links and files

    /// Opens the only link or file of the selected message; if it has several, asks for a number.
    private mutating func openSelected() -> [Outcome] {
        guard let entry = selectedEntry else { return [] }
        let all = entry.openables
        guard let first = all.first else { return [.tell("this message has no link or file")] }
        return all.count == 1
            ? open(first, of: all, in: entry.id) : ask(LinkNumbers(message: entry.id, openables: all))
    }

    /// Opens a link or a file of a message. A link that seems to lead elsewhere is shown first, with its true host.
    mutating func open(_ openable: Openable, of all: [Openable], in message: MessageID) -> [Outcome] {
        guard openable.disguisedHost == nil else {
            let number = all.firstIndex(of: openable).map { $0 + 1 }
            return ask(LinkNumbers(message: message, openables: all), number: number)
        }
        return conversation.map { openable.opened(in: $0) } ?? []
    }

    private mutating func ask(_ numbers: LinkNumbers, number: Int? = nil) -> [Outcome] {
        dropPending()
        return [.stay, .prompt(.link(numbers, number: number))]
    }

    private func showPictures() -> [Outcome] {
        guard let message = selectedMessage, let conversation else { return [] }
        let files = message.attachments.filter(\.isPicture).map { MessageFile($0, of: message.id, in: conversation) }
        return files.isEmpty ? [.tell("this message has no picture")] : [.pictures(files)]
    }

    // MARK: - Long texts

    /// Asks for the whole text of the selected message. The text of the message that was selected before is shortened, unless
    /// the user has unfolded it.
    mutating func keepSelectedText() -> [Outcome] {
        // The list of a thread holds whole texts.
        if isThread { return [] }
        let selected = timeline.selection.flatMap(timeline.list.index(of:)).map { timeline.list[$0] }
        if let former = selectedText.whole, former != selected?.id, let index = timeline.list.index(of: former),
            timeline.list[index].fold != false
        {
            let entry = timeline.list[index]
            timeline.update(Entry(entry.message.shortened, replacing: entry))
        }
        selectedText.whole = selected?.isWhole == true ? selected?.id : nil
        guard let selected, selected.isShortened else {
            selectedText.asked = nil
            return []
        }
        return selectedText.asked?.id == selected.id ? [] : askForText(of: selected.id, Retries())
    }

    private mutating func askForText(of id: MessageID, _ retries: Retries) -> [Outcome] {
        guard let conversation else { return [] }
        let ticket = nextTicket()
        selectedText = SelectedText(asked: (id, ticket), retries: retries)
        selectedText.retries.begin()
        return [.effect(.ask(.messages([conversation: [id]]), .text(ticket)))]
    }

    /// Shows a text that was requested, unless the cursor has moved on.
    mutating func receive(text ticket: PaneTicket, _ result: Result<[Message], StoreError>) -> [Outcome] {
        guard let asked = selectedText.asked, asked.ticket == ticket, let conversation else { return [] }
        var failure = StoreError.noSuchMessage(asked.id, in: conversation)
        switch result {
        case .success(let messages):
            guard let message = changes.overrule(messages).first(where: { $0.id == asked.id }) else { break }
            selectedText = SelectedText()
            guard let index = timeline.list.index(of: asked.id) else { return [] }
            timeline.update(Entry(message, replacing: timeline.list[index]))
            return viewportMoved()
        case .failure(let error): failure = error
        }
        let isFirst = selectedText.retries.count == 0
        let again = selectedText.retries.fail(failure, .text(ticket))
        if let again { return [.effect(again)] }
        let told: [Outcome] = isFirst ? [.warn(failure.description)] : []
        return told + [.lost, .effect(.retry(.text(ticket), afterFailures: selectedText.retries.count))]
    }

    mutating func retry(text ticket: PaneTicket) -> [Outcome] {
        guard let asked = selectedText.asked, asked.ticket == ticket else { return [] }
        return askForText(of: asked.id, selectedText.retries)
    }

    // MARK: - Folding

    /// True if rows of the selected message are folded away, or a part of its text is covered.
    var isFolded: Bool {
        guard !isRootSelected, let index = timeline.selectedIndex else { return false }
        return timeline.measure(of: index).foldedFrom != nil || timeline.list[index].isCovered
    }

    /// True if folding would hide rows of the selected message.
    var canFold: Bool {
        !isRootSelected && timeline.selectedIndex.map { timeline.measure(of: $0).canFold } ?? false
    }

    /// Folds or unfolds the selected message.
    mutating func toggleFold() -> [Outcome] {
        if isRootSelected { return [.tell("the message above its replies is not folded")] }
        guard let index = timeline.selectedIndex else { return [] }
        let rows = timeline.measure(of: index)
        guard rows.canFold else { return [.tell("this message is short; there is nothing to fold")] }
        let id = timeline.list[index].id
        let isFolded = rows.foldedFrom == nil && !timeline.list[index].isCovered
        // A user who unfolds a message wants to read on there, even at the end of the conversation.
        if !isFolded, timeline.viewport.isFollowing, let anchor = timeline.shownAnchor {
            timeline.restore(anchor, selection: id, following: false)
        }
        timeline.setFold(isFolded, of: id)
        // No empty rows are left below the end of the conversation.
        if isFolded, !timeline.viewport.isFollowing, timeline.viewport.bottom > timeline.content.upperBound {
            _ = timeline.jump(to: id, aligned: .minimal)
        }
        return [.pane(.folded(id, isFolded))] + viewportMoved()
    }
}
