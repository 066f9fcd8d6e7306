import Display
import Messages
import Search
import Timeline

/// The conversation on the screen: its panes, the user's way to it, how far it is read, and the search in it. A jump or an arrival
/// changes several of these together.
///
///     Arriving (lists, changes) ─→ ReadMarks ─→ Going (jumps), Unseen ─→ this file
struct OpenConversation: Sendable {
    /// Nil until the user has chosen a conversation.
    var conversation: Conversation?
    var panes: Panes
    var trail = Trail()
    var reading: Reading
    var finding = Finding()
    var bookmarks = KnownBookmarks()
    /// The read positions of others.
    var readers = Readers()
    /// The failed requests for the place of the window.
    var locating = Retries()
}

/// The part of the model outside of the open conversation that this may read.
struct Outside {
    let preferences: Preferences
    let size: Size
    /// The time of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil if not known.
    let me: PersonID?
    var panel: Panel?
    /// True if the help is open.
    let hasHelp: Bool
    /// True if a question about the selected message is on the screen.
    var isAskingAboutMessage: Bool
    /// The notice in the status line.
    let notice: Notice?
    /// The conversations of the list.
    let listed: [ConversationID: ConversationSummary]
    /// The columns of the list at the left; 0 while it is hidden.
    let sidebarColumns: Int
    /// The reason why nobody can write in the conversation.
    let obstacle: String?
    /// Texts that were sent, the newest last.
    let sent: [String]
    /// The members of conversations as their server knows them.
    let members: [ConversationID: [Person]]
}

/// The parts of the open conversation that its components may read.
extension OpenConversation {
    /// The pane that has the keys.
    var pane: Pane {
        get { panes.focused }
        _modify { yield &panes.focused }
    }

    var main: Pane { panes.main }
    var openThread: Pane? { panes.thread }
    var isInThread: Bool { pane.isThread }

    /// The folds of the conversation on the screen.
    var currentFolds: [MessageID: Bool] {
        get { conversation.flatMap { trail.folds[$0.id] } ?? [:] }
        set { if let conversation { trail.folds[conversation.id] = newValue } }
    }

    func directory(_ outside: Outside) -> Directory {
        Directory(current: conversation, listed: outside.listed, visited: trail.visited)
    }

    /// The conversation with this ID. While it is not known, its title is the ID.
    func known(_ id: ConversationID, _ outside: Outside) -> Conversation { directory(outside).conversation(id) }

    func context(_ outside: Outside) -> Context {
        Context(
            keymap: outside.preferences.keymap, size: outside.size, now: outside.now, zone: outside.zone,
            me: outside.me, panel: outside.panel, hasHelp: outside.hasHelp, notice: outside.notice,
            directory: directory(outside), conversation: conversation, panes: panes, reading: reading, trail: trail,
            folds: currentFolds, sent: outside.sent,
            composerColumns: ComposerView.columns(outside.size, margin: pane.grid.margin), readers: readers,
            members: conversation.flatMap { outside.members[$0.id] }, bookmarks: bookmarks.all,
            highlight: outside.preferences.highlight)
    }

    func paneContext(_ outside: Outside) -> PaneContext {
        PaneContext(
            keymap: outside.preferences.keymap, now: outside.now, zone: outside.zone, me: outside.me,
            conversation: conversation, reading: reading, folds: currentFolds, isWriting: outside.panel == .composer,
            isAskingAboutMessage: outside.isAskingAboutMessage,
            canWrite: outside.me != nil && outside.obstacle == nil)
    }

    /// Forwards to a pane, if it still exists.
    mutating func inPane(
        _ number: Int, _ outside: Outside, _ body: (inout Pane, PaneContext) -> [Outcome]
    ) -> [Outcome] {
        let context = paneContext(outside)
        return panes.change(number) { body(&$0, context) } ?? []
    }

    /// Forwards to the search in the conversation.
    mutating func inFind(_ outside: Outside, _ body: (inout Finding, Context) -> [Outcome]) -> [Outcome] {
        let context = context(outside)
        return body(&finding, context)
    }

    /// The user, with the words that count as mentions; nil if not known.
    func addressee(_ outside: Outside) -> Addressee? {
        context(outside).own
    }
}

/// The places of the panes on the screen.
extension OpenConversation {
    func split(_ outside: Outside) -> Split {
        Split(
            columns: outside.size.columns, after: outside.sidebarColumns, hasThread: openThread != nil,
            isInThread: isInThread, allowsBoth: !main.grid.isPlain)
    }

    /// The columns of a pane on the screen.
    func columns(of pane: Pane, _ outside: Outside) -> Range<Int> {
        let split = split(outside)
        return (pane.isThread ? split.thread : split.main) ?? outside.sidebarColumns..<outside.size.columns
    }

    /// Gives the root of the thread its rows for the size of the screen.
    mutating func fitRoot(_ outside: Outside) {
        guard let thread = openThread else { return }
        let columns = columns(of: thread, outside).count
        panes.change(thread.number) { $0.fitRoot(columns: columns, rows: Rows(rows: outside.size.rows).messages) }
    }
}

/// What is left and kept for the way back.
extension OpenConversation {
    /// The thread that is open, as a place to come back to.
    var threadBeside: ThreadBeside? { openThread.flatMap { ThreadBeside($0, hasKeys: isInThread) } }

    /// The screen of the conversation, with the thread next to it.
    var placeToLeave: ScreenPlace? {
        var place = main.place
        place?.beside = threadBeside
        return place
    }

    /// Records the place that was left, if it may be needed again.
    mutating func note(_ leaving: ListRequest.Leaving, from place: ScreenPlace?, on number: Int) {
        guard let place else { return }
        if place.conversation != conversation?.id {
            trail.leftAt[place.conversation] = place
            // Choosing the conversation again leads to its main timeline; only going back leads to its thread.
            trail.leftAt[place.conversation]?.beside = nil
        }
        panes.change(number) { $0.note(leaving, from: place) }
    }

    /// Cancels the list that is loading.
    mutating func dropPending() {
        guard pane.opening == .shown else { return }
        pane.dropPending()
        finding.giveUp()
    }

    /// Cancels earlier requests that would lead elsewhere.
    mutating func stayHere() {
        if let thread = openThread, thread.opening != .shown { closeThread() }
        panes.updateAll { pane in if pane.opening == .shown { pane.dropPending() } }
        finding.giveUp()
        trail.seeksUnread = false
        bookmarks.wanted = nil
    }

    /// Esc ends the selection of several messages, else the search, else it closes the thread.
    mutating func cancel() -> [Outcome] {
        if pane.mark != nil {
            pane.mark = nil
            return []
        }
        if finding.find != nil, !isInThread { return finding.end() }
        closeThread()
        return []
    }

    /// Goes to another conversation, where the user left it, or to its newest message if it was not opened yet.
    mutating func visit(_ chosen: Conversation, _ outside: Outside) -> [Outcome] {
        dropPending()
        guard chosen.id != conversation?.id else { return [] }
        let place = trail.leftAt[chosen.id].map { ListRequest.Destination.place($0) } ?? .position(.latest)
        // The next keys are meant for the other conversation.
        return (outside.panel == .composer ? [.compose(.leave)] : []) + [.go(place, in: chosen)]
    }

    /// Applies newly loaded data, such as the title, to a conversation that was shown by its ID.
    mutating func name(by listed: (ConversationID) -> Conversation?) {
        if let id = conversation?.id, let named = listed(id) { conversation = named }
        if let id = pane.pending?.conversation.id, let named = listed(id) { pane.pending?.conversation = named }
    }

    /// The name of a conversation that can be requested only when something else is known.
    var awaited: String? {
        if trail.seeksUnread { return "a conversation with something new" }
        return bookmarks.wanted.map { "bookmark \($0.letter)" }
    }

    /// Leaves the thread for an action on the whole conversation. Without room for both, this closes it.
    mutating func leaveThread(_ outside: Outside) {
        guard isInThread else { return }
        if outside.size.columns - outside.sidebarColumns < Split.wide {
            closeThread()
        } else {
            panes.focus(main.number)
        }
    }

    /// Closes the thread. The main timeline stays where the user left it.
    mutating func closeThread() {
        if let thread = openThread, let conversation, thread.newCount > 0 {
            reading.newBelow[WritingPlace(conversation: conversation.id, thread: thread.thread)] = thread.newBelow
        }
        panes.closeThread()
    }

    /// Keeps the numbers of new messages of all panes until the user comes back to the conversation.
    mutating func putNewBelowAside() {
        guard let conversation else { return }
        for pane in panes where pane.newCount > 0 {
            reading.newBelow[WritingPlace(conversation: conversation.id, thread: pane.thread)] = pane.newBelow
        }
        panes.updateAll { $0.newBelow = NewBelow() }
    }

    /// Restores the number for a pane that shows its conversation or thread again.
    mutating func takeNewBelow(_ number: Int) {
        guard let conversation, let pane = panes[number] else { return }
        let place = WritingPlace(conversation: conversation.id, thread: pane.thread)
        let newBelow = reading.newBelow.removeValue(forKey: place) ?? NewBelow()
        panes.change(number) { $0.newBelow = newBelow }
    }
}
