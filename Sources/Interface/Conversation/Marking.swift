import Display
import Messages
import Timeline

/// The selection of several messages: from the one where it was begun to the one under the cursor, loaded or not.
extension Pane {
    /// v: begins a selection, or ends it.
    mutating func toggleMark() -> [Outcome] {
        if isRootSelected, mark == nil {
            return [.tell("only replies can be selected here; this is the first message of the thread")]
        }
        guard mark == nil, let index = timeline.selectedIndex else {
            mark = nil
            return []
        }
        let first = timeline.list[index].first
        mark = MarkedMessage(id: first.id, place: timeline.position(of: index), at: first.at)
        return []
    }

    /// The selected entries of the window; nil when none are selected.
    var markedIndices: ClosedRange<Int>? {
        guard let mark, let cursor = timeline.selectedIndex else { return nil }
        let begin = index(of: mark) ?? (isBeforeWindow(mark) ? 0 : timeline.count - 1)
        return min(begin, cursor)...max(begin, cursor)
    }

    /// True if more than the message under the cursor is selected.
    var hasSeveralMarked: Bool {
        guard let mark, let cursor = timeline.selectedIndex else { return false }
        return index(of: mark) != cursor
    }

    /// The selected messages; the one under the cursor when no selection was begun.
    var markedRange: MarkedRange? {
        if isRootSelected, mark == nil { return rootRange }
        guard let conversation, let cursor = timeline.selectedIndex else { return nil }
        let entry = timeline.list[cursor]
        guard let mark else {
            return MarkedRange(conversation: conversation, thread: thread, first: entry.first.id, last: entry.last.id)
        }
        let begin = index(of: mark)
        let isForward = begin.map { $0 <= cursor } ?? isBeforeWindow(mark)
        // The entry may be a run that has grown since the selection began.
        let end = begin.map { timeline.list[$0].last.id } ?? mark.id
        return MarkedRange(
            conversation: conversation, thread: thread, first: isForward ? mark.id : entry.first.id,
            last: isForward ? entry.last.id : end)
    }

    /// The number of selected messages; nil when it is not known.
    var markedCount: Int? {
        guard let mark, let cursor = timeline.selectedIndex else { return nil }
        if let begin = mark.place, let places = selectedPlaces {
            return max(places.upperBound, begin + 1) - min(places.lowerBound, begin)
        }
        return index(of: mark).map { timeline.span(of: min($0, cursor)..<max($0, cursor) + 1) }
    }

    /// The root as a range of the main timeline.
    private var rootRange: MarkedRange? {
        guard let conversation, let root = root?.message.id else { return nil }
        return MarkedRange(conversation: conversation, thread: nil, first: root, last: root)
    }

    /// Refuses an action for a single message while several are selected; nil for any other action.
    func refusal(of action: Action, _ keymap: Keymap) -> Outcome? {
        guard hasSeveralMarked, [.reply, .edit, .delete, .react].contains(action) else { return nil }
        let keys = "\(keymap.keyName(.copyText)) and \(keymap.keyName(.writeFile))"
        return .warn("only \(keys) work on several messages; Esc ends")
    }

    /// `12 messages selected   y copies · S writes · Esc ends`
    func markedStatus(_ keymap: Keymap) -> Span? {
        guard mark != nil else { return nil }
        let count = markedCount.map { $0 == 1 ? "1 message selected" : "\($0.grouped) messages selected" }
        let keys =
            "\(keymap.keyName(.copyText)) copies · \(keymap.keyName(.writeFile)) writes to a file · Esc ends"
        return Span(CleanText("\(count ?? "selecting")   \(keys)"), Style(.accent))
    }

    private func index(of mark: MarkedMessage) -> Int? {
        timeline.list.index(of: mark.id)
            ?? (0..<timeline.count).first { timeline.list[$0].run?.holds(mark.id) ?? false }
    }

    /// True if a message outside the window precedes the window. Without places, times decide.
    private func isBeforeWindow(_ mark: MarkedMessage) -> Bool {
        if let place = mark.place, let start = timeline.windowStart { return place < start }
        return timeline.list.first.map { mark.at <= $0.message.at } ?? true
    }
}

extension Entry {
    /// The first message of the item.
    fileprivate var first: Message { run?.lines.first ?? message }
}
