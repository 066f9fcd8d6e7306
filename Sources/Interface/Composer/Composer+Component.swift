import Display
import Messages

extension Composer: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text(let characters): return insert(characters)
        case .edit(let action): return edit(action) ? [.typed] : []
        case .settled: return [.compose(.changed)]
        case .action(let action): return act(action, in: context)
        case .mouse, .key: return []
        }
    }

    private mutating func insert(_ characters: [Character]) -> [Outcome] {
        area.insert(characters) ? [.typed] : [.typed, .warn(Composer.tooLong)]
    }

    static var tooLong: String {
        "too long: a message can have \(TextArea.longest.grouped) characters at most; nothing was added"
    }

    private mutating func edit(_ action: Action) -> Bool {
        // Backspace before the first character makes a message of a reply.
        if action == .fieldBackspace, area.cursor == 0, case .reply = intent {
            intent = .message
            return true
        }
        guard area.edit(action) else { return false }
        recalled = nil
        return true
    }

    private mutating func act(_ action: Action, in context: Context) -> [Outcome] {
        switch action {
        case .activate: return [.compose(.send)]
        case .cancel:
            guard completion != nil else { return [.compose(.leave)] }
            completion = nil
        case .complete:
            guard let completion else { return [] }
            let candidate = completion.candidates[completion.selected]
            area.replace(before: completion.length, with: candidate.text + " ")
            if let person = candidate.person { calls.add(candidate.text, person) }
            self.completion = nil
        case .up: move(by: -1, in: context)
        case .down: move(by: 1, in: context)
        case .editor: return [.compose(.edit)]
        case .pageUp: return [.compose(.scroll(screens: -1))]
        case .pageDown: return [.compose(.scroll(screens: 1))]
        default: return []
        }
        return [.compose(.keep)]
    }

    /// ↑ and ↓ move among the candidates of a completion, or among the rows of the text; in an empty text they bring back
    /// texts that were sent.
    private mutating func move(by step: Int, in context: Context) {
        if var completion {
            let count = completion.candidates.count
            completion.selected = (completion.selected + step + count) % count
            self.completion = completion
            return
        }
        let sent = context.sent
        let isUnchanged = recalled.map { area.text == sent[sent.count - 1 - $0] }
        if area.isEmpty || isUnchanged == true {
            let wanted = (recalled ?? -1) - step
            guard wanted < sent.count else { return }
            recalled = wanted < 0 ? nil : wanted
            area = TextArea(wanted < 0 ? "" : sent[sent.count - 1 - wanted])
            return
        }
        _ = area.moveRows(step, columns: context.composerColumns)
    }
}
