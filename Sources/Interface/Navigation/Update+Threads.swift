import Display
import Messages
import Timeline

/// Opens threads beside the conversation, and leaves them.
extension Model {
    /// t: opens the thread of the selected message, at that message if it is a reply. In the thread itself, t closes it.
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

    /// Opens a thread beside the conversation as soon as its messages have come.
    mutating func showThread(_ root: MessageID, at reply: MessageID?) -> [Effect] {
        guard let conversation else { return [] }
        return request(.thread(root, at: reply), in: conversation, leaving: .nothing, on: main.number)
    }

    /// The messages of a thread have come.
    mutating func show(_ page: Page, ofThread root: MessageID, at reply: MessageID?) throws(DuplicateID) -> [Effect] {
        // Changes that came in meanwhile are known to the pane that asked.
        let changes = main.changes
        panes.main.pending = nil
        closeThread()
        let number = panes.open(
            thread: root,
            Timeline(
                ruler: MessageRuler(grid: grid.with(columns: size.columns, names: nil)), height: rows.messages))
        pane.changes = changes
        pane.nameColumns = main.nameColumns
        pane.root = page.root.map { ThreadRoot(changes.newest[$0.id] ?? $0, zone: zone) }
        fitRoots()
        let context = paneContext
        let room = (columns: columns(of: pane).count, height: max(1, rows.messages - headRows(of: pane)))
        do {
            pane.timeline.resize(
                ruler: MessageRuler(grid: grid.with(columns: room.columns, names: pane.nameColumns)),
                height: room.height)
            try pane.open(page, at: reply, in: context)
        } catch {
            closeThread()
            throw error
        }
        takeNewBelow(number)
        if let conversation { see(conversation.id) { $0.see(thread: root) } }
        reading.see(thread: root)
        let settling = pane.settleChanges(page, in: context)
        return carryOut(settling) + [.reportProblems] + carryOut(pane.viewportMoved())
    }

    /// Leaves the thread for an action on the whole conversation. Where both have no room, this closes it.
    mutating func leaveThread() {
        guard isInThread else { return }
        if size.columns - sidebarColumns < Split.wide { closeThread() } else { panes.focus(main.number) }
    }

    /// Closes the thread. The main timeline is where the user has left it.
    mutating func closeThread() {
        if let thread = openThread, let conversation, thread.newCount > 0 {
            reading.newBelow[WritingPlace(conversation: conversation.id, thread: thread.thread)] = thread.newBelow
        }
        panes.closeThread()
    }
}

extension Pane {
    /// Shows the replies of a thread: at one of them, or at the newest one.
    fileprivate mutating func open(
        _ page: Page, at reply: MessageID?, in context: PaneContext
    ) throws(DuplicateID) {
        try timeline.open(
            entries(of: page, in: context), older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
            total: page.place?.total, focus: reply ?? page.messages.last?.id, alignment: .middle,
            following: reply == nil)
        opening = .shown
        target = reply
        // A thread that begins with the user keeps the cursor on its root until the user moves.
        selectsRoot = page.messages.isEmpty
    }
}
