import Display
import Messages
import Timeline

/// The people who write at this moment.
struct Typing: Sendable {
    /// Besides oneself.
    private var people: [Person] = []
    /// Names the time after which they count as gone.
    private var epoch = 0
    /// When the others were last told that one writes.
    private var lastTold: Timestamp?

    /// After this time they count as writing no more, unless they are told of again.
    private static let time = Duration.seconds(7)
    /// Milliseconds after which the others are told again.
    private static let pause: Int64 = 3_000

    mutating func show(_ people: [Person], besides me: PersonID?) -> [Effect] {
        epoch += 1
        // One may write on another screen.
        self.people = people.filter { $0.id != me }
        return self.people.isEmpty ? [] : [.wait(Typing.time, .typingEnds(epoch: epoch))]
    }

    mutating func end(_ epoch: Int) { if self.epoch == epoch { people = [] } }

    /// Another conversation is on the screen.
    mutating func forget() {
        epoch += 1
        (people, lastTold) = ([], nil)
    }

    // MARK: - Oneself

    /// Tells the others, now and then, that one writes.
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

    /// `Ana and Ben are writing…`, in the row below the last message.
    func line(in pane: Pane) -> Line? {
        let timeline = pane.timeline
        guard !people.isEmpty, pane.opening == .shown, !pane.isThread, !timeline.hasNewer, !timeline.list.isEmpty else {
            return nil
        }
        let names = people.map(\.name)
        let text =
            switch names.count {
            case 1: "\(names[0]) is writing…"
            case 2: "\(names[0]) and \(names[1]) are writing…"
            default: "\(names[0]) and \(names.count - 1) others are writing…"
            }
        let indent = CleanText.blanks(pane.grid.textStart)
        return [Span(indent + CleanText(text), Style(.standard, [.dim, .italic]))]
    }
}
