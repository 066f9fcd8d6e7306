import Messages
import Timeline

/// Messages are others than they were, or gone: the messages of the screen are read again, and those that survive keep
/// their rows.
extension Pane {
    /// The part of this pane that is to stay.
    func remains(at now: Timestamp) -> Remains {
        if timeline.list.isEmpty, let lost { return lost.remains }
        let ids = timeline.successors
        let anchored = ids.first.flatMap(timeline.list.index(of:)).map { timeline.list[$0].message.at }
        let missed = missedScreen.map { [$0.anchor.id] } ?? []
        return Remains(ids: missed + ids, moment: anchored ?? now, isFollowing: timeline.viewport.isFollowing)
    }

    /// Reads the window again, as soon as no other list is on its way.
    mutating func reload(in context: PaneContext) -> [Outcome] {
        guard opening == .shown, let conversation = context.conversation else { return [] }
        changes.mustReload = pending != nil
        if pending != nil { return [] }
        return request(.again(remains(at: context.now)), in: conversation, leaving: .reload, context)
    }

    /// The reload that was put off until nothing was on its way.
    mutating func reloadPutOff(in context: PaneContext) -> [Outcome] {
        changes.mustReload && pending == nil ? reload(in: context) : []
    }

    /// A page that was read again: it becomes the window, unless the user is elsewhere by now.
    /// - Parameter wanted: the messages of the screen when the page was asked for.
    mutating func show(
        _ page: Page, inPlaceOf wanted: Remains, in context: PaneContext
    ) throws(DuplicateID) -> [Outcome] {
        let firstUnread = firstUnread(survivingIn: page, in: context)
        let root = isThread ? page.root.map { Entry(root: $0.asRoot, zone: context.zone) } : nil
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
                total: page.place?.total, substitute: page.focus)
            // The user may have moved since it was asked for.
            guard restore(missed) || now == wanted || isShownWhole(page, at: now, wanted: wanted) else {
                self = former
                pending = nil
                return reload(in: context)
            }
        }
        pending = nil
        noteLoss(of: former.timeline, wanted, missed: missed)
        if isThread { self.root = root }
        recountNew(former)
        var context = context
        context.reading.firstUnread = firstUnread
        var outcomes: [Outcome] = isThread ? [] : [.unreadLine(above: firstUnread)]
        outcomes += settleChanges(page, in: context)
        // The messages that came in meanwhile may be the first of all.
        noteSubstitute()
        if !isThread { outcomes.append(.reread(hasMoved: timeline.selection != former.timeline.selection)) }
        return outcomes + [.effect(.reportProblems)] + viewportMoved()
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
        timeline.restore(lost.anchor, selection: selection, following: false)
        return true
    }

    /// The first messages after there were none: where they were, when they are those from before.
    private mutating func showLost(_ entries: [Entry], _ page: Page, following: Bool) throws(DuplicateID) {
        try timeline.open(
            entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index, total: page.place?.total,
            focus: page.focus, alignment: .middle, following: following)
        guard let lost, !following, !restore(lost) else { return }
        if let focus = page.focus, let index = timeline.list.index(of: focus) {
            let place = timeline.measure(of: index).place(ofRow: 0)
            let anchor = Anchor(id: focus, place: place, screenRow: lost.anchor.screenRow)
            timeline.restore(anchor, selection: focus, following: false)
        }
    }

    /// The message above which the line of the unread ones stands. When it is gone, the line stays above the first one of
    /// others below it that survives.
    private func firstUnread(survivingIn page: Page, in context: PaneContext) -> MessageID? {
        guard let first = context.reading.firstUnread, !isThread, !page.messages.contains(where: { $0.id == first }),
            let line = timeline.list.index(of: first)
        else { return context.reading.firstUnread }
        let survivors = Set(page.messages.lazy.filter(context.isOfOthers).map(\.id))
        return (line..<timeline.count).lazy.map { timeline.list[$0].id }.first(where: survivors.contains) ?? first
    }

    /// A message that is gone is not new below the screen any more. When it comes back, it is new only if it was so before.
    private mutating func recountNew(_ former: Pane) {
        let list = timeline.list
        let gone = former.timeline.ids.filter { list.index(of: $0) == nil }
        // Beyond a window that ends before the conversation does, they may still be there.
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
