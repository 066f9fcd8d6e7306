import Messages
import Timeline

/// What the store has told of while one looks, as far as it is not on the screen yet.
struct LateChanges: Sendable {
    /// Told in the first moments after a list was shown: they come into it as one update.
    var waiting: [StoreChange] = []
    /// Names the pause after the last of them.
    var quietEpoch = 0
    /// Names the first moments; nil when they are over.
    var settlingEpoch: Int?
    /// Messages as they are now, while pages are on their way that may have been read before.
    private(set) var newest: [MessageID: Message] = [:]
    /// Those of them that are behind the newest one there was, in order.
    private(set) var arrived: [Message] = []

    mutating func remember(_ change: StoreChange) {
        switch change {
        case .updated(let message): newest[message.id] = message
        case .arrived(let message):
            newest[message.id] = message
            arrived.append(message)
        case .surveyed, .replaced, .typing: break
        }
    }

    /// The messages of a page, none in a form that has been overruled since.
    func overrule(_ messages: [Message]) -> [Message] {
        newest.isEmpty ? messages : messages.map { newest[$0.id] ?? $0 }
    }

    mutating func forget() {
        newest = [:]
        arrived = []
    }
}

extension Model {
    /// So long after a list was shown, what the store adds comes as one update.
    private static let settling = Duration.seconds(1)
    /// Such a pause ends it.
    private static let quiet = Duration.milliseconds(150)

    /// Messages changed or arrived while one looks.
    mutating func follow(_ told: [StoreChange]) -> [Effect] {
        guard opening == .shown else { return [] }
        var effects = told.contains(.surveyed) ? askForSurvey() : []
        if told.contains(.replaced) { effects += reload() }
        for case .typing(let people) in told { effects += show(typing: people) }
        // A reply in a thread changes its root alone, of which one is told as well.
        let new = told.filter { $0.message?.isMain ?? false }
        if new.isEmpty { return effects }
        effects += mentions(in: new)
        if isLoading { for change in new { changes.remember(change) } }
        if !timeline.viewport.isFollowing { newCount += new.count(where: isUnknown) }
        guard changes.settlingEpoch != nil else {
            apply(new)
            return effects
        }
        changes.waiting += new
        changes.quietEpoch = nextEpoch()
        return effects + [.wait(Model.quiet, .pause(epoch: changes.quietEpoch))]
    }

    /// What names the user or answers to him.
    private func mentions(in told: [StoreChange]) -> [Effect] {
        guard let me else { return [] }
        let own = conversation?.members.first { $0.id == me } ?? knownWriter(me)
        return told.compactMap { change in
            guard case .arrived(let message) = change, let sender = message.sender, sender.id != me, isUnknown(change)
            else { return nil }
            var isMeant = own.isMentioned(in: message.text)
            if case .message(let quoted?, _) = message.quote?.content, quoted.id == me { isMeant = true }
            return isMeant ? .notify(from: sender.name, text: message.text) : nil
        }
    }

    private func isUnknown(_ change: StoreChange) -> Bool {
        if case .arrived(let message) = change { timeline.list.index(of: message.id) == nil } else { false }
    }

    /// The messages are others than they were: what is on the screen is read again, as far as it is still there.
    private mutating func reload() -> [Effect] {
        guard let place, let conversation, pending == nil else { return [] }
        return requestList(.place(place), in: conversation, leaving: .reload)
    }

    /// A pause is over: either no more came for a while, or the first moments have passed.
    mutating func endChangesPause(_ epoch: Int) {
        if epoch == changes.settlingEpoch { changes.settlingEpoch = nil }
        guard epoch == changes.quietEpoch || changes.settlingEpoch == nil, !changes.waiting.isEmpty else { return }
        let waiting = changes.waiting
        changes.waiting = []
        apply(waiting)
    }

    /// A list is shown: its first moments begin. It may have been read before something came in.
    mutating func settleChanges(_ page: Page) -> [Effect] {
        changes.waiting = []
        let known = Set(page.messages.map(\.id))
        let missing = changes.arrived.filter { !known.contains($0.id) }
        if !missing.isEmpty { timeline.lookForNewer() }
        // Behind nothing, there is no place to look from.
        if timeline.list.isEmpty { append(missing) }
        changes.forget()
        let epoch = nextEpoch()
        changes.settlingEpoch = epoch
        return [.wait(Model.settling, .pause(epoch: epoch))]
    }

    /// Nothing is on its way any more that could have been read before it was overruled.
    mutating func forgetOverruled() {
        if !isLoading { changes.forget() }
    }

    private var isLoading: Bool {
        pending != nil
            || Pager<Messages.Cursor>.Side.allCases.contains {
                if case .loading = timeline.pager.state(of: $0) { true } else { false }
            }
    }

    /// All of them, before a frame is drawn; what changes nothing leaves the list as it is.
    private mutating func apply(_ changes: [StoreChange]) {
        // What arrives together is appended together: thousands may.
        var arrived: [Message] = []
        var known: [MessageID: Int] = [:]
        var updated: [MessageID: Message] = [:]
        for change in changes {
            guard let message = change.message else { continue }
            if case .updated = change { updated[message.id] = message }
            if let index = timeline.list.index(of: message.id) {
                timeline.update(Entry(message, replacing: timeline.list[index]))
            } else if let index = known[message.id] {
                arrived[index] = message
            } else if case .arrived = change {
                known[message.id] = arrived.count
                arrived.append(message)
            }
        }
        updateQuotes(of: updated)
        append(arrived)
    }

    /// What answers to these messages quotes what they say now. One walk over the window for all of them.
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

    private mutating func append(_ messages: [Message]) {
        guard !messages.isEmpty else { return }
        guard !timeline.hasNewer else { return timeline.noteArrivalsBeyond(messages.count) }
        do {
            let last = timeline.list.last.map { Neighbour($0.message) }
            try timeline.append(Entry.entries(messages, after: last, zone: zone, lastRead: reading.lastRead))
        } catch {
            warn(error.description)
        }
    }
}

extension StoreChange {
    var message: Message? {
        switch self {
        case .updated(let message), .arrived(let message): message
        case .surveyed, .replaced, .typing: nil
        }
    }
}
