import Display
import Messages
import Timeline

/// The messages of others that have come in below the screen, until they are seen.
struct NewBelow: Hashable, Sendable {
    /// The first ones of them, in order.
    private(set) var ids: [MessageID] = []
    private var known: Set<MessageID> = []
    /// How many more there are.
    private var more = 0

    /// A flood is counted, and not remembered one by one.
    private static let most = 1_000

    var count: Int { ids.count + more }
    /// The first one that has not been seen.
    var first: MessageID? { ids.first }

    func contains(_ id: MessageID) -> Bool { known.contains(id) }

    /// Each message counts once, however often it is told of.
    mutating func add(_ id: MessageID) {
        if known.contains(id) { return }
        guard ids.count < NewBelow.most else {
            more += 1
            return
        }
        known.insert(id)
        ids.append(id)
    }

    /// Messages are gone.
    mutating func removeAll(where isGone: (MessageID) -> Bool) {
        ids.removeAll(where: isGone)
        known = Set(ids)
    }

    /// A message is on the screen, and those before it are above it.
    /// - Returns: whether it was one of them.
    mutating func see(upTo id: MessageID) -> Bool {
        guard known.contains(id), let index = ids.firstIndex(of: id) else { return false }
        known.subtract(ids[...index])
        ids.removeFirst(index + 1)
        return true
    }
}

extension Model {
    /// Messages have come in: what others wrote is new below the screen until it is seen.
    mutating func noteNewBelow(_ messages: [Message]) {
        for message in messages where isOfOthers(message) { pane.newBelow.add(message.id) }
    }

    /// The same of a conversation that is not on the screen: it may be come back to where it was left.
    mutating func noteNewBelow(_ arrival: Arrival) {
        guard arrival.message.isMain, isOfOthers(arrival.message) else { return }
        newBelow[WritingPlace(conversation: arrival.conversation), default: NewBelow()].add(arrival.message.id)
    }

    func isOfOthers(_ message: Message) -> Bool { message.sender.map { $0.id != me } ?? true }

    /// What is on the screen is new no more.
    mutating func seeNewBelow() {
        if timeline.viewport.isFollowing { pane.newBelow = NewBelow() }
        guard pane.newBelow.first != nil, let last = timeline.visibleIndices.last else { return }
        for index in (0...last).reversed() {
            if pane.newBelow.see(upTo: timeline.list[index].id) { return }
        }
    }

    /// A conversation is left: what has come in below the screens of its panes is kept until it is come back to.
    mutating func putNewBelowAside() {
        guard let conversation else { return }
        for pane in panes where pane.newCount > 0 {
            newBelow[WritingPlace(conversation: conversation.id, thread: pane.thread)] = pane.newBelow
        }
        changeAll { $0.pane.newBelow = NewBelow() }
    }

    /// A pane shows its conversation, or its thread, again.
    mutating func takeNewBelow() {
        guard let conversation else { return }
        let place = WritingPlace(conversation: conversation.id, thread: pane.thread)
        pane.newBelow = newBelow.removeValue(forKey: place) ?? NewBelow()
    }

    /// `↓ 3 new`: below the screen of the pane that has the keys, and of the other one. It stands in the status line, where it
    /// hides no text.
    var newBelowBadge: Line {
        var badge = Line.empty
        for other in panes where other.newCount > 0 {
            let place =
                other.number == pane.number ? "" : other.thread == nil ? " in the conversation" : " in the thread"
            badge.append(Span("   "))
            let text = CleanText(" ↓ \(TitleBar.grouped(other.newCount)) new\(place) ")
            badge.append(Span(text, Style(.accent, .reverse)))
        }
        return badge
    }
}
