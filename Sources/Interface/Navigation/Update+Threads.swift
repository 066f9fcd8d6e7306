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
        return showThread(root, at: .position(isRoot ? .latest : .message(message.id)))
    }

    /// Opens a thread beside the conversation, or goes to another place of the open one. Its root is shown at once if it is loaded.
    mutating func showThread(_ root: MessageID, at destination: ListRequest.Destination) -> [Effect] {
        guard let conversation else { return [] }
        if let thread = openThread, thread.thread == root, thread.opening == .shown {
            panes.focus(thread.number)
            return go(to: destination, in: conversation, leaving: .nothing, on: thread.number)
        }
        let loaded = panes.lazy.compactMap { $0.loaded(root) }.first
        closeThread()
        let number = panes.open(
            thread: root,
            Timeline(
                ruler: MessageRuler(grid: grid.with(columns: size.columns, names: nil)), height: rows.messages))
        pane.nameColumns = main.nameColumns
        pane.show(root: loaded, zone: zone)
        fitRoots()
        let room = (columns: columns(of: pane).count, height: max(1, rows.messages - headRows(of: pane)))
        pane.timeline.resize(
            ruler: MessageRuler(grid: grid.with(columns: room.columns, names: pane.nameColumns)),
            height: room.height)
        return request(destination, in: conversation, leaving: .nothing, on: number)
    }

    /// The first messages of a thread are on the screen.
    mutating func beginThread(on number: Int) {
        guard let root = panes[number]?.thread else { return }
        takeNewBelow(number)
        if let conversation { see(conversation.id) { $0.see(thread: root) } }
        reading.see(thread: root)
        finding.standInThread(in: context)
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
    /// Shows the root of the thread above its replies, in its newest form.
    mutating func show(root message: Message?, zone: Zone) {
        let newest = message.map { changes.newest[$0.id] ?? $0 }
        // A root that comes later than its thread gets its rows then.
        if root == nil { rootRows = 0 }
        root = newest.map { ThreadRoot($0, zone: zone) }
    }
}
