import Messages
import Timeline

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
