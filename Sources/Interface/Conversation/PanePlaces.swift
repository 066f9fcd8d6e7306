import Messages
import Timeline

/// The place of a pane, and moves to other places in its window.
extension Pane {
    /// The screen as a place to come back to; nil while there is none.
    var place: ScreenPlace? {
        guard opening == .shown, let conversation else { return nil }
        return ScreenPlace(
            conversation: conversation, anchor: timeline.shownAnchor, selection: timeline.selection,
            isFollowing: timeline.viewport.isFollowing, target: target, substitutes: substitutes)
    }

    private var substitutes: ScreenPlace.Substitutes {
        guard let anchor = timeline.shownAnchor, let index = timeline.list.index(of: anchor.id) else {
            return ScreenPlace.Substitutes()
        }
        let ids = timeline.successors(of: anchor.id, limit: ScreenPlace.Substitutes.limit + 1)
        return ScreenPlace.Substitutes(
            ids: Array(ids.dropFirst()), moment: timeline.list[index].message.at)
    }

    /// The lost screen to restore; nil when nothing was lost, or the user has moved since.
    var missedScreen: LostScreen? {
        lost.flatMap { $0.substitute == LostScreen.Stance(timeline) ? $0 : nil }
    }

    /// The messages of the pane that a reload should find again.
    func remains(at now: Timestamp) -> Remains {
        if timeline.list.isEmpty, let lost { return lost.remains }
        let ids = timeline.successors
        let anchored = ids.first.flatMap(timeline.list.index(of:)).map { timeline.list[$0].message.at }
        let missed = missedScreen.map { [$0.anchor.id] } ?? []
        return Remains(ids: missed + ids, moment: anchored ?? now, isFollowing: timeline.viewport.isFollowing)
    }

    /// Shows a place in the window, without a page.
    /// - Returns: false when a page is needed.
    mutating func show(_ destination: ListRequest.Destination) -> Bool {
        selectsRoot = selectsRoot && destination.isBeginning
        switch destination {
        case .again: return false
        case .reply(let reply):
            var newer = 0
            let messages = (0..<timeline.count).map { timeline.list[$0].message }
            guard !timeline.hasNewer, let id = reply.find(in: messages, after: &newer), jump(to: id) else {
                return false
            }
            target = id
        case .found(let id, _) where isShortened(id): return false
        case .position(.message(let id)), .found(let id, _):
            guard jump(to: id) else { return false }
            target = id
        case .hit(let hit):
            // The hit may be in a part of a long text that is not loaded.
            guard let id = message(at: hit.place.index), !isShortened(id) else { return false }
            return jump(to: id)
        case .place(let place):
            guard let anchor = place.anchor, timeline.canRestore(anchor), !place.isFollowing || !timeline.hasNewer
            else { return false }
            timeline.restore(anchor, selection: place.selection, following: place.isFollowing)
            target = place.target
        case .unread(let first): return first.map { timeline.jump(to: $0, aligned: .middle) } ?? false
        case .position(.earliest): return timeline.jumpToBeginning()
        case .position(.latest): return timeline.jumpToEnd()
        case .position: return false
        }
        return true
    }

    private func isShortened(_ id: MessageID) -> Bool {
        timeline.list.index(of: id).map { timeline.list[$0].isShortened } ?? false
    }

    private mutating func jump(to message: MessageID) -> Bool {
        let id = timeline.item(holding: message) ?? message
        let alignment = alignment(of: id)
        // For a message on the screen nothing has to be loaded.
        guard alignment == .minimal || timeline.canJump(to: id, aligned: alignment) else { return false }
        return timeline.jump(to: id, aligned: alignment)
    }

    /// A message that is visible as a whole stays in place. Any other is shown in the middle.
    private func alignment(of id: MessageID) -> Alignment {
        guard let index = timeline.list.index(of: id) else { return .middle }
        let rows = timeline.layout.rows(of: index)
        let viewport = timeline.viewport.rows
        let isWhole = rows.lowerBound >= viewport.lowerBound && rows.upperBound <= viewport.upperBound
        return isWhole ? .minimal : .middle
    }

    /// Moves the screen of a new list to the requested place.
    mutating func settle(_ page: Page, _ request: ListRequest, _ zone: Zone) -> [Outcome] {
        switch request.destination {
        case .position(.earliest): if !timeline.pager.canLoad(.older) { _ = timeline.showFirst() }
        case .position(.message), .found: target = page.thread == nil ? page.focus : nil
        case .position(.date(let wanted)):
            target = page.focus
            if page.focus == nil, !page.messages.isEmpty {
                return [.tell("No messages on or after that date; showing the newest")]
            }
            if let first = page.focus.flatMap(timeline.list.index).map({ timeline.list[$0] }),
                first.message.at >= wanted.end, first.date > zone.civil(wanted.start).date
            {
                return [.tell("No messages \(zone.phrase(wanted)); showing \(first.date.long)")]
            }
        case .reply: target = page.focus
        case .position, .hit, .again: break
        case .unread:
            if page.focus == nil { _ = timeline.jumpToEnd() }
        case .place(let place):
            if let anchor = place.anchor, timeline.list.index(of: anchor.id) != nil {
                timeline.restore(anchor, selection: place.selection, following: place.isFollowing)
            } else if !place.isFollowing, let focus = page.focus, let anchor = place.anchor(substituting: focus) {
                timeline.restore(anchor, selection: place.selection, following: false)
            }
            target = place.target
        }
        return []
    }

    /// True if a message of the window is deleted.
    func isDeleted(_ id: MessageID) -> Bool {
        timeline.list.index(of: id).map { timeline.list[$0].message.isDeleted } ?? false
    }

    // MARK: - History

    /// Records the place that was left in the history, as its request says.
    mutating func note(_ leaving: ListRequest.Leaving, from place: ScreenPlace) {
        switch leaving {
        // A jump that did not move the screen is not recorded.
        case .jump: if place != self.place { history.leave(place) }
        case .back(let steps): history.wentBack(steps, from: place)
        case .forward(let steps): history.wentForward(steps, from: place)
        case .nothing, .reload: break
        }
    }
}

extension Zone {
    /// A time in a sentence: "on Sunday 27 April 2008 from 12:30 on", "in March 2024".
    fileprivate func phrase(_ time: NamedTime) -> String {
        let start = civil(time.start)
        let last = Timestamp(milliseconds: time.end.milliseconds - 1)
        if time.end > time.start, civil(last).date != start.date { return "in \(time.description)" }
        // The conversation may have earlier messages of that day, so the clock is named.
        let clock = time.start == moment(of: start.date) ? "" : " from \(start.clock) on"
        return "on \(start.date.long)\(clock)"
    }
}

/// Runs of presence lines in the list of a pane.
extension Pane {
    /// Unfolds the run that holds a presence line, and brings that line onto the screen.
    /// - Returns: the ID of the run's item; nil if no run holds the message.
    mutating func openRun(at id: MessageID) -> MessageID? {
        guard let index = timeline.index(holding: id), let line = timeline.list[index].run?.index(of: id) else {
            return nil
        }
        let entry = timeline.list[index]
        timeline.setFold(false, of: entry.id)
        let place = entry.body.lines[line].start
        let row = timeline.layout.top(of: index) + timeline.measure(of: index).row(ofPlace: place)
        if !timeline.viewport.rows.contains(row) {
            let anchor = Anchor(id: entry.id, place: place, screenRow: timeline.viewport.height / 2)
            timeline.restore(anchor, selection: entry.id, following: false)
        }
        return entry.id
    }

    /// Adds messages that follow the window to the run at its end, as far as they belong to it.
    /// - Returns: the number of these messages.
    mutating func extendLastRun(by messages: [Message], zone: Zone) -> Int {
        guard let last = timeline.list.last, let run = last.run else { return 0 }
        let count = run.continuation(in: messages, zone: zone)
        let new = messages.prefix(count).filter { !run.holds($0.id) }
        if !new.isEmpty { timeline.update(Entry(run.appending(new), replacing: last, zone: zone)) }
        return count
    }

    /// Shows another version of a message of the window.
    mutating func update(_ message: Message, at index: Int, zone: Zone) {
        let entry = timeline.list[index]
        if let run = entry.run {
            timeline.update(Entry(run.replacing(message), replacing: entry, zone: zone))
        } else {
            // A long text stays whole if it was whole.
            let isWhole = isThread || entry.isWhole || entry.fold == false
            timeline.update(Entry(isWhole ? message : message.shortened, replacing: entry))
        }
    }
}

extension Timeline<MessageRuler> {
    /// The index of a message's item, which may be the run of a presence line.
    func index(holding id: MessageID) -> Int? {
        list.index(of: id) ?? (0..<count).last { list[$0].run?.holds(id) ?? false }
    }

    /// The ID of a message's item.
    func item(holding id: MessageID) -> MessageID? { index(holding: id).map { list[$0].id } }
}

extension ThreadBeside {
    init?(_ pane: Pane, hasKeys: Bool) {
        guard let root = pane.thread else { return nil }
        let place = pane.place
        (self.root, self.hasKeys) = (root, hasKeys)
        (anchor, selection, target) = (place?.anchor, place?.selection, place?.target)
        isFollowing = place?.isFollowing ?? true
    }
}
