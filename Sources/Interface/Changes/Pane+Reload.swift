import Messages
import Timeline

/// The files have changed under the messages of the screen. They are read again, and those that survive keep their rows.
extension Pane {
    /// The part of the pane that has to survive.
    func remains(at now: Timestamp) -> Remains {
        if timeline.list.isEmpty, let lost { return lost.remains }
        let ids = timeline.successors
        let anchored = ids.first.flatMap(timeline.list.index(of:)).map { timeline.list[$0].message.at }
        let missed = missedScreen.map { [$0.anchor.id] } ?? []
        return Remains(ids: missed + ids, moment: anchored ?? now, isFollowing: timeline.viewport.isFollowing)
    }

    /// Reads the window again, or as soon as no other list is on its way.
    mutating func reload(in context: PaneContext) -> [Outcome] {
        guard opening == .shown, let conversation = context.conversation else { return [] }
        changes.mustReload = pending != nil
        if pending != nil { return [] }
        return request(.again(remains(at: context.now)), in: conversation, leaving: .reload, context)
    }

    /// The reload that had to wait until nothing was on its way.
    mutating func reloadPutOff(in context: PaneContext) -> [Outcome] {
        changes.mustReload && pending == nil ? reload(in: context) : []
    }

    /// A page that was read again becomes the window, unless the user has moved meanwhile.
    /// - Parameter wanted: the messages of the screen when the page was asked for.
    mutating func show(
        _ page: Page, inPlaceOf wanted: Remains, in context: PaneContext
    ) throws(DuplicateID) -> [Outcome] {
        let firstUnread = firstUnread(survivingIn: page, in: context)
        let root = isThread ? page.root.map { ThreadRoot($0, zone: context.zone) } : nil
        let entries = Entry.entries(
            changes.overrule(page.messages), after: page.older.neighbour ?? root.map(Pane.beginning),
            zone: context.zone, firstUnread: isThread ? nil : firstUnread, folds: context.folds)
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
        var outcomes: [Outcome] = isThread ? [] : [.unreadLine(above: firstUnread)]
        outcomes += settleChanges(page, in: context)
        // Messages that came in meanwhile may be the first ones in the list.
        noteSubstitute()
        if !isThread { outcomes.append(.reread(hasMoved: timeline.selection != former.timeline.selection)) }
        return outcomes + [.effect(.reportProblems)] + viewportMoved()
    }

    /// Whether a page that was applied holds the whole screen.
    private func isShownWhole(_ page: Page, at now: Remains, wanted: Remains) -> Bool {
        let isThere = page.messages.contains { $0.id == now.ids.first }
        guard now.isSamePlace(as: wanted) || isThere else { return false }
        return timeline.holdsScreen && !(timeline.viewport.isFollowing && timeline.hasNewer)
    }

    // MARK: - Messages gone

    /// Shows a lost screen again when its anchored message is back.
    private mutating func restore(_ lost: LostScreen?) -> Bool {
        guard let lost, timeline.list.index(of: lost.anchor.id) != nil else { return false }
        let selection = lost.selection.flatMap(timeline.list.index(of:)) == nil ? timeline.selection : lost.selection
        timeline.restore(lost.anchor, selection: selection, following: false)
        return true
    }

    /// Shows the first messages after the list was empty: at their old rows, if they are the lost ones.
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

    /// The message below the line of unread messages. When that message is gone, the line moves to the next surviving message
    /// of another person.
    private func firstUnread(survivingIn page: Page, in context: PaneContext) -> MessageID? {
        guard let first = context.reading.firstUnread, !isThread, !page.messages.contains(where: { $0.id == first }),
            let line = timeline.list.index(of: first)
        else { return context.reading.firstUnread }
        let survivors = Set(page.messages.lazy.filter(context.isNewFromOthers).map(\.id))
        return (line..<timeline.count).lazy.map { timeline.list[$0].id }.first(where: survivors.contains) ?? first
    }

    /// Messages that came with the new files after the end of the old ones count as those do that arrive.
    private mutating func countNew(after former: Timeline<MessageRuler>, in context: PaneContext) {
        guard let last = former.list.last, !former.hasNewer, let end = timeline.list.index(of: last.id),
            knownBefore.isWhole
        else { return }
        // Nothing of the old files is missing, so that times tell nothing: in logs without seconds, new messages have the time of
        // the last old one.
        knownBefore.forgetMoment()
        for index in end + 1..<timeline.count {
            let message = timeline.list[index].message
            if message.id != thread, !knownBefore.contains(message), context.isNewFromOthers(message) {
                newBelow.add(message.id)
            }
        }
    }

    /// A message that is gone does not count as new below the screen. When it comes back, it counts only if it did so before.
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
