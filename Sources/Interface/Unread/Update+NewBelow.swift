import Display
import Messages
import Timeline

extension Model {
    /// Messages have come in: those of others are new below the screen until they are seen.
    mutating func noteNewBelow(_ messages: [Message]) {
        for message in messages where isOfOthers(message) { pane.newBelow.add(message.id) }
    }

    /// The same of a conversation that is not on the screen: it may be come back to where it was left.
    mutating func noteNewBelow(_ arrival: Arrival) {
        guard arrival.message.isMain, isOfOthers(arrival.message) else { return }
        newBelow[WritingPlace(conversation: arrival.conversation), default: NewBelow()].add(arrival.message.id)
    }

    func isOfOthers(_ message: Message) -> Bool { message.sender.map { $0.id != me } ?? true }

    /// A conversation is left: the new messages below the screens of its panes are kept until the user comes back.
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
            let text = CleanText(" ↓ \(other.newCount.grouped) new\(place) ")
            badge.append(Span(text, Style(.accent, .reverse)))
        }
        return badge
    }
}
