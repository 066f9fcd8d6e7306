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
        case .surveyed: break
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

    /// A message changed or arrived while one looks.
    mutating func follow(_ change: StoreChange) -> [Effect] {
        guard opening == .shown else { return [] }
        if change == .surveyed { return askForSurvey() }
        if isLoading { changes.remember(change) }
        if case .arrived(let message) = change, !timeline.viewport.isFollowing,
            timeline.list.index(of: message.id) == nil
        {
            newCount += 1
        }
        guard changes.settlingEpoch != nil else {
            apply([change])
            return []
        }
        changes.waiting.append(change)
        changes.quietEpoch = nextEpoch()
        return [.wait(Model.quiet, .pause(epoch: changes.quietEpoch))]
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
        if timeline.list.isEmpty { for message in missing { append(message) } }
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
        for change in changes {
            guard let message = change.message else { continue }
            if let index = timeline.list.index(of: message.id) {
                timeline.update(Entry(message, replacing: timeline.list[index]))
            } else if case .arrived = change {
                append(message)
            }
        }
    }

    private mutating func append(_ message: Message) {
        guard !timeline.hasNewer else { return timeline.noteArrivalBeyond() }
        do {
            let last = timeline.list.last.map { Neighbour($0.message) }
            try timeline.append(Entry(message, after: last, zone: zone))
        } catch {
            warn(error.description)
        }
    }
}

extension StoreChange {
    var message: Message? {
        switch self {
        case .updated(let message), .arrived(let message): message
        case .surveyed: nil
        }
    }
}
