import Display
import Messages
import Search
import Timeline

/// Jumps to other places, and the way back.
extension Model {
    /// Goes to a place of this conversation: at once if the window holds the place, else when its page has come.
    /// - Parameter number: the number of the pane; nil for the pane that has the keys.
    mutating func go(
        to destination: ListRequest.Destination, leaving: ListRequest.Leaving = .jump, on number: Int? = nil
    ) -> [Effect] {
        guard let conversation else { return [] }
        return go(to: destination, in: conversation, leaving: leaving, on: number)
    }

    mutating func go(
        to destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving = .jump,
        on number: Int? = nil
    ) -> [Effect] {
        switch destination {
        case .hit, .reply: break
        default: finding.giveUp()
        }
        let beside = threadBeside
        leaveThread(for: destination, in: conversation, on: number)
        let number = number ?? pane.number
        var left = reader.panes[number]?.place
        if number == main.number { left?.beside = beside }
        guard left != nil, conversation.id == self.conversation?.id,
            reader.panes.change(number, { $0.show(destination) }) == true
        else {
            let effects = request(destination, in: conversation, leaving: leaving, on: number)
            if number == main.number { reader.panes.main.pending?.beside = beside }
            return effects
        }
        var effects = arrive(at: destination)
        note(leaving, from: left, on: number)
        reader.panes.change(number) { $0.dropPending() }
        effects += searchOn(destination)
        return effects + carryOut(reader.panes.change(number) { $0.viewportMoved() })
    }

    /// Goes to a message of the main timeline, or of the open thread if that shows it. For a message of another thread, the main
    /// timeline goes to the root, and the thread is opened.
    mutating func go(toMain message: MessageID, in conversation: Conversation) -> [Effect] {
        let isInThread = openThread?.timeline.list.index(of: message) != nil
        return go(to: .position(.message(message)), in: conversation, on: isInThread ? pane.number : main.number)
    }

    /// The thread that is open, as a place to come back to.
    var threadBeside: ThreadBeside? { openThread.flatMap { ThreadBeside($0, hasKeys: isInThread) } }

    /// The screen of the conversation, with the thread next to it.
    var placeToLeave: ScreenPlace? {
        var place = main.place
        place?.beside = threadBeside
        return place
    }

    /// Leaves a thread for a place outside it. A global hit may be outside the thread.
    private mutating func leaveThread(
        for destination: ListRequest.Destination, in conversation: Conversation, on number: Int?
    ) {
        switch destination {
        case .found: return leaveThread()
        case .position(.message) where number == main.number: return leaveThread()
        case .hit(let hit) where !hit.place.isReply: return leaveThread()
        default: break
        }
        if conversation.id != self.conversation?.id { leaveThread() }
    }

    /// Handles the arrival at a requested place.
    mutating func arrive(at destination: ListRequest.Destination) -> [Effect] {
        switch destination {
        case .hit(let hit):
            if let id = main.message(at: hit.place.index) { openRun(at: id) }
            return land(on: hit)
        case .position(.message(let id)): openRun(at: id)
        case .found(let id, _):
            openRun(at: id)
            // The hit may have been deleted since it was found.
            if main.isDeleted(id) { warn("this message has been deleted since it was found") }
        case .place(let place): return reopen(place.beside)
        case .reply:
            if let id = pane.target, pane.isThread { finding.land(onReply: id) }
        case .position, .unread, .again: break
        }
        return []
    }

    /// Reopens the thread that was next to a place.
    mutating func reopen(_ beside: ThreadBeside?) -> [Effect] {
        // While the user types words of a search, the earlier screen is restored now and then.
        guard let conversation, panel != .find else { return [] }
        guard let beside else {
            if openThread?.isFromJump == true { closeThread() }
            return []
        }
        if let thread = openThread, thread.thread == beside.root {
            if beside.hasKeys { reader.panes.focus(thread.number) }
            return []
        }
        let effects = showThread(beside.root, at: .place(beside.place(in: conversation.id)))
        if !beside.hasKeys { reader.panes.focus(main.number) }
        return effects
    }

    /// Unfolds the run of a requested presence line.
    private mutating func openRun(at id: MessageID) {
        if let item = reader.panes.main.openRun(at: id) { currentFolds[item] = false }
    }

    /// After a jump to a hit of the search everywhere, searches for the same words in the conversation.
    mutating func searchOn(_ destination: ListRequest.Destination) -> [Effect] {
        guard case .found(_, let words) = destination else { return [] }
        let effects = carryOut(finding.begin(words, towards: .newer, in: context))
        finding.find?.isEverywhere = search.conversations.count > 1
        if let target = main.target, target == main.timeline.selection, let index = main.selectedPlace {
            revealHit()
            finding.stand(at: index, landing: main.place)
        }
        return effects
    }

    /// At the end, newer messages are looked for.
    mutating func go(toShare position: PageRequest.Position, leaving: ListRequest.Leaving = .jump) -> [Effect] {
        let effects = go(to: .position(position), leaving: leaving)
        guard position == .latest, pending == nil else { return effects }
        pane.timeline.lookForNewer()
        return effects + carryOut(pane.viewportMoved())
    }
}

// MARK: - Hits

extension Model {
    /// Handles the arrival at a hit of the search.
    private mutating func land(on hit: FindHit) -> [Effect] {
        revealHit()
        finding.land(on: hit, landing: main.place)
        if hit.place.isReply {
            guard panel != .find, let reply = find?.reply(of: hit) else { return [] }
            return show(reply, of: hit)
        }
        if let match = finding.find.flatMap({ main.timeline.arrival(hit.direction, of: $0.query) }) { show(match) }
        return []
    }

    /// Shows a match in a long message that the search has reached.
    mutating func show(_ match: FindHit.Inner) {
        guard let id = main.timeline.selection else { return }
        if reader.panes.main.timeline.showSelected(match.place) { currentFolds[id] = false }
        finding.land(on: match, landing: main.place)
    }

    /// Opens the thread of a hit, at the hit.
    mutating func show(_ reply: ListRequest.Reply, of hit: FindHit) -> [Effect] {
        guard let root = main.message(at: hit.place.index), main.loaded(root).map({ $0.replyCount > 0 }) == true else {
            tell("\(find?.standing(isAtHit: true) ?? "") · a reply in a thread whose first message is not here")
            return []
        }
        let effects = showThread(root, at: .reply(reply))
        // If the conversation has not moved, the way back leads only out of the thread.
        pane.isFromJump = find?.isInHistory ?? false
        return effects
    }

    /// Brings a hit in the selected message onto the screen.
    private mutating func revealHit() {
        guard let query = finding.find?.query, let id = main.timeline.selection else { return }
        if reader.panes.main.timeline.revealHit(of: query) { currentFolds[id] = false }
    }

    /// Folds messages again that the search unfolded.
    mutating func restoreFolds(_ former: [MessageID: Bool]) -> [Effect] {
        let now = currentFolds
        for id in Set(now.keys).union(former.keys) where now[id] != former[id] {
            reader.panes.main.timeline.setFold(former[id], of: id)
        }
        currentFolds = former
        return carryOut(reader.panes.main.viewportMoved())
    }

    /// The folds of the conversation on the screen.
    var currentFolds: [MessageID: Bool] {
        get { conversation.flatMap { reader.trail.folds[$0.id] } ?? [:] }
        set { if let conversation { reader.trail.folds[conversation.id] = newValue } }
    }
}

// MARK: - History

extension Model {
    /// Records the place that was left, if it may be needed again.
    mutating func note(_ leaving: ListRequest.Leaving, from place: ScreenPlace?, on number: Int) {
        guard let place else { return }
        if place.conversation != conversation?.id {
            reader.trail.leftAt[place.conversation] = place
            // Choosing the conversation again leads to its main timeline; only going back leads to its thread.
            reader.trail.leftAt[place.conversation]?.beside = nil
        }
        reader.panes.change(number) { $0.note(leaving, from: place) }
    }

    /// Back. Before the first jump in a thread this leads to the conversation.
    mutating func goBack() -> [Effect] {
        if isInThread, pending == nil {
            pane.history.skip(place)
            if history.back.isEmpty {
                guard pane.isFromJump, !main.history.back.isEmpty else {
                    closeThread()
                    return []
                }
                // The thread is part of the jump to its reply, so the user goes back to where the jump began.
                reader.panes.focus(main.number)
            }
        }
        return walk(by: -1)
    }

    /// Moves through the history. Steps during a load count from the place that is loading.
    mutating func walk(by step: Int) -> [Effect] {
        if pending == nil { pane.history.skip(place) }
        var steps = step
        switch pending?.leaving {
        case .back(let others)?: steps -= others
        case .forward(let others)?: steps += others
        case .jump?, .nothing?, .reload?, nil: break
        }
        guard steps != 0 else {
            dropPending()
            return []
        }
        let places = steps < 0 ? history.back : history.forward
        guard abs(steps) <= places.count else {
            if pending == nil {
                tell(step < 0 ? "nothing to go back to" : "nothing to go forward to")
            }
            return []
        }
        let place = places[places.count - abs(steps)]
        return go(
            to: .place(place), in: known(place.conversation), leaving: steps < 0 ? .back(-steps) : .forward(steps))
    }

    /// Cancels the list that is loading.
    mutating func dropPending() {
        guard opening == .shown else { return }
        pane.dropPending()
        finding.giveUp()
    }
}

/// Jumps to a percentage of the conversation: digits, and `%`.
extension Model {
    /// Keeps digits until `%` is pressed.
    mutating func takeDigit(_ key: Key) -> Bool {
        guard opening == .shown, case .character(let character) = key, character.isASCII, character.isNumber,
            inputState.digits.count < 3, keymap.action(for: key) == nil
        else { return false }
        inputState.digits.append(character)
        return true
    }

    /// Goes to the message at this percentage of the conversation.
    mutating func goToShare() -> [Effect] {
        guard let percent = Int(inputState.digits) else {
            tell("type a number first: 50% is the middle of the conversation")
            return []
        }
        return go(toShare: PageRequest.Position(percentage: "\(min(percent, 100))%") ?? .latest)
    }
}

/// Opens and leaves threads, which are next to the conversation.
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
            if isInThread { closeThread() } else if let thread = openThread { reader.panes.focus(thread.number) }
            return []
        }
        return showThread(root, at: .position(isRoot ? .latest : .message(message.id)))
    }

    /// Opens a thread next to the conversation, or goes to a place of the open one. Shows a loaded root at once.
    mutating func showThread(_ root: MessageID, at destination: ListRequest.Destination) -> [Effect] {
        guard let conversation else { return [] }
        if let thread = openThread, thread.thread == root, thread.opening == .shown {
            reader.panes.focus(thread.number)
            return go(to: destination, in: conversation, leaving: .nothing, on: thread.number)
        }
        let loaded = reader.panes.lazy.compactMap { $0.loaded(root) }.first
        closeThread()
        let number = reader.panes.open(
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

    /// Updates the read marks for a thread whose first messages are on the screen.
    mutating func beginThread(on number: Int) {
        guard let root = reader.panes[number]?.thread else { return }
        takeNewBelow(number)
        reading.see(thread: root)
        finding.standInThread(in: context)
    }

    /// Leaves the thread for an action on the whole conversation. Without room for both, this closes it.
    mutating func leaveThread() {
        guard isInThread else { return }
        if size.columns - sidebarColumns < Split.wide { closeThread() } else { reader.panes.focus(main.number) }
    }

    /// Closes the thread. The main timeline stays where the user left it.
    mutating func closeThread() {
        if let thread = openThread, let conversation, thread.newCount > 0 {
            reading.newBelow[WritingPlace(conversation: conversation.id, thread: thread.thread)] = thread.newBelow
        }
        reader.panes.closeThread()
    }
}

extension Model {
    /// The pane that has the keys.
    var pane: Pane {
        get { reader.panes.focused }
        _modify { yield &reader.panes.focused }
    }

    var isInThread: Bool { pane.isThread }
    var main: Pane { reader.panes.main }
    var openThread: Pane? { reader.panes.thread }

    // Properties of the pane that has the keys:
    var timeline: Timeline<MessageRuler> { pane.timeline }
    var opening: Pane.Opening { pane.opening }
    var pending: ListRequest? { pane.pending }
    var history: JumpHistory { pane.history }
    var place: ScreenPlace? { pane.place }
    var selectedMessage: Message? { pane.selectedMessage }
    /// The columns of the messages.
    var grid: Grid { pane.grid }

    var split: Split {
        Split(
            columns: size.columns, after: sidebarColumns, hasThread: openThread != nil, isInThread: isInThread,
            allowsBoth: !main.grid.isPlain)
    }

    /// The columns of a pane on the screen.
    func columns(of pane: Pane) -> Range<Int> {
        (pane.isThread ? split.thread : split.main) ?? sidebarColumns..<size.columns
    }

    /// The rows above the replies; 0 in the main timeline.
    func headRows(of pane: Pane) -> Int { pane.isThread ? ThreadHead.height(of: pane, height: rows.messages) : 0 }

    /// Gives each pane its columns and its rows, without those of the composer, and makes room for posts on their way below
    /// the last message.
    mutating func fitPanes() -> [Effect] {
        if panel == .composer { writing.layOut(at: writingPlace, columns: composerColumns) }
        let fits = fits
        return carryOut(
            reader.panes.changeAll { [zone] pane in fits[pane.number].map { pane.fit($0, zone: zone) } ?? [] })
    }

    /// Gives the roots of threads their rows for the new size of the screen.
    mutating func fitRoots() {
        let fits = fits
        reader.panes.updateAll { pane in if let fit = fits[pane.number] { pane.fitRoot(fit) } }
    }

    /// The layout of each pane, by its number.
    private var fits: [Int: PaneFit] {
        let composerRows = composerRows
        // The composer belongs to the pane that has the keys: each pane has a draft of its own.
        let (writer, kept) = (pane.number, composerRows > 0 ? composer?.target : nil)
        let outgoing = writing.outgoingMessages(in: conversation, pane)
        var fits: [Int: PaneFit] = [:]
        for pane in reader.panes {
            fits[pane.number] = PaneFit(
                columns: columns(of: pane), rows: Rows(rows: size.rows, composer: composerRows).messages,
                rowsWithoutComposer: Rows(rows: size.rows).messages, kept: pane.number == writer ? kept : nil,
                outgoing: outgoing, hasTyping: writing.typing.line(in: pane) != nil,
                linkedEdges: pane.isThread ? [] : moves, hasLinkBelow: !pane.isThread && hasLinkBelow)
        }
        return fits
    }
}
