import Display
import Messages

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
