import Messages
import Timeline

/// Changes of the store after a list was shown that are not on the screen yet.
struct LateChanges: Sendable {
    /// Changes from the first moments after a list was shown. They are applied as one update.
    var waiting: [StoreChange] = []
    /// The ticket of the pause after the last of them.
    var quiet: PaneTicket?
    /// The ticket of the pause that covers the first moments; nil when it is over.
    var settling: PaneTicket?
    /// Messages in their newest form, while pages are on their way that may have been read before the change.
    private(set) var newest: [MessageID: Message] = [:]
    /// New messages among them, in order.
    private(set) var arrived: [Message] = []

    /// Whether messages have come into a gap that a page on its way may still report.
    private(set) var hasFilled = false

    /// Whether the list must be read again: messages may have changed while it was on its way.
    var mustReload = false
    /// Whether the place of the window must be asked for again: the known one may count changes that still wait.
    var mustLocate = false
    /// The ticket of the pause after which the number of messages is asked for; nil when the number is known.
    var counting: PaneTicket?

    mutating func remember(_ change: StoreChange) {
        switch change {
        case .updated(let message): newest[message.id] = message
        case .arrived(let message):
            newest[message.id] = message
            arrived.append(message)
        case .filled: hasFilled = true
        case .indexed, .replaced, .typing, .readers, .passedOver, .gap, .reach, .inOwnThreads: break
        }
    }

    /// The messages of a page in their newest form.
    func overrule(_ messages: [Message]) -> [Message] {
        newest.isEmpty ? messages : messages.map { newest[$0.id] ?? $0 }
    }

    mutating func forget() {
        newest = [:]
        arrived = []
        hasFilled = false
    }
}

/// The messages that were there before a log was rewritten. They do not count as new when they arrive again.
struct KnownBefore: Sendable {
    /// Messages that left the window and have not come back.
    private var missing: Set<MessageID> = []
    /// The unseen ones of these messages.
    private var unseen: Set<MessageID> = []
    /// A message that was sent at this time or before it was there before the rewrite; nil when nothing was rewritten.
    private var moment: Timestamp?

    /// As many messages as several windows hold. Older ones hardly ever come back.
    private static let most = 4_096

    func contains(_ message: Message) -> Bool {
        missing.contains(message.id) || moment.map { message.at <= $0 } ?? false
    }

    /// Whether no message is missing.
    var isWhole: Bool { missing.isEmpty }
    func isUnseen(_ id: MessageID) -> Bool { unseen.contains(id) }
    mutating func forgetMoment() { moment = nil }
    mutating func note(_ moment: Timestamp) { self.moment = max(self.moment ?? moment, moment) }

    /// Messages are gone.
    /// - Parameter unseen: the messages among them that were new.
    mutating func lose(_ ids: [MessageID], unseen: [MessageID]) {
        if missing.count + ids.count > KnownBefore.most { (missing, self.unseen) = ([], []) }
        missing.formUnion(ids)
        self.unseen.formUnion(unseen)
    }

    mutating func regain(_ id: MessageID) {
        missing.remove(id)
        unseen.remove(id)
    }
}

/// Changes of the store go to both panes, and to everything that counts messages.
extension Model {
    /// Messages of the open conversation changed or arrived.
    mutating func take(_ changes: [StoreChange]) -> [Effect] {
        guard main.opening == .shown else { return [] }
        let isFilled = changes.contains(.filled)
        var effects = isFilled || changes.contains(.indexed) ? askForPlace(ofMissing: isFilled) : []
        if changes.contains(.indexed) || changes.contains(.passedOver) { effects.append(.reportProblems) }
        for case .typing(let people) in changes { effects += typing.show(people, besides: me) }
        for case .readers(let people) in changes { readers.show(people, besides: me) }
        for case .reach(let reach) in changes { note(reach) }
        let unknown = Set(changes.lazy.filter(isUnknown).compactMap(\.message?.id))
        noteUnseen(changes, unknown)
        effects += mentions(in: changes, unknown)
        for case .arrived(let message) in changes { reading.note(message) }
        for case .updated(let message) in changes { writing.reactions.settle(message, by: me) }
        effects += inFind { $0.take(changes, in: $1) }
        if let id = conversation?.id {
            effects += inSearch { $0.take(changes.compactMap(\.message), in: id, context: $1) }
        }
        let context = paneContext
        effects += carryOut(panes.changeAll { $0.take(changes, unknown: unknown, in: context) })
        return effects + carryOut(panes.main.countBeyond(changes))
    }

    /// Only a change of what is known is told: a helper may say it several times.
    private mutating func note(_ new: StoreReach) {
        if case .offline(let reason) = new, new != reach { warn("offline: \(reason)") }
        reach = new
    }

    private func isUnknown(_ change: StoreChange) -> Bool {
        guard case .arrived(let message) = change else { return false }
        return panes.allSatisfy { !$0.shows(message) && !$0.knownBefore.contains(message) }
    }

    /// Messages that name the user, reply to him, or are replies in his threads.
    private mutating func mentions(in changes: [StoreChange], _ unknown: Set<MessageID>) -> [Effect] {
        guard let own = addressee else { return [] }
        var inOwnThreads: Set<MessageID> = []
        for case .inOwnThreads(let messages) in changes { inOwnThreads.formUnion(messages) }
        var effects: [Effect] = []
        for change in changes {
            guard case .arrived(let message) = change, let sender = message.sender, unknown.contains(message.id),
                own.isMeant(by: message) || inOwnThreads.contains(message.id)
            else { continue }
            note(mention: message)
            let link = conversation.map { Link(conversation: $0.id, message: message.id) }
            effects.append(.notify(from: sender.name, text: message.text.withoutSpoilers, link: link))
        }
        return effects
    }

    /// The reloads that had to wait until nothing was on its way.
    mutating func reloadPutOff() -> [Effect] {
        guard panes.contains(where: { $0.changes.mustReload }) else { return [] }
        let context = paneContext
        return carryOut(panes.changeAll { $0.reloadPutOff(in: context) })
    }

    // MARK: - Late knowledge

    /// The store knows more than before, so it is asked for the place of the window and for quoted messages.
    /// - Parameter isFilled: whether messages that were missing may be here now.
    func askForPlace(ofMissing isFilled: Bool = false) -> [Effect] {
        guard let conversation, let first = main.timeline.list.first else { return [] }
        let shown = panes.flatMap { pane in (0..<pane.timeline.count).map { pane.timeline.list[$0].message } }
        let pending = shown.filter { message in
            guard let quote = message.quote else { return false }
            return quote.content == .pending || isFilled && quote.content == .missing
        }
        return [.locate(conversation.id, first.id, first.cursor, Set(pending.map(\.id)))]
    }

    mutating func receivePlace(
        _ id: ConversationID, of first: MessageID, _ place: Place?, _ messages: [Message]
    ) -> [Effect] {
        guard id == conversation?.id else { return [] }
        locating = Retries()
        writing.fillQuotes(in: id, messages)
        let effects = carryOut(panes.changeAll { [zone] in $0.learn(place, of: first, messages, zone: zone) })
        // Steps of the search may have waited for the place.
        return effects + carryOut([.find(.goOn)])
    }

    /// The place of the window is asked for again until the store tells it.
    mutating func failToLocate(in id: ConversationID, _ error: StoreError) -> [Effect] {
        guard id == conversation?.id, locating.reason == nil else { return [] }
        return [locating.fail(error, .place(id))].compactMap(\.self)
    }

    mutating func retryPlace(in id: ConversationID) -> [Effect] {
        guard id == conversation?.id, locating.reason != nil else { return [] }
        locating.begin()
        return askForPlace()
    }
}
