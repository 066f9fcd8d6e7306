import Display
import Messages

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
