import Display

/// A question that takes the keys until it is answered: a component of one line at the bottom. A new one is one file, and
/// the place that opens it with `ask`.
protocol Prompt: Sendable {
    /// Whether letters are text; else every key is an answer.
    var takesText: Bool { get }
    /// Whether it is about a message, and closes when the conversation is left.
    var isAboutMessage: Bool { get }
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome]
    func view(in context: Context) -> PromptView
}

extension Prompt {
    var takesText: Bool { true }
    var isAboutMessage: Bool { true }
}

/// How a prompt is shown.
enum PromptView {
    case field(PromptLine)
    /// In the status line.
    case question(CleanText)
}

extension Model {
    mutating func ask(_ prompt: any Prompt) {
        self.prompt = prompt
        panel = .prompt
    }

    mutating func handleInPrompt(_ event: PanelEvent) -> [Effect] {
        let context = context
        return carryOut(prompt?.handle(event, in: context) ?? [])
    }
}
