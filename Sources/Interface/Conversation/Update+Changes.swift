import Messages
import Timeline

extension Model {
    /// For this time after a list was shown, the additions of the store come as one update.
    private static let settling = Duration.seconds(1)
    /// Such a pause ends it.
    private static let quiet = Duration.milliseconds(150)

    /// Messages changed or arrived while one looks.
    mutating func take(_ changes: [StoreChange]) -> [Effect] {
        guard main.opening == .shown else { return [] }
        var effects = changes.contains(.surveyed) ? askForPlace() : []
        if changes.contains(.surveyed) || changes.contains(.passedOver) { effects.append(.reportProblems) }
        for case .typing(let people) in changes { effects += show(typing: people) }
        let unknown = Set(changes.lazy.filter(isUnknown).compactMap(\.message?.id))
        effects += mentions(in: changes, unknown)
        for case .arrived(let message) in changes { reading.note(message) }
        effects += onAll { $0.takeInPane(changes, unknown) }
        return effects + onMain { $0.countBeyond(changes) }
    }

    /// A message that comes in after a window that ends before is added to the total, in which the store may have
    /// counted it already: so it is asked again, seldom, until nothing has come in since.
    private mutating func countBeyond(_ changes: [StoreChange]) -> [Effect] {
        let isCounted = changes.contains { if case .arrived(let message) = $0 { message.isMain } else { false } }
        guard isCounted, timeline.hasNewer, pane.changes.countEpoch == nil else { return [] }
        let epoch = nextEpoch()
        pane.changes.countEpoch = epoch
        return [.wait(Model.settling, .pause(.counting(epoch)))]
    }

    /// - Parameter unknown: the messages among them that were never there before.
    private mutating func takeInPane(_ changes: [StoreChange], _ unknown: Set<MessageID>) -> [Effect] {
        if changes.contains(.replaced) { noteRewrite() }
        var effects = changes.contains(.replaced) || bringBackMissed(changes) ? reload() : []
        // A thread that is on its way needs messages that this pane does not hold.
        if pane.isLoading { for change in changes { pane.changes.remember(change) } }
        let new = changes.filter { change in
            guard let message = change.message else { return false }
            // A message that is quoted here may stand elsewhere.
            if case .updated = change { return true }
            return pane.holds(message) || message.id == pane.thread
        }
        if new.isEmpty { return effects }
        // The messages that were shown before may be among them: then they are shown where they were.
        if pane.lost != nil, timeline.list.isEmpty { return effects + reload() }
        noteNewBelow(new, unknown)
        guard pane.changes.settlingEpoch != nil else { return effects + apply(new) }
        pane.changes.waiting += new
        pane.changes.quietEpoch = nextEpoch()
        effects.append(.wait(Model.quiet, .pause(.quiet(pane.changes.quietEpoch))))
        return effects + pane.viewportMoved()
    }

    private mutating func noteNewBelow(_ changes: [StoreChange], _ unknown: Set<MessageID>) {
        for case .arrived(let message) in changes {
            let isNew = unknown.contains(message.id) || pane.knownBefore.isUnseen(message.id)
            if isNew, message.id != pane.thread { noteNewBelow([message]) }
            pane.knownBefore.regain(message.id)
        }
    }

    /// The log is written anew: messages of it may come in again. Beyond the end of the window they are known by their
    /// time alone.
    private mutating func noteRewrite() {
        guard let last = timeline.list.last else { return }
        pane.knownBefore.note(timeline.hasNewer ? now : last.message.at)
    }

    /// Whether something is back that the screen has lost.
    private func bringBackMissed(_ changes: [StoreChange]) -> Bool {
        guard let missed = pane.missedScreen, !timeline.list.isEmpty else { return false }
        return changes.contains { change in
            guard case .arrived(let message) = change else { return false }
            return missed.shown.contains(message.id)
        }
    }

    /// Messages that name the user or reply to him.
    private mutating func mentions(in changes: [StoreChange], _ unknown: Set<MessageID>) -> [Effect] {
        guard let own = ownPerson else { return [] }
        var effects: [Effect] = []
        for change in changes {
            guard case .arrived(let message) = change, let sender = message.sender, own.isMeant(by: message),
                unknown.contains(message.id)
            else { continue }
            note(mention: message)
            effects.append(.notify(from: sender.name, text: message.text))
        }
        return effects
    }

    private func isUnknown(_ change: StoreChange) -> Bool {
        guard case .arrived(let message) = change else { return false }
        return panes.allSatisfy { $0.timeline.list.index(of: message.id) == nil && !$0.knownBefore.contains(message) }
    }

    /// A pause is over: either no more came for a while, or the first moments have passed.
    mutating func endChanges(_ pause: Pause) -> [Effect] {
        switch pause {
        case .counting(pane.changes.countEpoch):
            pane.changes.countEpoch = nil
            return askForPlace()
        case .settling(pane.changes.settlingEpoch): pane.changes.settlingEpoch = nil
        case .quiet(pane.changes.quietEpoch): break
        default: return []
        }
        guard !pane.changes.waiting.isEmpty else { return [] }
        let waiting = pane.changes.waiting
        pane.changes.waiting = []
        let effects = apply(waiting)
        defer { pane.changes.mustLocate = false }
        return effects + (pane.changes.mustLocate ? askForPlace() : [])
    }

    /// A list is shown: its first moments begin. It may have been read before something came in.
    mutating func settleChanges(_ page: Page) -> [Effect] {
        pane.changes.waiting = []
        pane.changes.mustLocate = false
        pane.changes.countEpoch = nil
        let known = Set(page.messages.map(\.id))
        let missing = pane.changes.arrived.filter { pane.holds($0) && !known.contains($0.id) }
        if !missing.isEmpty { pane.timeline.lookForNewer() }
        // In an empty list, there is no place to look from.
        if timeline.list.isEmpty { append(missing) }
        pane.changes.forget()
        let epoch = nextEpoch()
        pane.changes.settlingEpoch = epoch
        return [.wait(Model.settling, .pause(.settling(epoch)))]
    }

    /// A list on its way is given up: a reload, which the user did not ask for, has to be done all the same.
    mutating func putOffReload() {
        if pending?.leaving == .reload { pane.changes.mustReload = true }
    }

    /// The reloads that were put off until nothing was on its way.
    mutating func reloadPutOff() -> [Effect] {
        onAll { $0.pane.changes.mustReload && $0.pending == nil ? $0.reload() : [] }
    }

    /// Applies all of them before a frame is drawn; changes without effect leave the list as it is.
    private mutating func apply(_ changes: [StoreChange]) -> [Effect] {
        // Messages that arrive together are appended together: there may be thousands.
        var arrived: [Message] = []
        var known: [MessageID: Int] = [:]
        var updated: [MessageID: Message] = [:]
        for change in changes {
            guard let message = change.message else { continue }
            if case .updated = change { updated[message.id] = message }
            updateRoot(message)
            if let index = timeline.list.index(of: message.id) {
                pane.timeline.update(Entry(message, replacing: timeline.list[index]))
            } else if let index = known[message.id] {
                arrived[index] = message
            } else if case .arrived = change, pane.holds(message) {
                known[message.id] = arrived.count
                arrived.append(message)
            }
        }
        updateQuotes(of: updated)
        append(arrived)
        return pane.viewportMoved()
    }

    /// Replies to these messages quote the texts that they have now. One walk over the window for all of them.
    private mutating func updateQuotes(of updated: [MessageID: Message]) {
        if updated.isEmpty { return }
        for index in 0..<timeline.count {
            let entry = timeline.list[index]
            guard let quoted = entry.message.quote.flatMap({ updated[$0.id] }) else { continue }
            var message = entry.message
            message.quote = Quote(of: quoted)
            if message != entry.message { pane.timeline.update(Entry(message, replacing: entry)) }
        }
    }

    private mutating func append(_ messages: [Message]) {
        guard !messages.isEmpty else { return }
        guard !timeline.hasNewer else { return pane.timeline.noteArrivalsBeyond(messages.count) }
        do {
            let last = timeline.list.last.map { Neighbour($0.message) } ?? pane.beginning
            try pane.timeline.append(Entry.entries(messages, after: last, zone: zone, firstUnread: lineAbove))
        } catch {
            warn(error.description)
        }
    }
}

extension StoreChange {
    var message: Message? {
        switch self {
        case .updated(let message), .arrived(let message): message
        case .surveyed, .replaced, .typing, .passedOver: nil
        }
    }
}
