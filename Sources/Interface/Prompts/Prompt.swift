import Display

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
