import Display
import Markup
import Messages
import Timeline

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

    private mutating func copyText() -> [Outcome] {
        if mark != nil, let range = markedRange {
            mark = nil
            return [.begin(.copy(range))]
        }
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

extension Openable {
    /// Copies the address of the link.
    var copied: [Outcome] {
        guard case .link(let address) = self else { return [.warn("a file has no address to copy")] }
        return [.tell("address copied: \(address)"), .effect(.copy(address))]
    }

    /// Opens the link or file in the user's program for it.
    func opened(in conversation: ConversationID) -> [Outcome] {
        let work: Outcome =
            switch self {
            case .link(let address): .effect(.openLink(address))
            case .file(let file, let message): .begin(.open(MessageFile(file, of: message, in: conversation)))
            }
        return [.tell("opening \(name)"), work]
    }
}

/// Actions of the mouse on the messages. Positions count from the first row and column of the pane.
extension Pane {
    /// The part of a message under a cell.
    enum Spot: Hashable {
        case quote
        /// The link or file with this index.
        case openable(Int)
        /// A reaction, the number of hidden reactions, or the number of replies in its thread.
        case meta(MessageMeta.Part)
        case other
    }

    mutating func use(_ event: Mouse, in context: PaneContext) -> [Outcome] {
        guard opening == .shown else { return [] }
        let row = event.position.row
        switch event.action {
        case .wheelUp, .wheelDown: return event.wheelRows.map { wheel(by: $0) } ?? []
        case .press(let clicks):
            (mouse.isDragging, mouse.pressedRow) = (false, nil)
            if isThread, row < 0 { return clickHead() }
            guard (0..<timeline.viewport.height).contains(row) else { return [] }
            guard grid.rightMargin > 0, event.position.column >= grid.columns - grid.rightMargin else {
                mouse.pressedRow = row
                return click(event.position, clicks: clicks, in: context)
            }
            mouse.isDragging = true
            return goToScrollBarRow(row, leaving: .jump)
        case .drag:
            if mouse.pressedRow != nil { return dragOver(row) }
            // The list that the press requested may still be loading; then the whole drag is one jump.
            let isFirst = pending?.leaving == .jump
            return mouse.isDragging ? goToScrollBarRow(row, leaving: isFirst ? .jump : .nothing) : []
        case .release:
            (mouse.isDragging, mouse.pressedRow) = (false, nil)
            return []
        }
    }

    private mutating func wheel(by rows: Int) -> [Outcome] {
        dropPending()
        timeline.scroll(by: rows)
        return [.stay] + viewportMoved()
    }

    /// A drag from message to message selects them, as `v` and steps do; beyond the first or the last row it scrolls.
    private mutating func dragOver(_ row: Int) -> [Outcome] {
        let rows = 0..<timeline.viewport.height
        guard let index = timeline.selectedIndex, !isRootSelected else { return [] }
        if !rows.contains(row) { timeline.scroll(by: row < 0 ? -1 : 1) }
        let row = min(max(rows.lowerBound, row), rows.upperBound - 1)
        let isElsewhere = timeline.layout.index(at: timeline.viewport.top + row).map { $0 != index } ?? false
        let begun: [Outcome] = isElsewhere && mark == nil ? toggleMark() : []
        if mark != nil { timeline.select(atScreenRow: row) }
        return begun + [.stay] + viewportMoved()
    }

    private mutating func click(_ position: ScreenPosition, clicks: Int, in context: PaneContext) -> [Outcome] {
        // The second half of a double click, after the first half has jumped.
        if mouse.hasJumped, clicks == 2 { return [] }
        mouse.hasJumped = false
        dropPending()
        return [.stay] + select(position, clicks: clicks, in: context)
    }

    private mutating func select(_ position: ScreenPosition, clicks: Int, in context: PaneContext) -> [Outcome] {
        for side in Side.allCases where timeline.row(of: side) - timeline.viewport.top == position.row {
            return use(side)
        }
        guard timeline.select(atScreenRow: position.row) else { return [] }
        selectsRoot = false
        if timeline.selectedIndex.flatMap({ timeline.list[$0].run }) != nil { return clicks == 2 ? [] : toggleFold() }
        let spot = spot(at: position, in: context)
        switch spot {
        // A click on a quote jumps to the quoted message. The second half of a double click must not jump further.
        case .quote:
            (mouse.hasJumped, mouse.pressedRow) = (true, nil)
            return activate(in: context)
        case .meta(.replies) where !isThread && !context.isWriting:
            (mouse.hasJumped, mouse.pressedRow) = (true, nil)
            return [.perform(.thread)]
        case .meta(.reaction(let emoji)):
            // The second half of a double click must not remove the reaction again.
            return clicks == 2 || !context.canWrite
                ? [] : selectedMessage.map { [.compose(.react(emoji, to: $0.id))] } ?? []
        case .meta(.more): return clicks == 2 || context.isWriting ? [] : [.perform(.reactions)]
        case .meta(.replies), .openable, .other: break
        }
        guard clicks == 2 else { return [] }
        if let outcomes = open(spot) { return outcomes }
        // Going elsewhere would leave the text that is being written.
        if context.isWriting, selectedMessage?.quote == nil { return [] }
        return activate(in: context)
    }

    /// A double click on a link or a file opens it.
    private mutating func open(_ spot: Spot) -> [Outcome]? {
        guard case .openable(let number) = spot, let index = timeline.selectedIndex else {
            return nil
        }
        let entry = timeline.list[index]
        let all = entry.openables
        return all.indices.contains(number) ? open(all[number], of: all, in: entry.id) : nil
    }

    private func spot(at position: ScreenPosition, in context: PaneContext) -> Spot {
        guard let index = timeline.layout.index(at: timeline.viewport.top + position.row),
            position.column >= grid.textStart
        else { return .other }
        let entry = timeline.list[index]
        let offset = position.row - timeline.screenRow(of: index)
        let rows = timeline.measure(of: index)
        if offset == rows.metaRow, let part = meta(at: position.column, of: entry, in: rows, context) {
            return .meta(part)
        }
        switch rows.row(offset).content {
        case .quote: return .quote
        case .text(let wrapped, let line) where entry.body.line(line).kind == .prose:
            let column = position.column - grid.textStart - wrapped.indent
            guard column >= 0, column < wrapped.text.columns else { return .other }
            // The first byte of the character under the column.
            let before = wrapped.text.prefix(columns: column).string.utf8.count
            let place = wrapped.start + before
            let link = entry.body.links.firstIndex { $0.line == line && $0.whole.contains(place) }
            return link.map(Spot.openable) ?? .other
        case .attachment(let file): return .openable(entry.body.links.count + file)
        default: return .other
        }
    }

    /// Reactions and the number of replies stand at the right end of the last row of the text, or at the left of their own row.
    private func meta(
        at column: Int, of entry: Entry, in rows: MessageRows, _ context: PaneContext
    ) -> MessageMeta.Part? {
        let start = rows.metaStart(of: entry, grid)
        return MessageMeta.part(
            at: column - grid.textStart, of: entry.message, after: start, grid: grid, now: context.now,
            me: context.me, isAtLeft: rows.hasMetaRow)
    }

    /// Goes to the place for this row of the scroll bar's thumb.
    private func goToScrollBarRow(_ row: Int, leaving: ListRequest.Leaving) -> [Outcome] {
        let visible = timeline.span(of: timeline.visibleIndices)
        guard let total = timeline.totalCount,
            let bar = ScrollBar(height: timeline.viewport.height, first: 0, visible: visible, total: total)
        else { return [] }
        switch bar.target(ofThumbAt: row) {
        case .beginning: return [.go(.position(.earliest), leaving: leaving)]
        case .end: return [.go(.position(.latest), leaving: leaving)]
        case .index(let index): return [.go(.position(.index(index)), leaving: leaving)]
        }
    }
}
