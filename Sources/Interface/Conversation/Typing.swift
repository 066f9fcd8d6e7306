import Display
import Messages
import Timeline

/// The people who are typing now.
struct Typing: Sendable {
    /// The people, without the user.
    private var people: [Person] = []
    /// The ID of the last pause after which they count as gone.
    private var epoch = 0
    /// The time when others were last told that the user is typing; nil when they were not told.
    private var lastTold: Timestamp?

    /// A person counts as typing for this time after the last report.
    private static let time = Duration.seconds(7)
    /// While the user types, others are told again after this number of milliseconds.
    private static let pause: Int64 = 3_000

    mutating func show(_ people: [Person], besides me: PersonID?) -> [Effect] {
        epoch += 1
        // The user may be writing on another screen.
        self.people = people.filter { $0.id != me }
        return self.people.isEmpty ? [] : [.wait(Typing.time, .pause(.typing(epoch)))]
    }

    mutating func end(_ epoch: Int) { if self.epoch == epoch { people = [] } }

    /// Forgets the people of the last conversation.
    mutating func forget() {
        epoch += 1
        (people, lastTold) = ([], nil)
    }

    // MARK: - The user

    /// Tells others every few seconds that the user is typing.
    mutating func tell(_ me: PersonID, in id: ConversationID, now: Timestamp) -> [Effect] {
        if let lastTold, abs(now.milliseconds - lastTold.milliseconds) < Typing.pause { return [] }
        lastTold = now
        return [.noteTyping(me, id)]
    }

    mutating func stop(in id: ConversationID) -> [Effect] {
        guard lastTold != nil else { return [] }
        lastTold = nil
        return [.noteTyping(nil, id)]
    }

    // MARK: - On the screen

    /// `Ana and Ben are typing…`, in the row below the last message.
    func line(in pane: Pane) -> Line? {
        let timeline = pane.timeline
        guard !people.isEmpty, pane.opening == .shown, !pane.isThread, !timeline.hasNewer, !timeline.list.isEmpty else {
            return nil
        }
        let names = people.map(\.name)
        let text =
            switch names.count {
            case 1: "\(names[0]) is typing…"
            case 2: "\(names[0]) and \(names[1]) are typing…"
            default: "\(names[0]) and \(names.count - 1) others are typing…"
            }
        let indent = CleanText.blanks(pane.grid.textStart)
        return [Span(indent + CleanText(text), Style(.standard, [.dim, .italic]))]
    }
}
