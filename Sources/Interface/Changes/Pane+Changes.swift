import Messages
import Timeline

/// Applies the changes of the store to the messages that the pane shows: new messages and changed ones.
extension Pane {
    /// For this time after a list was shown, changes of the store are collected and applied as one update.
    private static let settling = Duration.seconds(1)
    /// A pause of this length between two changes ends it earlier.
    private static let quiet = Duration.milliseconds(150)

    /// - Parameter unknown: the new messages among the changes.
    mutating func take(_ news: [StoreChange], unknown: Set<MessageID>, in context: PaneContext) -> [Outcome] {
        if news.contains(.replaced) { noteRewrite(at: context.now) }
        var outcomes = news.contains(.replaced) || bringBackMissed(news) ? reload(in: context) : []
        // A thread that is being loaded needs messages that this pane does not hold.
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
            // A message may be quoted here though it stands elsewhere.
            if case .updated = change { return true }
            return holds(message) || message.id == thread
        }
        if new.isEmpty { return outcomes }
        // Messages that were lost may be among them. They are to stand where they stood.
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

    /// Somebody rewrites the log, so that its messages may arrive a second time. Messages after the end of the window are
    /// recognized by their times alone.
    private mutating func noteRewrite(at now: Timestamp) {
        guard let last = timeline.list.last else { return }
        knownBefore.note(timeline.hasNewer ? now : last.message.at)
    }

    /// Whether a message of the lost screen is back.
    private func bringBackMissed(_ news: [StoreChange]) -> Bool {
        guard let missed = missedScreen, !timeline.list.isEmpty else { return false }
        return news.contains { change in
            guard case .arrived(let message) = change else { return false }
            return missed.shown.contains(message.id)
        }
    }

    /// A message that arrives after the end of the window is added to the total, though the store may have counted it already.
    /// So the total is asked for again, at long intervals, until no more messages arrive.
    mutating func countBeyond(_ news: [StoreChange]) -> [Outcome] {
        let isCounted = news.contains { if case .arrived(let message) = $0 { message.isMain } else { false } }
        guard isCounted, timeline.hasNewer, changes.counting == nil else { return [] }
        let pause = nextTicket()
        changes.counting = pause
        return [.effect(.wait(Pane.settling, .pause(.counting(pause))))]
    }

    /// A pause is over.
    mutating func end(_ pause: Pause, in context: PaneContext) -> [Outcome] {
        switch pause {
        case .list(let ticket):
            if pending?.ticket == ticket { isSlow = true }
            return []
        case .counting(let ticket) where ticket == changes.counting:
            changes.counting = nil
            return [.locate]
        case .settling(let ticket) where ticket == changes.settling: changes.settling = nil
        case .quiet(let ticket) where ticket == changes.quiet: break
        default: return []
        }
        guard !changes.waiting.isEmpty else { return [] }
        let waiting = changes.waiting
        changes.waiting = []
        let outcomes = apply(waiting, in: context)
        defer { changes.mustLocate = false }
        return outcomes + (changes.mustLocate ? [.locate] : [])
    }

    /// A list is shown, and its first moments begin. It may have been read before the last changes.
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
        // Messages that come back to a list that fits on the screen can move its anchor, which is no move of the user.
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

    /// Replies quote the new texts of these messages. One walk over the window does it for all of them.
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

    /// - Parameter isMissing: whether messages come back that the screen misses: they are not followed.
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
                Entry.entries(rest, after: last, zone: context.zone, firstUnread: lineAbove(in: context)),
                keepsSelection: mark != nil || context.isAskingAboutMessage || timeline.kept != nil,
                followsWhenFull: !isMissing)
            return []
        } catch {
            return [.warn(error.description)]
        }
    }

    /// The root of the open thread, as it is now.
    private mutating func updateRoot(_ message: Message, in context: PaneContext) {
        guard thread == message.id else { return }
        // A root that was missing gets its rows when the pane is fitted into the screen.
        if root == nil { rootRows = 0 }
        root = root.map { ThreadRoot(message, replacing: $0) } ?? ThreadRoot(message, zone: context.zone)
    }

    // MARK: - Late knowledge

    /// The store has found the place of the window, and the quoted messages.
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

    private mutating func locate(_ place: Place, of first: MessageID) {
        guard !isThread, let index = timeline.list.index(of: first) else { return }
        // The place counts changes that still wait. They would be counted again when they are applied.
        changes.mustLocate = !changes.waiting.isEmpty
        if !changes.mustLocate {
            timeline.locate(start: place.index - timeline.span(of: 0..<index), total: place.total)
        }
    }

    /// Whether the window holds a message.
    func shows(_ message: Message) -> Bool { item(of: message) != nil }

    /// The index of the item that shows a message.
    private func item(of message: Message) -> Int? {
        message.presence == nil ? timeline.list.index(of: message.id) : timeline.index(holding: message.id)
    }
}

extension StoreChange {
    var message: Message? {
        switch self {
        case .updated(let message), .arrived(let message): message
        case .indexed, .replaced, .typing, .readers, .passedOver, .gap, .filled, .reach, .inOwnThreads: nil
        }
    }
}
