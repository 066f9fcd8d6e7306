import Display
import Messages
import Search
import Timeline

/// Jumps to other places, and the way back.
extension OpenConversation {
    /// Goes to a place: at once if the window holds the place, else when its page has come.
    /// - Parameters:
    ///   - conversation: nil for the one on the screen.
    ///   - number: the number of the pane; nil for the pane that has the keys.
    mutating func go(
        to destination: ListRequest.Destination, in conversation: Conversation? = nil,
        leaving: ListRequest.Leaving = .jump, on number: Int? = nil, _ outside: Outside
    ) -> [Outcome] {
        guard let conversation = conversation ?? self.conversation else { return [] }
        switch destination {
        case .hit, .reply: break
        default: finding.giveUp()
        }
        let beside = threadBeside
        leaveThread(for: destination, in: conversation, on: number, outside)
        let number = number ?? pane.number
        var left = panes[number]?.place
        if number == main.number { left?.beside = beside }
        guard left != nil, conversation.id == self.conversation?.id,
            panes.change(number, { $0.show(destination) }) == true
        else {
            let outcomes = request(destination, in: conversation, leaving: leaving, on: number, outside)
            if number == main.number { panes.main.pending?.beside = beside }
            return outcomes
        }
        var outcomes = arrive(at: destination, outside)
        note(leaving, from: left, on: number)
        panes.change(number) { $0.dropPending() }
        outcomes += searchOn(destination, outside)
        return outcomes + (panes.change(number) { $0.viewportMoved() } ?? [])
    }

    /// Requests another list in a pane. The current one stays until it comes.
    mutating func request(
        _ destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving,
        on number: Int, _ outside: Outside
    ) -> [Outcome] {
        inPane(number, outside) { $0.request(destination, in: conversation, leaving: leaving, $1) }
    }

    /// Goes to a place that a component has named.
    mutating func go(
        toNamed destination: ListRequest.Destination, in conversation: Conversation?, leaving: ListRequest.Leaving,
        _ outside: Outside
    ) -> [Outcome] {
        switch (destination, conversation) {
        // A message of the main timeline, or of the open thread if that shows it. For a message of another thread, the main
        // timeline goes to the root, and the thread is opened.
        case (.position(.message(let message)), let conversation?):
            let isInThread = openThread?.timeline.list.index(of: message) != nil
            return go(to: destination, in: conversation, on: isInThread ? pane.number : main.number, outside)
        // At the end, newer messages are looked for.
        case (.position(.latest), nil):
            let outcomes = go(to: destination, leaving: leaving, outside)
            guard pane.pending == nil else { return outcomes }
            return outcomes + pane.lookForNewer()
        default: return go(to: destination, in: conversation, leaving: leaving, outside)
        }
    }

    /// Leaves a thread for a place outside it. A global hit may be outside the thread.
    private mutating func leaveThread(
        for destination: ListRequest.Destination, in conversation: Conversation, on number: Int?, _ outside: Outside
    ) {
        switch destination {
        case .found: return leaveThread(outside)
        case .position(.message) where number == main.number: return leaveThread(outside)
        case .hit(let hit) where !hit.place.isReply: return leaveThread(outside)
        default: break
        }
        if conversation.id != self.conversation?.id { leaveThread(outside) }
    }

    /// Handles the arrival at a requested place.
    mutating func arrive(at destination: ListRequest.Destination, _ outside: Outside) -> [Outcome] {
        switch destination {
        case .hit(let hit):
            if let id = main.message(at: hit.place.index) { openRun(at: id) }
            return land(on: hit, outside)
        case .position(.message(let id)): openRun(at: id)
        case .found(let id, _):
            openRun(at: id)
            // The hit may have been deleted since it was found.
            if main.isDeleted(id) { return [.warn("this message has been deleted since it was found")] }
        case .place(let place): return reopen(place.beside, outside)
        case .reply:
            if let id = pane.target, pane.isThread { finding.land(onReply: id) }
        case .position, .unread, .again: break
        }
        return []
    }

    /// Reopens the thread that was next to a place.
    private mutating func reopen(_ beside: ThreadBeside?, _ outside: Outside) -> [Outcome] {
        // While the user types words of a search, the earlier screen is restored now and then.
        guard let conversation, outside.panel != .find else { return [] }
        guard let beside else {
            if openThread?.isFromJump == true { closeThread() }
            return []
        }
        if let thread = openThread, thread.thread == beside.root {
            if beside.hasKeys { panes.focus(thread.number) }
            return []
        }
        let outcomes = showThread(beside.root, at: .place(beside.place(in: conversation.id)), outside)
        if !beside.hasKeys { panes.focus(main.number) }
        return outcomes
    }

    /// Unfolds the run of a requested presence line.
    private mutating func openRun(at id: MessageID) {
        if let item = panes.main.openRun(at: id) { currentFolds[item] = false }
    }

    /// After a jump to a hit of the search everywhere, searches for the same words in the conversation.
    mutating func searchOn(_ destination: ListRequest.Destination, _ outside: Outside) -> [Outcome] {
        guard case .found(_, let words) = destination else { return [] }
        let outcomes = inFind(outside) { $0.begin(words, towards: .newer, in: $1) }
        if let target = main.target, target == main.timeline.selection, let index = main.selectedPlace {
            revealHit()
            finding.stand(at: index, landing: main.place)
        }
        return outcomes + [.search(.begun)]
    }
}

/// Hits of the search in the conversation.
extension OpenConversation {
    /// Handles the arrival at a hit of the search.
    private mutating func land(on hit: FindHit, _ outside: Outside) -> [Outcome] {
        revealHit()
        finding.land(on: hit, landing: main.place)
        if hit.place.isReply {
            guard outside.panel != .find, let reply = finding.find?.reply(of: hit) else { return [] }
            return show(reply, of: hit, outside)
        }
        if let match = finding.find.flatMap({ main.timeline.arrival(hit.direction, of: $0.query) }) { show(match) }
        return []
    }

    /// Shows a match in a long message that the search has reached.
    private mutating func show(_ match: FindHit.Inner) {
        guard let id = main.timeline.selection else { return }
        if panes.main.timeline.showSelected(match.place) { currentFolds[id] = false }
        finding.land(on: match, landing: main.place)
    }

    /// Opens the thread of a hit, at the hit.
    private mutating func show(_ reply: ListRequest.Reply, of hit: FindHit, _ outside: Outside) -> [Outcome] {
        guard let root = main.message(at: hit.place.index), main.loaded(root).map({ $0.replyCount > 0 }) == true else {
            let standing = finding.find?.standing(isAtHit: true) ?? ""
            return [.tell("\(standing) · a reply in a thread whose first message is not here")]
        }
        let outcomes = showThread(root, at: .reply(reply), outside)
        // If the conversation has not moved, the way back leads only out of the thread.
        pane.isFromJump = finding.find?.isInHistory ?? false
        return outcomes
    }

    /// Brings a hit in the selected message onto the screen.
    private mutating func revealHit() {
        guard let query = finding.find?.query, let id = main.timeline.selection else { return }
        if panes.main.timeline.revealHit(of: query) { currentFolds[id] = false }
    }

    /// Folds messages again that the search unfolded.
    private mutating func restoreFolds(_ former: [MessageID: Bool]) -> [Outcome] {
        let now = currentFolds
        for id in Set(now.keys).union(former.keys) where now[id] != former[id] {
            panes.main.timeline.setFold(former[id], of: id)
        }
        currentFolds = former
        return panes.main.viewportMoved()
    }

    /// Opens the line for the words of a search.
    /// - Parameter words: the words of another search; nil for none.
    mutating func openFind(
        towards direction: FindDirection, words: String? = nil, _ outside: Outside
    ) -> [Outcome] {
        // The screen from before the last search may still be loading.
        var origin = placeToLeave
        let start = isInThread ? ReplyPlace(pane.selectedReply, in: pane, of: main) : nil
        leaveThread(outside)
        if let pending = pane.pending, case .place(let place) = pending.destination, pending.isRestoring {
            origin = place
        } else {
            dropPending()
        }
        let context = context(outside)
        finding.open(towards: direction, origin: origin, start: start, in: context)
        return [.open(.find)] + (words.map { finding.take($0, in: context) } ?? [])
    }

    /// Performs a request of the search.
    mutating func perform(_ wish: FindWish, _ outside: Outside) -> [Outcome] {
        switch wish {
        case .go(let hit, let leaving): return go(to: .hit(hit), leaving: leaving, on: main.number, outside)
        case .restore(let place):
            if main.place == place {
                panes.main.dropPending()
                return reopen(place.beside, outside)
            }
            let conversation = known(place.conversation, outside)
            return go(to: .place(place), in: conversation, leaving: .nothing, on: main.number, outside)
        case .showMatch(let match): show(match)
        case .showReply(let reply, let hit): return show(reply, of: hit, outside)
        case .dropHit: if case .hit? = main.pending?.destination { panes.main.dropPending() }
        case .dropOthers: if case .hit? = main.pending?.destination {} else { panes.main.dropPending() }
        case .leave(let place): panes.main.history.leave(place)
        case .makeJump: panes.main.pending?.leaving = .jump
        case .folds(let former): return restoreFolds(former)
        case .giveUp: finding.giveUp()
        }
        return []
    }

    /// Performs the next pending step of the search. Nil when there is none, or when its hit is not known yet.
    mutating func goOn(_ outside: Outside) -> [Outcome]? { finding.goOn(in: context(outside)) }
}

/// The history of jumps.
extension OpenConversation {
    /// Back. Before the first jump in a thread this leads to the conversation.
    mutating func goBack(_ outside: Outside) -> [Outcome] {
        if isInThread, pane.pending == nil {
            pane.history.skip(pane.place)
            if pane.history.back.isEmpty {
                guard pane.isFromJump, !main.history.back.isEmpty else {
                    closeThread()
                    return []
                }
                // The thread is part of the jump to its reply, so the user goes back to where the jump began.
                panes.focus(main.number)
            }
        }
        return walk(by: -1, outside)
    }

    /// Moves through the history. Steps during a load count from the place that is loading.
    mutating func walk(by step: Int, _ outside: Outside) -> [Outcome] {
        if pane.pending == nil { pane.history.skip(pane.place) }
        var steps = step
        switch pane.pending?.leaving {
        case .back(let others)?: steps -= others
        case .forward(let others)?: steps += others
        case .jump?, .nothing?, .reload?, nil: break
        }
        guard steps != 0 else {
            dropPending()
            return []
        }
        let places = steps < 0 ? pane.history.back : pane.history.forward
        guard abs(steps) <= places.count else {
            return pane.pending == nil
                ? [.tell(step < 0 ? "nothing to go back to" : "nothing to go forward to")] : []
        }
        let place = places[places.count - abs(steps)]
        return go(
            to: .place(place), in: known(place.conversation, outside),
            leaving: steps < 0 ? .back(-steps) : .forward(steps), outside)
    }

    /// Goes to the place before the last jump, as in vi. This is a jump, too.
    private mutating func goBackAndForth(_ outside: Outside) -> [Outcome] {
        pane.history.skip(pane.place)
        guard let last = pane.history.back.last else { return [.tell("nothing to go back to")] }
        return go(to: .place(last), in: known(last.conversation, outside), outside)
    }
}

/// Opens and leaves threads, which are next to the conversation.
extension OpenConversation {
    /// t: opens the thread of the selected message, at that message if it is a reply. In the thread itself, t closes it.
    mutating func toggleThread(_ outside: Outside) -> [Outcome] {
        guard let message = pane.selectedMessage else {
            if isInThread { closeThread() }
            return []
        }
        let isRoot = message.thread == nil || message.replyCount > 0
        let root = isRoot ? message.id : message.thread ?? message.id
        guard root != openThread?.thread else {
            if isInThread { closeThread() } else if let thread = openThread { panes.focus(thread.number) }
            return []
        }
        return showThread(root, at: .position(isRoot ? .latest : .message(message.id)), outside)
    }

    /// Opens a thread next to the conversation, or goes to a place of the open one. Shows a loaded root at once.
    mutating func showThread(
        _ root: MessageID, at destination: ListRequest.Destination, _ outside: Outside
    ) -> [Outcome] {
        guard let conversation else { return [] }
        if let thread = openThread, thread.thread == root, thread.opening == .shown {
            panes.focus(thread.number)
            return go(to: destination, in: conversation, leaving: .nothing, on: thread.number, outside)
        }
        let loaded = panes.lazy.compactMap { $0.loaded(root) }.first
        closeThread()
        let rows = Rows(rows: outside.size.rows).messages
        let grid = pane.grid.with(columns: outside.size.columns, names: nil)
        let number = panes.open(thread: root, Timeline(ruler: MessageRuler(grid: grid), height: rows))
        pane.nameColumns = main.nameColumns
        pane.show(root: loaded, zone: outside.zone)
        fitRoot(outside)
        let columns = columns(of: pane, outside).count
        pane.timeline.resize(
            ruler: MessageRuler(grid: pane.grid.with(columns: columns, names: pane.nameColumns)),
            height: max(1, rows - ThreadHead.height(of: pane, height: rows)))
        return request(destination, in: conversation, leaving: .nothing, on: number, outside)
    }

    /// Updates the read marks for a thread whose first messages are on the screen.
    mutating func beginThread(on number: Int, _ outside: Outside) {
        guard let root = panes[number]?.thread else { return }
        takeNewBelow(number)
        reading.see(thread: root)
        finding.standInThread(in: context(outside))
    }
}

/// Bookmarks: messages with letters.
extension OpenConversation {
    /// Handles bookmarks that were read or have changed.
    /// - Returns: nil if no jump has waited for them.
    mutating func receive(_ all: [Bookmark], _ outside: Outside) -> [Outcome]? {
        bookmarks.all = all
        guard let wanted = bookmarks.wanted else { return nil }
        bookmarks.wanted = nil
        return go(to: wanted.letter, in: wanted.conversation, outside)
    }

    mutating func perform(_ wish: BookmarkWish, _ outside: Outside) -> [Outcome] {
        switch wish {
        case .set(let letter, let message):
            guard let id = conversation?.id, let mark = Bookmark(letter, conversation: id, message: message) else {
                return []
            }
            let key = outside.preferences.keymap.keyName(.goToBookmark)
            let scope = mark.isForArchive ? " from everywhere" : ""
            // The next key may go to the bookmark before it is saved.
            bookmarks.all?.removeAll(where: mark.replaces)
            bookmarks.all?.append(mark)
            return [
                .tell("bookmark \(letter) is here; \(key) \(letter) goes to it\(scope)"),
                .effect(.bookmarks(.set(mark))),
            ]
        case .go(let letter):
            guard let id = conversation?.id else { return [] }
            guard bookmarks.all != nil else {
                bookmarks.wanted = (letter, id)
                return []
            }
            return go(to: letter, in: id, outside)
        case .goBack: return goBackAndForth(outside)
        }
    }

    private mutating func go(to letter: Character, in id: ConversationID, _ outside: Outside) -> [Outcome] {
        guard let mark = bookmarks.all?.first(letter, in: id) else {
            let keymap = outside.preferences.keymap
            let (set, list) = (keymap.keyName(.bookmark), keymap.keyName(.bookmarks))
            return [.tell("there is no bookmark \(letter) here; \(set) \(letter) sets it, \(list) lists all"), .lost]
        }
        let conversation = known(mark.conversation, outside)
        return go(toNamed: .position(.message(mark.message)), in: conversation, leaving: .jump, outside)
    }

    /// The reason why a bookmark leads nowhere; nil for any other failed jump.
    func lostBookmark(of request: ListRequest, _ error: StoreError) -> String? {
        guard case .position(.message(let id)) = request.destination else { return nil }
        let marks = bookmarks.all ?? []
        guard let mark = marks.first(where: { $0.message == id && $0.conversation == request.conversation.id }) else {
            return nil
        }
        switch error {
        case .noSuchMessage: return "the message of bookmark \(mark.letter) does not exist any more"
        case .noSuchConversation: return "the conversation of bookmark \(mark.letter) does not exist any more"
        case .unavailable, .unreadable, .notSent, .editedMeanwhile: return nil
        }
    }
}
