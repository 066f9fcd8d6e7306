import Display
import Messages
import Timeline

/// New messages of others below the screen that the user has not seen.
struct NewBelow: Hashable, Sendable {
    /// The first of them, in order.
    private(set) var ids: [MessageID] = []
    private var known: Set<MessageID> = []
    /// The number of further ones.
    private var more = 0

    /// Further messages are only counted, so that a flood takes no memory.
    private static let most = 1_000

    var count: Int { ids.count + more }
    /// The first unseen message.
    var first: MessageID? { ids.first }

    func contains(_ id: MessageID) -> Bool { known.contains(id) }

    /// Counts a message once, even if it is added again.
    mutating func add(_ id: MessageID) {
        if known.contains(id) { return }
        guard ids.count < NewBelow.most else {
            more += 1
            return
        }
        known.insert(id)
        ids.append(id)
    }

    /// Removes messages that are gone.
    mutating func removeAll(where isGone: (MessageID) -> Bool) {
        ids.removeAll(where: isGone)
        known = Set(ids)
    }

    /// A message is on the screen, so it and all before it have been seen.
    /// - Returns: whether it was among the new ones.
    mutating func see(upTo id: MessageID) -> Bool {
        guard known.contains(id), let index = ids.firstIndex(of: id) else { return false }
        known.subtract(ids[...index])
        ids.removeFirst(index + 1)
        return true
    }
}

extension Model {
    /// Notes a new message of a conversation that the user may come back to.
    mutating func noteNewBelow(_ arrival: Arrival) {
        guard arrival.message.isMain, paneContext.isNewFromOthers(arrival.message) else { return }
        reading.newBelow[WritingPlace(conversation: arrival.conversation), default: NewBelow()].add(arrival.message.id)
    }

    /// Keeps the numbers of new messages of all panes until the user comes back to the conversation.
    mutating func putNewBelowAside() {
        guard let conversation else { return }
        for pane in panes where pane.newCount > 0 {
            reading.newBelow[WritingPlace(conversation: conversation.id, thread: pane.thread)] = pane.newBelow
        }
        _ = panes.changeAll { pane in
            pane.newBelow = NewBelow()
            return []
        }
    }

    /// Takes back the number for a pane that shows its conversation or thread again.
    mutating func takeNewBelow(_ number: Int) {
        guard let conversation, let pane = panes[number] else { return }
        let place = WritingPlace(conversation: conversation.id, thread: pane.thread)
        let newBelow = reading.newBelow.removeValue(forKey: place) ?? NewBelow()
        panes.change(number) { $0.newBelow = newBelow }
    }

    /// `↓ 3 new`, for the pane that has the keys and for the other one. It stands in the status line, where it covers no
    /// message.
    var newBelowBadge: Line {
        var badge = Line.empty
        for other in panes where other.newCount > 0 {
            let place =
                other.number == pane.number ? "" : other.thread == nil ? " in the conversation" : " in the thread"
            badge.append(Span("   "))
            let text = CleanText(" ↓ \(other.newCount.grouped) new\(place) ")
            badge.append(Span(text, Style(.unread, .reverse)))
        }
        return badge
    }
}
