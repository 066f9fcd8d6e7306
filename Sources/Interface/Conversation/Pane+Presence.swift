import Messages
import Timeline

/// Runs of presence lines in the list of a pane.
extension Pane {
    /// Unfolds the run that holds a presence line, and brings that line onto the screen.
    /// - Returns: the ID of the run's item; nil if no run holds the message.
    mutating func openRun(at id: MessageID) -> MessageID? {
        guard let index = timeline.index(holding: id), let line = timeline.list[index].run?.index(of: id) else {
            return nil
        }
        let entry = timeline.list[index]
        timeline.setFold(false, of: entry.id)
        let place = entry.body.lines[line].start
        let row = timeline.layout.top(of: index) + timeline.measure(of: index).row(ofPlace: place)
        if !timeline.viewport.rows.contains(row) {
            let anchor = Anchor(id: entry.id, place: place, screenRow: timeline.viewport.height / 2)
            timeline.restore(anchor, selection: entry.id, following: false)
        }
        return entry.id
    }

    /// Adds messages that follow the window to the run at its end, as far as they belong to it.
    /// - Returns: the number of these messages.
    mutating func extendLastRun(by messages: [Message], zone: Zone) -> Int {
        guard let last = timeline.list.last, let run = last.run else { return 0 }
        let count = run.continuation(in: messages, zone: zone)
        let new = messages.prefix(count).filter { !run.holds($0.id) }
        if !new.isEmpty { timeline.update(Entry(run.appending(new), replacing: last, zone: zone)) }
        return count
    }

    /// Shows another version of a message of the window.
    mutating func update(_ message: Message, at index: Int, zone: Zone) {
        let entry = timeline.list[index]
        if let run = entry.run {
            timeline.update(Entry(run.replacing(message), replacing: entry, zone: zone))
        } else {
            timeline.update(Entry(message, replacing: entry))
        }
    }
}

extension Timeline<MessageRuler> {
    /// The index of a message's item, which may be the run of a presence line.
    func index(holding id: MessageID) -> Int? {
        list.index(of: id) ?? (0..<count).last { list[$0].run?.holds(id) ?? false }
    }

    /// The ID of a message's item.
    func item(holding id: MessageID) -> MessageID? { index(holding: id).map { list[$0].id } }
}
