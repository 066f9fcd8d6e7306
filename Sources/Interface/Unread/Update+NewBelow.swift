import Display
import Messages
import Timeline

extension Model {
    /// A message has come into a conversation that is not on the screen: it may be come back to where it was left.
    mutating func noteNewBelow(_ arrival: Arrival) {
        guard arrival.message.isMain, paneContext.isOfOthers(arrival.message) else { return }
        reading.newBelow[WritingPlace(conversation: arrival.conversation), default: NewBelow()].add(arrival.message.id)
    }

    /// A conversation is left: the new messages below the screens of its panes are kept until the user comes back.
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

    /// A pane shows its conversation, or its thread, again.
    mutating func takeNewBelow(_ number: Int) {
        guard let conversation, let pane = panes[number] else { return }
        let place = WritingPlace(conversation: conversation.id, thread: pane.thread)
        let newBelow = reading.newBelow.removeValue(forKey: place) ?? NewBelow()
        panes.change(number) { $0.newBelow = newBelow }
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
