import Display
import Messages
import Search
import Timeline

/// The ways to other places: replies, ends, dates, and the way back.
extension Model {
    /// Enter: the message under the cursor is opened, a failed load is tried again at once.
    mutating func activate() -> [Effect] {
        if let failed = timeline.selectedEdge ?? visibleFailedEdge {
            pane.timeline.leaveEdge()
            return pane.retry(failed)
        }
        return openQuoted()
    }

    /// A try of the user does not lengthen the pause before the next one.
    mutating func retryOpening() -> [Effect] {
        guard case .failed(let reason, let attempts) = opening, let pending else { return [] }
        pane.opening = .failed(reason: reason, attempts: attempts - 1)
        return retry(pending)
    }

    /// The edge whose failed row is on the screen: Enter means it even before the cursor is on it, unless the message
    /// under the cursor has something to open.
    private var visibleFailedEdge: Pager<Messages.Cursor>.Side? {
        guard selectedMessage?.quote == nil else { return nil }
        return Pager<Messages.Cursor>.Side.allCases.first { side in
            guard case .failed = timeline.pager.state(of: side) else { return false }
            return timeline.viewport.rows.contains(timeline.row(of: side))
        }
    }

    /// The message under the cursor.
    var selectedMessage: Message? { timeline.selectedIndex.map { timeline.list[$0].message } }

    private mutating func openQuoted() -> [Effect] {
        guard let message = selectedMessage else { return [] }
        guard let quote = message.quote else { return message.replyCount > 0 ? toggleThread() : openPlain(message) }
        if quote.id == pane.thread {
            tell("it replies to the message above")
            return []
        }
        guard quote.content != .missing else {
            warn("the message that this one replies to is not here (\(quote.id))")
            return []
        }
        return go(to: .position(.message(quote.id)))
    }

    /// A message that neither quotes nor has replies is unfolded; of any other it is told which keys open something of it.
    private mutating func openPlain(_ message: Message) -> [Effect] {
        if isFolded { return toggleFold() }
        let openables = timeline.selectedIndex.map { timeline.list[$0].openables } ?? []
        let hasObstacle = me == nil || writing.obstacle != nil
        if !openables.isEmpty {
            tell("o opens the \(Openable.kind(of: openables)) of this message")
        } else if hasObstacle {
            tell("nothing to open here")
        } else {
            tell("nothing to open here; r replies\(isInThread ? "" : ", t begins a thread")")
        }
        return []
    }

    mutating func goToBeginning(_ leaving: ListRequest.Leaving = .jump) -> [Effect] {
        go(to: .position(.earliest), leaving: leaving)
    }

    mutating func goToEnd(_ leaving: ListRequest.Leaving = .jump) -> [Effect] {
        let effects = go(to: .position(.latest), leaving: leaving)
        if pending != nil { return effects }
        pane.timeline.lookForNewer()
        return effects + pane.viewportMoved()
    }

    /// Goes to a place of this conversation: at once when the window holds it, else when its page is there.
    mutating func go(to destination: ListRequest.Destination, leaving: ListRequest.Leaving = .jump) -> [Effect] {
        guard let conversation else { return [] }
        return go(to: destination, in: conversation, leaving: leaving)
    }

    mutating func go(
        to destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving = .jump
    ) -> [Effect] {
        if case .hit = destination {} else { find?.wanted = [] }
        leaveThread(for: destination, in: conversation)
        guard opening == .shown, conversation.id == self.conversation?.id, showInWindow(destination, leaving) else {
            return requestList(destination, in: conversation, leaving: leaving)
        }
        putOffReload()
        pane.pending = nil
        return searchOn(destination) + pane.viewportMoved()
    }

    /// A thread shows no other conversation, and a hit of the search everywhere need not be in it.
    private mutating func leaveThread(for destination: ListRequest.Destination, in conversation: Conversation) {
        if case .found = destination { return leaveThread() }
        if conversation.id != self.conversation?.id { leaveThread() }
    }

    /// Shows a place that the window holds already, without a page. False when a page is needed.
    private mutating func showInWindow(
        _ destination: ListRequest.Destination, _ leaving: ListRequest.Leaving
    ) -> Bool {
        let before = place
        switch destination {
        case .thread, .again: return false
        case .position(.message(let id)):
            guard jump(to: id) else { return false }
            pane.target = id
        case .hit(let hit):
            guard let id = message(at: hit.place.index), jump(to: id) else { return false }
            landed(on: hit)
        case .place(let place):
            guard let anchor = place.anchor, timeline.canRestore(anchor), !place.isFollowing || !timeline.hasNewer
            else { return false }
            pane.timeline.restore(anchor, selection: place.selection, following: place.isFollowing)
            pane.target = place.target
        case .found(let id, _):
            guard jump(to: id) else { return false }
            pane.target = id
            notice = noticeOfDeletion(of: id)
        case .unread(let first):
            guard let first, pane.timeline.jump(to: first, aligned: .middle) else { return false }
        case .position(.earliest): guard pane.timeline.jumpToBeginning() else { return false }
        case .position(.latest): guard pane.timeline.jumpToEnd() else { return false }
        case .position: return false
        }
        note(leaving, from: before)
        return true
    }

    /// A hit of the search everywhere is one of a search in its conversation from now on.
    mutating func searchOn(_ destination: ListRequest.Destination) -> [Effect] {
        guard case .found(_, let words) = destination else { return [] }
        let effects = beginFind(words, towards: .newer)
        if let id = target, id == timeline.selection, let index = timeline.list.index(of: id),
            let start = timeline.windowStart
        {
            revealHit()
            let landing = place
            find?.isInHistory = true
            find?.current = Find.Hit(place: HitPlace(order: start + index, index: start + index))
            find?.landing = landing
        }
        return effects
    }

    /// The hit may have gone since it was found.
    func noticeOfDeletion(of id: MessageID) -> Notice? {
        guard let index = timeline.list.index(of: id), timeline.list[index].message.isDeleted else { return nil }
        return Notice(text: "this message has been deleted since it was found", isWarning: true)
    }

    /// The message of the window with this index in the conversation.
    func message(at index: Int) -> MessageID? {
        guard let start = timeline.windowStart, (start..<start + timeline.count).contains(index) else { return nil }
        return timeline.list[index - start].id
    }

    private mutating func jump(to id: MessageID) -> Bool {
        let alignment = alignment(of: id)
        // A message on the screen needs nothing that would have to be loaded.
        guard alignment == .minimal || timeline.canJump(to: id, aligned: alignment) else { return false }
        return pane.timeline.jump(to: id, aligned: alignment)
    }

    /// A message that can be seen whole is shown where it is; any other is shown among those around it.
    private func alignment(of id: MessageID) -> Alignment {
        guard let index = timeline.list.index(of: id) else { return .middle }
        let rows = timeline.layout.rows(of: index)
        let viewport = timeline.viewport.rows
        let isWhole = rows.lowerBound >= viewport.lowerBound && rows.upperBound <= viewport.upperBound
        return isWhole ? .minimal : .middle
    }
}

// MARK: - History

extension Model {
    /// The screen as it can be come back to; nil while there is none.
    var place: ScreenPlace? {
        guard opening == .shown, let conversation else { return nil }
        return ScreenPlace(
            conversation: conversation.id, anchor: timeline.shownAnchor, selection: timeline.selection,
            isFollowing: timeline.viewport.isFollowing, target: target, substitutes: substitutes)
    }

    private var substitutes: ScreenPlace.Substitutes {
        guard let anchor = timeline.shownAnchor, let index = timeline.list.index(of: anchor.id) else {
            return ScreenPlace.Substitutes()
        }
        let measure = timeline.measure(of: index)
        let ids = timeline.successors(of: anchor.id, limit: ScreenPlace.Substitutes.limit + 1)
        return ScreenPlace.Substitutes(
            ids: Array(ids.dropFirst()), moment: timeline.list[index].message.at,
            rowsToText: max(0, measure.row(ofPlace: 0) - measure.row(ofPlace: anchor.place)))
    }

    /// Keeps the place that a jump started from; a jump that led nowhere is none.
    private mutating func noteJump(from place: ScreenPlace?) {
        guard let place, place != self.place else { return }
        pane.history.leave(place)
    }

    /// Keeps the place that has just been left, as far as it is to be found again.
    mutating func note(_ leaving: ListRequest.Leaving, from place: ScreenPlace?) {
        guard let place else { return }
        if place.conversation != conversation?.id { trail.leftAt[place.conversation] = place }
        switch leaving {
        case .jump: noteJump(from: place)
        case .back(let steps): pane.history.wentBack(steps, from: place)
        case .forward(let steps): pane.history.wentForward(steps, from: place)
        case .nothing, .reload: break
        }
    }

    /// From where a thread was opened at, that is to the conversation.
    mutating func goBack() -> [Effect] {
        if isInThread, pending == nil {
            pane.history.skip(place)
            if history.back.isEmpty {
                closeThread()
                return []
            }
        }
        return walk(by: -1)
    }

    mutating func goForward() -> [Effect] { walk(by: 1) }

    /// Steps through the history. Those pressed while a page is on its way are counted from the place that it leads to.
    private mutating func walk(by step: Int) -> [Effect] {
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
                tell(step < 0 ? "this is where the first jump started" : "this is where the last jump led")
            }
            return []
        }
        let place = places[places.count - abs(steps)]
        return go(
            to: .place(place), in: known(place.conversation), leaving: steps < 0 ? .back(-steps) : .forward(steps))
    }
}

// MARK: - Copying

extension Model {
    mutating func copyText() -> [Effect] {
        guard let message = selectedMessage else { return [] }
        guard !message.isDeleted, !message.text.isEmpty else {
            warn("this message has no text to copy")
            return []
        }
        guard message.text.utf8.count <= ClipboardLimit.bytes else {
            warn("this text is too long for the clipboard; use `kedge show`")
            return []
        }
        let lines = message.text.count { $0.isNewline } + 1
        tell(lines == 1 ? "text copied" : "text copied, \(lines) lines")
        return [.copy(message.text)]
    }

    mutating func copyLink() -> [Effect] {
        guard let message = selectedMessage, let conversation else { return [] }
        let link = Link(conversation: conversation.id, message: message.id).description
        tell("link copied: \(link)")
        return [.copy(link)]
    }
}

// MARK: - A share of the conversation

extension Model {
    /// Digits wait for a `%`.
    mutating func takeDigit(_ key: Key) -> Bool {
        guard opening == .shown, case .character(let character) = key, character.isASCII, character.isNumber,
            inputState.digits.count < 3
        else { return false }
        inputState.digits.append(character)
        return true
    }

    /// Goes to the message at this percentage of the conversation.
    mutating func goToShare() -> [Effect] {
        guard let percent = Int(inputState.digits) else {
            tell("a number goes before it: 50% is the middle of the conversation")
            return []
        }
        return go(toShare: PageRequest.Position(percentage: "\(min(percent, 100))%") ?? .latest)
    }

    mutating func go(toShare position: PageRequest.Position) -> [Effect] {
        switch position {
        case .earliest: goToBeginning()
        case .latest: goToEnd()
        default: go(to: .position(position), leaving: .jump)
        }
    }
}
