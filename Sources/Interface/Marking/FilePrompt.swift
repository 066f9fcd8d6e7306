import Display
import Messages

/// Asks for the name of the file into which messages are written. Its ending decides on the format.
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
