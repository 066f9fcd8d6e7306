import Display
import Messages
import Timeline

extension Model {
    /// After this time they count as writing no more, unless they are told of again.
    private static let typingTime = Duration.seconds(7)
    /// Milliseconds after which the others are told again.
    private static let typingPause: Int64 = 3_000

    mutating func show(typing people: [Person]) -> [Effect] {
        // One may write on another screen.
        let people = people.filter { $0.id != me }
        typing.people = people
        typing.epoch = nextEpoch()
        return people.isEmpty ? [] : [.wait(Model.typingTime, .typingEnds(epoch: typing.epoch))]
    }

    /// Tells the others, now and then, that one writes.
    mutating func tellTyping() -> [Effect] {
        guard let me = me, let id = conversation?.id, let composer else { return [] }
        if composer.area.isBlank { return endTyping(in: id) }
        if let last = typing.lastTold, abs(now.milliseconds - last.milliseconds) < Model.typingPause { return [] }
        typing.lastTold = now
        return [.noteTyping(me, id)]
    }

    mutating func endTyping(in id: ConversationID) -> [Effect] {
        guard typing.lastTold != nil else { return [] }
        typing.lastTold = nil
        return [.noteTyping(nil, id)]
    }

    /// `Ana and Ben are writing…`, in the row below the last message.
    var typingLine: Line? {
        guard opening == .shown, !isInThread, !timeline.hasNewer, !timeline.list.isEmpty else { return nil }
        let names = typing.people.map(\.name)
        let text: String
        switch names.count {
        case 0: return nil
        case 1: text = "\(names[0]) is writing…"
        case 2: text = "\(names[0]) and \(names[1]) are writing…"
        default: text = "\(names[0]) and \(names.count - 1) others are writing…"
        }
        let indent = CleanText.blanks(grid.textStart)
        return [Span(indent + CleanText(text), Style(.standard, [.dim, .italic]))]
    }
}
