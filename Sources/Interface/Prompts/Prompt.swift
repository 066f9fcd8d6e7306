import Display

/// A question that takes the keys until it is answered: a component of one line at the bottom. A new one is one file, and
/// the place that opens it with `ask`.
protocol Prompt: Component {
    /// Whether letters are text; else every key is an answer.
    var takesText: Bool { get }
    /// Whether it is about a message, and closes when the conversation is left.
    var isAboutMessage: Bool { get }
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
}
