import Display

/// A question that takes the keys until it is answered: a component of one line at the bottom. A new one is one file, and
/// the place that opens it with `ask`.
protocol Prompt: Component where Surroundings == Context {
    /// Whether letters are text; else every key is an answer.
    var takesText: Bool { get }
    /// Whether it is about a message, and closes when the conversation is left.
    var isAboutMessage: Bool { get }
    func view(in context: Context) -> PanelView
}

extension Prompt {
    var takesText: Bool { true }
    var isAboutMessage: Bool { true }
}
