import Display
import Messages
import Timeline

/// Keys go to the focused pane, and everything that follows them works on it; an event for another one is brought to it
/// by `on`.
extension Model {
    var pane: Pane {
        get { panes.focused }
        _modify { yield &panes.focused }
    }

    var isInThread: Bool { pane.thread != nil }
    var main: Pane { panes.main }
    var openThread: Pane? { panes.thread }

    var split: Split { Split(columns: size.columns, hasThread: openThread != nil, isInThread: isInThread) }

    /// The model with the keys in another pane.
    func focused(on number: Int) -> Model {
        var other = self
        other.panes.focus(number)
        return other
    }

    /// Does something in a pane as if the keys went there; nothing when it is not there any more.
    mutating func on(_ number: Int, _ body: (inout Model) -> [Effect]) -> [Effect] {
        let former = pane.number
        panes.focus(number)
        guard pane.number == number else { return [] }
        // It may give the keys to another pane.
        defer { if former != number { panes.focus(former) } }
        return body(&self)
    }

    mutating func onAll(_ body: (inout Model) -> [Effect]) -> [Effect] {
        panes.map(\.number).flatMap { on($0, body) }
    }

    /// A change without effects.
    mutating func changeAll(_ body: (inout Model) -> Void) {
        _ = onAll { model in
            body(&model)
            return []
        }
    }

    mutating func onMain(_ body: (inout Model) -> [Effect]) -> [Effect] { on(main.number, body) }

    /// An action for the whole conversation leaves the thread; where both have no room, that closes it.
    mutating func leaveThread() {
        guard isInThread else { return }
        if size.columns < Split.wide { closeThread() } else { panes.focus(main.number) }
    }

    /// The main timeline is as it was left.
    mutating func closeThread() {
        if let thread = openThread, let conversation, thread.newCount > 0 {
            newBelow[WritingPlace(conversation: conversation.id, thread: thread.thread)] = thread.newBelow
        }
        panes.closeThread()
    }

    /// Gives each pane its columns and rows, less those of the composer, and posts on their way their place below the last
    /// message.
    mutating func fitPanes() -> [Effect] {
        // Of the pane that is written in: each of them has a draft of its own.
        let (writer, rows, target) = (pane.number, composerRows, composer?.target)
        return onAll { $0.fitPane(composerRows: rows, keeping: rows > 0 && $0.pane.number == writer ? target : nil) }
    }

    /// - Parameter target: the message that is edited or replied to: it stays on the screen.
    private mutating func fitPane(composerRows: Int, keeping target: MessageID?) -> [Effect] {
        let columns = columns.count
        let height = height(composerRows: composerRows)
        let cover = max(0, self.height(composerRows: 0) - height)
        var hasMoved = true
        if grid.columns != columns {
            let ruler = MessageRuler(grid: Grid(columns: columns))
            pane.timeline.resize(ruler: ruler, height: height, cover: cover, keeping: target)
        } else if timeline.viewport.height != height || timeline.cover != cover || timeline.kept != target {
            pane.timeline.setHeight(height, cover: cover, keeping: target)
        } else {
            hasMoved = false
        }
        let footer = outgoingEntries.reduce(typingLine == nil ? 0 : 1) { $0 + timeline.ruler.measure($1).height }
        if timeline.footer != footer {
            pane.timeline.setFooter(rows: footer)
            hasMoved = true
        }
        return hasMoved ? pane.viewportMoved() : []
    }

    /// Columns and rows of the pane that has the keys.
    var area: (columns: Int, height: Int) {
        (columns.count, max(1, rows.messages - headRows))
    }

    /// Rows of its messages beside a composer of this height.
    private func height(composerRows: Int) -> Int {
        let rows = Rows(rows: size.rows, composer: composerRows).messages
        return max(1, rows - (isInThread ? ThreadHead.height(of: pane, height: rows) : 0))
    }

    /// Those of the screen that it has.
    var columns: Range<Int> { (isInThread ? split.thread : split.main) ?? 0..<size.columns }

    /// Rows of the head above the replies; 0 in the main timeline.
    var headRows: Int { isInThread ? ThreadHead.height(of: pane, height: rows.messages) : 0 }

    /// Gives the root of the open thread the rows that it takes now, on a screen of this size.
    mutating func fitRoot() {
        changeAll { model in
            guard model.isInThread else { return }
            model.pane.rootRows = ThreadHead.rows(
                of: model.pane.root, columns: model.columns.count, height: model.rows.messages + model.rows.composer)
        }
    }

}

// MARK: - Threads

extension Model {
    /// t: the thread of the selected message, at it when it is a reply; there, the way back.
    mutating func toggleThread() -> [Effect] {
        guard let message = selectedMessage else {
            if isInThread { closeThread() }
            return []
        }
        let isRoot = message.thread == nil || message.replyCount > 0
        let root = isRoot ? message.id : message.thread ?? message.id
        guard root != openThread?.thread else {
            if isInThread { closeThread() } else if let thread = openThread { panes.focus(thread.number) }
            return []
        }
        return showThread(root, at: isRoot ? nil : message.id)
    }

    /// Opens a thread beside the conversation: when its messages are there.
    mutating func showThread(_ root: MessageID, at reply: MessageID?) -> [Effect] {
        guard let conversation else { return [] }
        return onMain { $0.requestList(.thread(root, at: reply), in: conversation, leaving: .nothing) }
    }

    /// The messages of a thread are there.
    mutating func show(_ page: Page, ofThread root: MessageID, at reply: MessageID?) throws(DuplicateID) -> [Effect] {
        // The messages that came in meanwhile were told to the pane that asked.
        let changes = pane.changes
        pane.pending = nil
        closeThread()
        panes.open(
            Pane(
                number: nextEpoch(), conversation: pane.conversation, thread: root,
                timeline: Timeline(
                    ruler: MessageRuler(grid: Grid(columns: size.columns)), height: rows.messages, startsAtTop: true)))
        pane.changes = changes
        pane.root = page.root.map { Entry(root: (changes.newest[$0.id] ?? $0).asRoot, zone: zone) }
        fitRoot()
        do {
            let area = area
            pane.timeline.resize(ruler: MessageRuler(grid: Grid(columns: area.columns)), height: area.height)
            try pane.timeline.open(
                entries(of: page), older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                total: page.place?.total, focus: reply ?? page.messages.last?.id, alignment: .middle,
                following: reply == nil)
        } catch {
            closeThread()
            throw error
        }
        pane.opening = .shown
        takeNewBelow()
        if let conversation { see(conversation.id) { $0.see(thread: root) } }
        reading.see(thread: root)
        pane.target = reply
        return settleChanges(page) + [.reportProblems] + pane.viewportMoved()
    }

    /// The messages of a page of this pane, as they are now.
    func entries(of page: Page) -> [Entry] {
        Entry.entries(
            pane.changes.overrule(page.messages), after: page.older.neighbour ?? pane.beginning, zone: zone,
            firstUnread: lineAbove, folds: currentFolds)
    }

    /// The message above which the line stands in this pane: in no thread.
    var lineAbove: MessageID? { isInThread ? nil : reading.firstUnread }

    /// The root of the open thread, as it is now.
    mutating func updateRoot(_ message: Message) {
        guard pane.thread == message.id else { return }
        defer { if pane.rootRows == 0 { fitRoot() } }
        // One that was not there gets its place.
        if pane.root == nil { pane.rootRows = 0 }
        pane.root = pane.root.map { Entry(message.asRoot, replacing: $0) } ?? Entry(root: message.asRoot, zone: zone)
    }
}

extension Message {
    /// As it stands above its replies, which need not be counted there once more: no more of its text than any screen
    /// shows, since it is laid out for each frame.
    var asRoot: Message {
        var root = self
        root.replyCount = 0
        root.text = text.beginning(ThreadHead.longestText)
        return root
    }
}
