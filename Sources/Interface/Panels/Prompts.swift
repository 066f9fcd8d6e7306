import Display
import Messages
import Timeline

/// A question in one line at the bottom, which takes the keys until it is answered. A new prompt is one file, and a call of
/// `ask` where it is opened.
protocol Prompt: Component where Surroundings == Context {
    /// Whether letters are text. If not, every key is an answer.
    var takesText: Bool { get }
    /// Whether it closes when the conversation changes.
    var isAboutMessage: Bool { get }
    func view(in context: Context) -> PanelView
}

extension Prompt {
    var takesText: Bool { true }
    var isAboutMessage: Bool { true }
}

/// A field with its name before it and an answer after it.
struct PromptLine {
    let name: CleanText
    let field: TextField
    var answer: String
    var isWarning = false
    /// Things to choose from, before the answer.
    var choice = Line.empty

    /// The line, and the column of the cursor.
    /// - Parameter aside: stands at the right end if there is room for everything.
    func line(columns: Int, margin: CleanText, aside: Span?) -> (line: Line, cursor: Int) {
        let needed = margin.columns + name.columns + max(12, field.text.count) + choice.columns + answer.count
        guard let aside, needed + 9 + aside.text.columns <= columns else {
            return line(columns: columns, margin: margin)
        }
        let (line, cursor) = line(columns: columns - aside.text.columns - margin.columns, margin: margin)
        return (line + [aside, Span(margin)], cursor)
    }

    /// The line, and the column of the cursor.
    func line(columns: Int, margin: CleanText) -> (line: Line, cursor: Int) {
        let left: Line = [Span(margin), Span(name, Style(.accent, .bold))]
        // The typed text gets room first, up to half of the line. An answer of only a few columns is left out.
        let isWide = choice.columns + 12 <= columns - left.columns - margin.columns
        let choice = isWide ? choice : .empty
        let free = columns - left.columns - margin.columns - choice.columns - 3
        let typed = field.visible(columns: max(1, free / 2)).text.columns
        let room = free - max(typed, min(8, free / 2))
        let answer = room < 6 ? .empty : CleanText(self.answer).truncated(to: room)
        let (text, cursor) = field.visible(
            columns: max(1, columns - left.columns - choice.columns - answer.columns - (answer.isEmpty ? 0 : 3)))
        var right = choice
        right.append(Span(answer, isWarning ? Style(.warning) : Style(.standard, .dim)))
        right.append(Span(margin))
        let typing: Line = [Span(text, field.isSelected ? Style(.standard, .reverse) : .plain)]
        let line = (left + typing).justified(
            with: answer.isEmpty && choice.columns == 0 ? .empty : right, columns: columns)
        return (line, min(max(0, columns - 1), left.columns + cursor))
    }
}

/// Asks for a date, or for a percentage of the conversation.
struct DatePrompt: Hashable, Sendable {
    private var field = TextField()
    /// The time that was typed.
    private var understood: NamedTime?
    /// The place for a percentage that was typed.
    private var share: PageRequest.Position?

    private static let advice = "not a date; try 2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%"

    /// Whether the text is neither a time nor a percentage.
    private var isWrong: Bool { !field.isEmpty && understood == nil && share == nil }

    /// The text beside the field.
    private var answer: String {
        if field.isEmpty { return "2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%" }
        if share != nil { return "at that point of the conversation" }
        return understood?.description ?? "not a date yet"
    }

    /// The outcomes of Enter.
    private var goal: [Outcome] {
        if let understood { return [.close, .go(.position(.date(understood)))] }
        if let share { return [.close, .goToShare(share)] }
        return [field.isEmpty ? .close : .warn(DatePrompt.advice)]
    }
}

extension DatePrompt: Prompt {
    var isAboutMessage: Bool { false }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text, .edit: return field.take(event)
        case .settled:
            // A time without a day, or a day without a year, is taken near the selected message.
            understood = context.zone.time(named: field.text, now: context.now, near: context.day)
            share = PageRequest.Position(percentage: field.text)
            return []
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate): return goal
        case .action, .mouse, .key: return []
        }
    }

    func view(in context: Context) -> PanelView {
        .line(PromptLine(name: "date: ", field: field, answer: answer, isWarning: isWrong))
    }
}

/// Asks whether to delete a message. Only `y` deletes it.
struct DeletionPrompt: Prompt {
    let message: MessageID

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .delete(message)] : [.close]
    }

    func view(in context: Context) -> PanelView {
        .question("delete this message? y deletes it, any other key keeps it", isWarning: true)
    }
}

/// Asks which link or file of a message to open, or whose address to copy.
struct LinkPrompt: Hashable, Sendable {
    let numbers: LinkNumbers
    private var field: TextField
    private var openables: [Openable] { numbers.openables }

    /// - Parameter number: the number in the field at first.
    init(_ numbers: LinkNumbers, number: Int? = nil) {
        self.numbers = numbers
        field = TextField(number.map { String($0) } ?? "")
    }

    /// The link or file whose number is in the field.
    private var chosen: Openable? {
        guard let number = Int(field.text), (1...openables.count).contains(number) else { return nil }
        return openables[number - 1]
    }

    /// `link`, `file`, or both.
    private var kind: String { Openable.kind(of: openables) }

    /// The text beside the field.
    private var answer: String {
        guard let chosen else {
            return field.isEmpty ? "1 to \(openables.count), or ↑ ↓" : "no such \(kind): 1 to \(openables.count)"
        }
        let disguise = chosen.disguisedHost.map { "leads to \($0): " } ?? ""
        return disguise + chosen.name
    }

    /// Moves to the next number, or to the one before.
    private mutating func move(by step: Int) {
        let number =
            Int(field.text).map { min(max(0, $0), openables.count + 1) + step } ?? (step > 0 ? 1 : openables.count)
        field = TextField(String(min(max(1, number), openables.count)))
    }
}

extension LinkPrompt: Prompt {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text(let characters):
            field.insert(characters.filter { ("0"..."9").contains($0) })
            return [.typed]
        case .edit(let action): return field.edit(action) ? [.typed] : []
        case .action(.up): move(by: -1)
        case .action(.down): move(by: 1)
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate):
            if let chosen { return [.close] + (numbers.copies ? chosen.copied : [.open(chosen)]) }
            return field.isEmpty ? [.close] : []
        case .action, .settled, .mouse, .key: break
        }
        return []
    }

    func view(in context: Context) -> PanelView {
        let isWrong = !field.isEmpty && chosen == nil
        let name = numbers.copies ? "copy link: " : kind + ": "
        return .line(PromptLine(name: CleanText(name), field: field, answer: answer, isWarning: isWrong))
    }
}

extension Model {
    mutating func openReactions() -> [Effect] {
        guard canWrite(), let message = selectedMessage else { return [] }
        if message.isDeleted {
            warn("this message is deleted; there is nothing to react to")
        } else {
            stayHere()
            let timeline = pane.timeline
            let loaded = timeline.visibleIndices.map { timeline.list[$0].message } + [message]
            ask(ReactionPalette(target: message.id, others: loaded.flatMap(\.reactions).map(\.emoji)))
        }
        return []
    }

    mutating func react(_ emoji: String, to target: MessageID) -> [Effect] {
        guard let id = conversation?.id else { return [] }
        // An emoji that is there is written as it was.
        let there = pane.loaded(target)?.reactions.first { Reaction.key($0.emoji) == Reaction.key(emoji) }
        let emoji = there?.emoji ?? emoji
        let isRemoved = writing.reactions.toggle(emoji, on: target, pane.loaded(target), by: me)
        return post(.reaction(target, emoji: emoji, isRemoved: isRemoved), in: id)
    }

    // MARK: - Deleting

    /// x: asks first.
    mutating func askForDeletion() {
        guard let message = ownSelected(to: "delete") else { return }
        stayHere()
        ask(DeletionPrompt(message: message.id))
    }

    mutating func delete(_ message: MessageID) -> [Effect] {
        guard let id = conversation?.id else { return [] }
        writing.edits[id]?[message] = nil
        return post(.deletion(message), in: id)
    }
}
