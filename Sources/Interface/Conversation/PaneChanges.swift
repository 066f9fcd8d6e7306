import Messages
import Timeline

/// Applies the changes of the store to the messages that the pane shows: new messages and changed ones.
extension Pane {
    /// For this time after a list was shown, changes of the store are collected and applied as one update.
    private static let settling = Duration.seconds(1)
    /// A pause of this length after a change ends that time earlier.
    private static let quiet = Duration.milliseconds(150)

    /// - Parameter unknown: the new messages among the changes.
    mutating func take(_ news: [StoreChange], unknown: Set<MessageID>, in context: PaneContext) -> [Outcome] {
        if news.contains(.replaced) { noteRewrite(at: context.now) }
        var outcomes = news.contains(.replaced) || bringBackMissed(news) ? reload(in: context) : []
        // All changes are stored, since a loading thread may need messages that this pane does not hold.
        if isLoading { for change in news { changes.remember(change) } }
        // The first page of a thread brings its replies; its root is on the screen already.
        guard opening == .shown else {
            for message in news.compactMap(\.message) { updateRoot(message, in: context) }
            return []
        }
        if news.contains(.filled) {
            reopenGaps()
            outcomes += viewportMoved()
        }
        let new = news.filter { change in
            if case .gap = change { return true }
            guard let message = change.message else { return false }
            // A message of another timeline may be quoted here.
            if case .updated = change { return true }
            return holds(message) || message.id == thread
        }
        if new.isEmpty { return outcomes }
        // Lost messages may be among the new ones. A reload puts them back in their places.
        if lost != nil, timeline.list.isEmpty { return outcomes + reload(in: context) }
        noteNewBelow(new, unknown, in: context)
        guard changes.settling != nil else { return outcomes + apply(new, in: context) }
        changes.waiting += new
        let pause = nextTicket()
        changes.quiet = pause
        return outcomes + [.effect(.wait(Pane.quiet, .pause(.quiet(pause))))] + viewportMoved()
    }

    private mutating func noteNewBelow(
        _ news: [StoreChange], _ unknown: Set<MessageID>, in context: PaneContext
    ) {
        for case .arrived(let message) in news {
            let isNew = unknown.contains(message.id) || knownBefore.isUnseen(message.id)
            if isNew, message.id != thread, context.isNewFromOthers(message) { newBelow.add(message.id) }
            knownBefore.regain(message.id)
        }
    }

    /// Prepares for messages that arrive a second time, since the log is being rewritten. Messages after the end of the
    /// window are recognized by their times alone.
    private mutating func noteRewrite(at now: Timestamp) {
        guard let last = timeline.list.last else { return }
        knownBefore.note(timeline.hasNewer ? now : last.message.at)
    }

    /// True if a message of the lost screen is back.
    private func bringBackMissed(_ news: [StoreChange]) -> Bool {
        guard let missed = missedScreen, !timeline.list.isEmpty else { return false }
        return news.contains { change in
            guard case .arrived(let message) = change else { return false }
            return missed.shown.contains(message.id)
        }
    }

    /// A message that arrives after the end of the window is added to the total, though the store may have counted it
    /// already. So the total is requested again, at long intervals, until no more messages arrive.
    mutating func countBeyond(_ news: [StoreChange]) -> [Outcome] {
        let isCounted = news.contains { if case .arrived(let message) = $0 { message.isMain } else { false } }
        guard isCounted, timeline.hasNewer, changes.counting == nil else { return [] }
        let pause = nextTicket()
        changes.counting = pause
        return [.effect(.wait(Pane.settling, .pause(.counting(pause))))]
    }

    /// Handles the end of a pause.
    mutating func end(_ pause: Pause, in context: PaneContext) -> [Outcome] {
        switch pause {
        case .list(let ticket):
            if pending?.ticket == ticket { isSlow = true }
            return []
        case .counting(let ticket) where ticket == changes.counting:
            changes.counting = nil
            return [.pane(.moved)]
        case .settling(let ticket) where ticket == changes.settling: changes.settling = nil
        case .quiet(let ticket) where ticket == changes.quiet: break
        default: return []
        }
        guard !changes.waiting.isEmpty else { return [] }
        let waiting = changes.waiting
        changes.waiting = []
        let outcomes = apply(waiting, in: context)
        defer { changes.mustLocate = false }
        return outcomes + (changes.mustLocate ? [.pane(.moved)] : [])
    }

    /// Begins the first moments of a new list, which may have been read before the last changes.
    mutating func settleChanges(_ page: Page, in context: PaneContext) -> [Outcome] {
        changes.waiting = []
        changes.mustLocate = false
        changes.counting = nil
        let known = Set(page.messages.map(\.id))
        let missing = changes.arrived.filter { holds($0) && !known.contains($0.id) }
        if !missing.isEmpty { timeline.lookForNewer() }
        if changes.hasFilled { reopenGaps() }
        // An empty list has no place from which to load newer messages.
        let outcomes = timeline.list.isEmpty ? append(missing, isMissing: false, in: context) : []
        changes.forget()
        let pause = nextTicket()
        changes.settling = pause
        return outcomes + [.effect(.wait(Pane.settling, .pause(.settling(pause))))]
    }

    // MARK: - Into the list

    /// Applies all changes before a frame is drawn. A change without effect leaves the list as it is.
    private mutating func apply(_ news: [StoreChange], in context: PaneContext) -> [Outcome] {
        // Messages that return to a list that fits on the screen can move its anchor. That is no move of the user.
        let isMissing = missedScreen != nil
        defer { if isMissing { noteSubstitute() } }
        // Messages that arrive together are appended together, since there may be thousands.
        var arrived: [Message] = []
        var known: [MessageID: Int] = [:]
        var updated: [MessageID: Message] = [:]
        var outcomes: [Outcome] = []
        for change in news {
            if case .gap = change {
                outcomes += append(arrived, isMissing: isMissing, in: context)
                (arrived, known) = ([], [:])
                timeline.noteGapAtEnd()
            }
            guard let message = change.message else { continue }
            if case .updated = change { updated[message.id] = message }
            updateRoot(message, in: context)
            if let index = item(of: message) {
                update(message, at: index, zone: context.zone)
            } else if let index = known[message.id] {
                arrived[index] = message
            } else if case .arrived = change, holds(message) {
                known[message.id] = arrived.count
                arrived.append(message)
            }
        }
        updateQuotes(of: updated)
        return outcomes + append(arrived, isMissing: isMissing, in: context) + viewportMoved()
    }

    /// Updates the quotes of these messages in all replies, in one pass over the window.
    private mutating func updateQuotes(of updated: [MessageID: Message]) {
        if updated.isEmpty { return }
        for index in 0..<timeline.count {
            let entry = timeline.list[index]
            guard let quoted = entry.message.quote.flatMap({ updated[$0.id] }) else { continue }
            var message = entry.message
            message.quote = Quote(of: quoted)
            if message != entry.message { timeline.update(Entry(message, replacing: entry)) }
        }
    }

    /// - Parameter isMissing: true if messages of the lost screen come back: they are not followed.
    private mutating func append(_ messages: [Message], isMissing: Bool, in context: PaneContext) -> [Outcome] {
        guard !messages.isEmpty else { return [] }
        guard !timeline.hasNewer else {
            timeline.noteArrivalsBeyond(messages.count)
            return []
        }
        do {
            let rest = Array(messages.dropFirst(extendLastRun(by: messages, zone: context.zone)))
            let last = timeline.list.last.map { Neighbour($0.last) } ?? beginning
            try timeline.append(
                Entry.entries(
                    rest, after: last, zone: context.zone, firstUnread: lineAbove(in: context), shortens: !isThread),
                keepsSelection: mark != nil || context.isAskingAboutMessage || timeline.kept != nil,
                followsWhenFull: !isMissing)
            return []
        } catch {
            return [.warn(error.description)]
        }
    }

    /// Shows the new content of the open thread's root.
    private mutating func updateRoot(_ message: Message, in context: PaneContext) {
        guard thread == message.id else { return }
        // A root that was missing gets its rows when the pane is fitted into the screen.
        if root == nil { rootRows = 0 }
        root = root.map { ThreadRoot(message, replacing: $0) } ?? ThreadRoot(message, zone: context.zone)
    }

    // MARK: - Late knowledge

    /// Applies the place of the window and the quoted messages, which the store has found.
    mutating func learn(_ place: Place?, of first: MessageID, _ messages: [Message], zone: Zone) -> [Outcome] {
        for message in messages {
            guard let index = item(of: message) else { continue }
            update(message, at: index, zone: zone)
        }
        if let place {
            isPartial = place.isPartial
            locate(place, of: first)
        }
        return viewportMoved()
    }

    /// Requests the place of the window, and messages that are quoted.
    func askForPlace(and messages: Set<MessageID>) -> [Outcome] {
        guard let conversation, let first = timeline.list.first else { return [] }
        return [.effect(.ask(.place(first.cursor, messages, in: conversation), .place(conversation, first.id)))]
    }

    private mutating func locate(_ place: Place, of first: MessageID) {
        guard !isThread, let index = timeline.list.index(of: first) else { return }
        // The place already counts the waiting changes, which would be counted again when they are applied.
        changes.mustLocate = !changes.waiting.isEmpty
        if !changes.mustLocate {
            timeline.locate(start: place.index - timeline.span(of: 0..<index), total: place.total)
        }
    }

    /// True if the window holds a message.
    func shows(_ message: Message) -> Bool { item(of: message) != nil }

    /// The index of the item that shows a message.
    private func item(of message: Message) -> Int? {
        message.presence == nil ? timeline.list.index(of: message.id) : timeline.index(holding: message.id)
    }
}

/// Reads the messages of the screen again after the files have changed. The remaining messages keep their rows.
extension Pane {
    /// Reads the window again, as soon as no other list is loading.
    mutating func reload(in context: PaneContext) -> [Outcome] {
        guard opening == .shown, let conversation = context.conversation else { return [] }
        changes.mustReload = pending != nil
        if pending != nil { return [] }
        return request(.again(remains(at: context.now)), in: conversation, leaving: .reload, context)
    }

    /// Performs the reload that was put off while a list was loading.
    mutating func reloadPutOff(in context: PaneContext) -> [Outcome] {
        changes.mustReload && pending == nil ? reload(in: context) : []
    }

    /// Makes a page that was read again the window, unless the user has moved meanwhile.
    /// - Parameter wanted: the messages of the screen when the page was requested.
    mutating func show(
        _ page: Page, inPlaceOf wanted: Remains, in context: PaneContext
    ) throws(DuplicateID) -> [Outcome] {
        let firstUnread = firstUnread(survivingIn: page, in: context)
        let root = isThread ? page.root.map { ThreadRoot($0, zone: context.zone) } : nil
        let entries = Entry.entries(
            changes.overrule(page.messages), after: page.older.neighbour ?? root.map(Pane.beginning),
            zone: context.zone, firstUnread: isThread ? threadLine : firstUnread, folds: context.folds,
            shortens: !isThread)
        let former = self
        let now = remains(at: context.now)
        let missed = missedScreen
        if timeline.list.isEmpty {
            try showLost(entries, page, following: wanted.isFollowing)
        } else {
            try timeline.apply(
                entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                total: page.place?.total, substitute: page.focus.map { entries.item(holding: $0) })
            // The user may have moved after the request.
            guard restore(missed) || now == wanted || isShownWhole(page, at: now, wanted: wanted) else {
                self = former
                pending = nil
                return reload(in: context)
            }
        }
        pending = nil
        note(window: page, zone: context.zone)
        noteLoss(of: former.timeline, wanted, missed: missed)
        if isThread { self.root = root }
        recountNew(former)
        countNew(after: former.timeline, in: context)
        var context = context
        context.reading.firstUnread = firstUnread
        var outcomes = settleChanges(page, in: context)
        // Messages that came in meanwhile may be the first ones of the list, so the screen may have moved.
        noteSubstitute()
        if !isThread {
            let hasMoved = timeline.selection != former.timeline.selection
            outcomes.append(.pane(.reread(firstUnread: firstUnread, hasMoved: hasMoved)))
        }
        return outcomes + [.effect(.ask(.problems))] + viewportMoved()
    }

    /// True if a page that was applied holds the whole screen.
    private func isShownWhole(_ page: Page, at now: Remains, wanted: Remains) -> Bool {
        let isThere = page.messages.contains { $0.id == now.ids.first }
        guard now.isSamePlace(as: wanted) || isThere else { return false }
        return timeline.holdsScreen && !(timeline.viewport.isFollowing && timeline.hasNewer)
    }

    // MARK: - Messages gone

    /// Records messages that are missing after the list was read again.
    /// - Parameters:
    ///   - former: the timeline before.
    ///   - missed: the screen that was lost already.
    mutating func noteLoss(of former: Timeline<MessageRuler>, _ remains: Remains, missed: LostScreen?) {
        lost = missed ?? LostScreen(former, remains)
        guard let screen = lost else { return }
        // A screen that follows new messages stays at the end, whatever is lost.
        let canMiss = timeline.list.isEmpty || !timeline.viewport.isFollowing
        let isMissed = missed == nil ? screen.isMissing(in: timeline) : !screen.isShown(by: timeline)
        if canMiss && isMissed { noteSubstitute() } else { lost = nil }
    }

    mutating func noteSubstitute() { lost?.substitute = LostScreen.Stance(timeline) }

    /// Shows a lost screen again when its anchored message is back.
    private mutating func restore(_ lost: LostScreen?) -> Bool {
        guard let lost, timeline.list.index(of: lost.anchor.id) != nil else { return false }
        let selection = lost.selection.flatMap(timeline.list.index(of:)) == nil ? timeline.selection : lost.selection
        timeline.restore(lost.anchor, selection: selection, following: false)
        return true
    }

    /// Shows the first messages after the list was empty: lost messages at their old rows.
    private mutating func showLost(_ entries: [Entry], _ page: Page, following: Bool) throws(DuplicateID) {
        try timeline.open(
            entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index, total: page.place?.total,
            focus: page.focus.map { entries.item(holding: $0) }, alignment: .middle, following: following)
        guard let lost, !following, !restore(lost) else { return }
        if let focus = page.focus, timeline.list.index(of: focus) != nil {
            let anchor = Anchor(id: focus, place: 0, screenRow: lost.anchor.screenRow)
            timeline.restore(anchor, selection: focus, following: false)
        }
    }

    /// The message below the line of unread messages. When that message is gone, the line moves to the next remaining
    /// message of another person.
    private func firstUnread(survivingIn page: Page, in context: PaneContext) -> MessageID? {
        guard let first = context.reading.firstUnread, !isThread, !page.messages.contains(where: { $0.id == first }),
            let line = timeline.list.index(of: first)
        else { return context.reading.firstUnread }
        let survivors = Set(page.messages.lazy.filter(context.isNewFromOthers).map(\.id))
        return (line..<timeline.count).lazy.map { timeline.list[$0].id }.first(where: survivors.contains) ?? first
    }

    /// Counts messages that the new files have after the end of the old ones, as if they had just arrived.
    private mutating func countNew(after former: Timeline<MessageRuler>, in context: PaneContext) {
        guard let last = former.list.last, !former.hasNewer, let end = timeline.list.index(of: last.id),
            knownBefore.isWhole
        else { return }
        // No old message is missing, so times are not needed. They would mislead: in logs without seconds, a new message can have
        // the time of the last old one.
        knownBefore.forgetMoment()
        for index in end + 1..<timeline.count {
            let message = timeline.list[index].message
            if message.id != thread, !knownBefore.contains(message), context.isNewFromOthers(message) {
                newBelow.add(message.id)
            }
        }
    }

    /// Counts a returning message as new below the screen only if it counted before it was gone.
    private mutating func recountNew(_ former: Pane) {
        let list = timeline.list
        let gone = former.timeline.ids.filter { list.index(of: $0) == nil }
        // Messages after the end of the window may still be there.
        let unseen = timeline.hasNewer ? [] : list.isEmpty ? former.newBelow.ids : gone.filter(former.newBelow.contains)
        knownBefore.lose(gone, unseen: unseen)
        if list.isEmpty { newBelow = NewBelow() } else { newBelow.removeAll(where: Set(unseen).contains) }
        for id in timeline.ids {
            if knownBefore.isUnseen(id) { newBelow.add(id) }
            knownBefore.regain(id)
        }
    }
}

extension Timeline<MessageRuler> {
    fileprivate var ids: [MessageID] { (0..<count).map { list[$0].id } }
}
