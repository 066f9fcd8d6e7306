import Messages
import Timeline

/// Messages are others than they were, or gone: the messages of the screen are read again, and those that survive keep
/// their rows.
extension Model {
    /// The part of this pane that is to stay.
    var remains: Remains {
        if timeline.list.isEmpty, let lost = pane.lost { return lost.remains }
        let ids = timeline.successors
        let anchored = ids.first.flatMap(timeline.list.index(of:)).map { timeline.list[$0].message.at }
        let missed = pane.missedScreen.map { [$0.anchor.id] } ?? []
        return Remains(ids: missed + ids, moment: anchored ?? now, isFollowing: timeline.viewport.isFollowing)
    }

    /// Reads the window again, as soon as no other list is on its way.
    mutating func reload() -> [Effect] {
        guard opening == .shown, let conversation else { return [] }
        pane.changes.mustReload = pending != nil
        if pending != nil { return [] }
        return requestList(.again(remains), in: conversation, leaving: .reload)
    }

    /// A page that was read again: it becomes the window, unless the user is elsewhere by now.
    /// - Parameter remains: the messages of the screen when the page was asked for.
    mutating func show(_ page: Page, inPlaceOf remains: Remains) throws(DuplicateID) -> [Effect] {
        let firstUnread = firstUnread(survivingIn: page)
        let root = isInThread ? page.root.map { Entry(root: $0.asRoot, zone: zone) } : nil
        let entries = Entry.entries(
            pane.changes.overrule(page.messages), after: page.older.neighbour ?? root.map(Pane.beginning), zone: zone,
            firstUnread: isInThread ? nil : firstUnread, folds: currentFolds)
        let former = pane
        let now = self.remains
        let missed = pane.missedScreen
        if timeline.list.isEmpty {
            try showLost(entries, page, following: remains.isFollowing)
        } else {
            try pane.timeline.apply(
                entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                total: page.place?.total, substitute: page.focus)
            // The user may have moved since it was asked for.
            guard restore(missed) || now == remains || isShownWhole(page, at: now, wanted: remains) else {
                pane = former
                pane.pending = nil
                return reload()
            }
        }
        pane.pending = nil
        pane.noteLoss(of: former.timeline, remains, missed: missed)
        if isInThread {
            pane.root = root
            if pane.rootRows == 0 { fitRoot() }
        } else {
            reading.firstUnread = firstUnread
        }
        recountNew(former)
        var effects = settleChanges(page)
        // The messages that came in meanwhile may be the first of all.
        pane.noteSubstitute()
        effects += lookForHitsAgain(former)
        return effects + [.reportProblems] + pane.viewportMoved()
    }

    /// Whether a page that has been applied holds all that the screen shows.
    private func isShownWhole(_ page: Page, at now: Remains, wanted: Remains) -> Bool {
        let isThere = page.messages.contains { $0.id == now.ids.first }
        guard now.isSamePlace(as: wanted) || isThere else { return false }
        return timeline.holdsScreen && !(timeline.viewport.isFollowing && timeline.hasNewer)
    }

    // MARK: - Messages gone

    /// Shows a screen again that has lost messages, when the anchored one is back.
    private mutating func restore(_ lost: LostScreen?) -> Bool {
        guard let lost, timeline.list.index(of: lost.anchor.id) != nil else { return false }
        let selection = lost.selection.flatMap(timeline.list.index(of:)) == nil ? timeline.selection : lost.selection
        pane.timeline.restore(lost.anchor, selection: selection, following: false)
        return true
    }

    /// The first messages after there were none: where they were, when they are those from before.
    private mutating func showLost(_ entries: [Entry], _ page: Page, following: Bool) throws(DuplicateID) {
        try pane.timeline.open(
            entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index, total: page.place?.total,
            focus: page.focus, alignment: .middle, following: following)
        guard let lost = pane.lost, !following, !restore(lost) else { return }
        if let focus = page.focus, let index = timeline.list.index(of: focus) {
            let place = timeline.measure(of: index).place(ofRow: 0)
            let anchor = Anchor(id: focus, place: place, screenRow: lost.anchor.screenRow)
            pane.timeline.restore(anchor, selection: focus, following: false)
        }
    }

    // MARK: - What refers to messages

    /// The message above which the line of the unread ones stands. When it is gone, the line stays above the first one of
    /// others below it that survives.
    private func firstUnread(survivingIn page: Page) -> MessageID? {
        guard let first = reading.firstUnread, !isInThread, !page.messages.contains(where: { $0.id == first }),
            let line = timeline.list.index(of: first)
        else { return reading.firstUnread }
        let survivors = Set(page.messages.lazy.filter(isOfOthers).map(\.id))
        return (line..<timeline.count).lazy.map { timeline.list[$0].id }.first(where: survivors.contains) ?? first
    }

    /// A message that is gone is not new below the screen any more. When it comes back, it is new only if it was so before.
    private mutating func recountNew(_ former: Pane) {
        let list = timeline.list
        let gone = former.timeline.ids.filter { list.index(of: $0) == nil }
        // Beyond a window that ends before the conversation does, they may still be there.
        let unseen = timeline.hasNewer ? [] : list.isEmpty ? former.newBelow.ids : gone.filter(former.newBelow.contains)
        pane.knownBefore.lose(gone, unseen: unseen)
        if list.isEmpty { pane.newBelow = NewBelow() } else { pane.newBelow.removeAll(where: Set(unseen).contains) }
        for id in timeline.ids {
            if pane.knownBefore.isUnseen(id) { pane.newBelow.add(id) }
            pane.knownBefore.regain(id)
        }
    }

    /// Where hits stand is another place now. The one that one stands at stays.
    private mutating func lookForHitsAgain(_ former: Pane) -> [Effect] {
        guard !isInThread else { return [] }
        formerFind?.forgetPlaces()
        guard let old = find else { return [] }
        let wasAtHit = old.current != nil && timeline.selection == former.timeline.selection
        find?.forgetPlaces()
        find?.wanted = old.wanted
        if wasAtHit, let start = timeline.windowStart, let index = timeline.selectedIndex {
            let landing = place
            find?.current = Find.Hit(place: HitPlace(order: start + index, index: start + index))
            find?.landing = landing
        }
        keepOrigin(of: old)
        return countAgain()
    }

    /// The message at which the search began may stand elsewhere.
    private mutating func keepOrigin(of old: Find) {
        guard let selection = old.origin?.selection, let index = timeline.list.index(of: selection) else { return }
        let place = timeline.windowStart.map { $0 + index }
        find?.originIndex = place
    }
}

extension Timeline<MessageRuler> {
    fileprivate var ids: [MessageID] { (0..<count).map { list[$0].id } }
}
