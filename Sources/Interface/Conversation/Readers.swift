import Messages
import Timeline

/// The read positions of other people in the conversation on the screen.
struct Readers: Sendable {
    private var all: [Reader] = []

    var isEmpty: Bool { all.isEmpty }

    mutating func show(_ readers: [Reader], besides me: PersonID?) { all = readers.filter { $0.person.id != me } }

    /// Forgets the readers of the last conversation.
    mutating func forget() { all = [] }

    /// The index of the last item in a pane that somebody else has read: the number of items if that item is after the window;
    /// nil if it is before the window, or if no reader is known.
    func lastRead(in pane: Pane) -> Int? {
        var last: Int?
        var place = -1
        for reader in all where reader.isAbout(pane) {
            if let index = pane.timeline.list.index(of: reader.message) {
                last = max(last ?? -1, index)
            } else if let index = reader.index {
                place = max(place, index)
            }
        }
        return [last, item(at: place, in: pane)].compactMap { $0 }.max()
    }

    /// The people who have read a message, the latest first.
    func people(whoHaveRead message: MessageID, in pane: Pane) -> [Person] {
        guard let place = pane.timeline.list.index(of: message) else { return [] }
        var seen: Set<PersonID> = []
        return all.filter { reader in
            guard reader.isAbout(pane) else { return false }
            let index = pane.timeline.list.index(of: reader.message) ?? reader.index.flatMap { item(at: $0, in: pane) }
            return index.map { $0 >= place } ?? false && seen.insert(reader.person.id).inserted
        }.map(\.person)
    }

    /// - Parameter place: the index of a message in the main timeline.
    private func item(at place: Int, in pane: Pane) -> Int? {
        let timeline = pane.timeline
        guard !pane.isThread, let start = timeline.windowStart, place >= start else { return nil }
        return timeline.item(at: place)?.index ?? timeline.count
    }
}

extension Reader {
    fileprivate func isAbout(_ pane: Pane) -> Bool {
        switch scope {
        case .all: true
        case .mainTimeline: !pane.isThread
        case .thread(let root): pane.thread == root
        }
    }
}
