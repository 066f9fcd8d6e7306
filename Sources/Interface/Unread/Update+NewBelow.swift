import Display
import Messages
import Timeline

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
