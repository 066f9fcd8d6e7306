import Display
import Messages
import Timeline

/// A question in one line at the bottom, which takes the keys until it is answered. A new prompt takes a file, and a call of
/// `ask`.
protocol Prompt: Component where Surroundings == Context {
    /// True if letters are text, false if every key is an answer.
    var takesText: Bool { get }
    /// True if the prompt closes when the conversation changes.
    var isAboutMessage: Bool { get }
    func view(in context: Context) -> PanelView
}

extension Prompt {
    var takesText: Bool { true }
    var isAboutMessage: Bool { true }
}

/// Asks for a date, or for a percentage of the conversation.
struct DatePrompt: Hashable, Sendable {
    private var field = TextField()
    /// The time that was typed.
    private var understood: NamedTime?
    /// The place for the percentage that was typed.
    private var share: PageRequest.Position?

    private static let advice = "not a date; try 2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%"

    /// True if the text is neither a time nor a percentage.
    private var isWrong: Bool { !field.isEmpty && understood == nil && share == nil }

    /// The text after the field.
    private var answer: String {
        if field.isEmpty { return "2024-03-01, 1 march, yesterday, 3 weeks ago, 12:30, 50%" }
        if share != nil { return "at that point of the conversation" }
        return understood?.description ?? "not a date yet"
    }

    /// The outcomes of Enter.
    private var goal: [Outcome] {
        if let understood { return [.close, .go(.position(.date(understood)))] }
        if let share { return [.close, .go(.position(share))] }
        return [field.isEmpty ? .close : .warn(DatePrompt.advice)]
    }
}

extension DatePrompt: Prompt {
    var isAboutMessage: Bool { false }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text, .edit: return field.take(event)
        case .settled:
            // For a time without a day, or a day without a year, the one nearest to the selected message is meant.
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

/// Asks for permission to do something that cannot be undone. Only `y` grants it.
struct Permission: Prompt {
    /// - Parameter columns: the columns of the screen.
    let question: @Sendable (_ columns: Int) -> CleanText
    let deed: Outcome

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, deed] : [.close]
    }

    func view(in context: Context) -> PanelView { .question(question(context.size.columns), isWarning: true) }

    static func toDelete(_ message: MessageID) -> Permission {
        Permission(
            question: { _ in "delete this message? y deletes it, any other key keeps it" },
            deed: .compose(.delete(message)))
    }

    static func toOpen(_ path: String, despite reason: String) -> Permission {
        Permission(
            question: { _ in CleanText("\(reason): y opens it, any other key does not") },
            deed: .effect(.openFile(path: path)))
    }

    static func toReplace(_ file: String, by range: MarkedRange) -> Permission {
        Permission(
            question: { _ in CleanText("\(file) exists: y replaces it, any other key keeps it") },
            deed: .begin(.write(range, file: file, replaces: true)))
    }

    static func toLeave(_ conversation: Conversation) -> Permission {
        Permission(
            question: { columns in
                let name = CleanText(conversation.title).truncated(to: max(8, columns / 3))
                return "leave " + name + "? y leaves it, any other key stays; its messages stay here"
            },
            deed: .effect(.ask(.leave(conversation))))
    }
}

/// Asks for the link or file of a message to open, or to copy its address.
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

    /// The text after the field.
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
            guard let chosen, let id = context.conversation?.id else { return field.isEmpty ? [.close] : [] }
            return [.close] + (numbers.copies ? chosen.copied : chosen.opened(in: id))
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

/// Asks for the name of the file to write messages to. Its ending decides the format.
struct FilePrompt: Prompt {
    let range: MarkedRange
    private var field = TextField()

    init(_ range: MarkedRange) { self.range = range }

    private var format: MessageFormat? { MessageFormat(ofFile: field.text) }

    func view(in context: Context) -> PanelView {
        let answer = format.map { "as \($0.title)" } ?? "a name that ends in .txt, .md or .json"
        return .line(PromptLine(name: "write to: ", field: field, answer: answer))
    }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text, .edit: return field.take(event)
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate):
            if field.isEmpty { return [.close] }
            guard format != nil else { return [.warn("the name must end in .txt, .md or .json")] }
            return [.close, .begin(.write(range, file: field.text, replaces: false))]
        case .action, .settled, .mouse, .key: return []
        }
    }
}
