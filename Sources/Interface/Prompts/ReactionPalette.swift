import Display
import Emoji
import Messages
import Timeline

/// Asks for an emoji to react with.
struct ReactionPalette: Hashable, Sendable {
    /// The number of emoji that are offered at a time.
    static let offered = 12

    let target: MessageID
    private var field = TextField()
    /// The text that the emoji were chosen by.
    private var filtered = ""
    private(set) var candidates: [EmojiNames.Named] = []
    private(set) var selected = 0

    init(target: MessageID) {
        self.target = target
        find()
    }

    private mutating func find() {
        candidates = EmojiNames.matching(field.text, limit: ReactionPalette.offered)
        selected = 0
    }

    /// As many emoji as there is room for beside the field and the name, page by page.
    /// - Parameter columns: of the whole line.
    private func choice(columns: Int) -> Line {
        let count = max(1, (columns < 36 ? 5 : max(13, columns - 34)) / 4)
        let page = selected / count * count
        var line = Line.empty
        for (index, named) in candidates.enumerated().dropFirst(page).prefix(count) {
            line.append(Span(CleanText(" \(named.emoji) "), index == selected ? Style(.accent, .reverse) : .plain))
        }
        line.append(Span(" "))
        return line
    }

    /// The name of the chosen emoji.
    private var answer: String {
        candidates.indices.contains(selected)
            ? candidates[selected].name.replacing("_", with: " ") : "no match"
    }
}

extension ReactionPalette: Prompt {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        let count = max(1, candidates.count)
        switch event {
        case .text(let characters):
            field.insert(characters)
            return [.typed]
        case .edit(let action):
            // These keys choose among the emoji.
            return action != .fieldLeft && action != .fieldRight && field.edit(action) ? [.typed] : []
        case .settled:
            // A key that only moves the cursor in the text selects nothing.
            guard field.text != filtered else { return [] }
            filtered = field.text
            find()
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate):
            return candidates.indices.contains(selected)
                ? [.close, .react(candidates[selected].emoji, to: target)] : []
        case .action(.up), .action(.fieldLeft): selected = (selected + count - 1) % count
        case .action(.down), .action(.fieldRight), .action(.complete): selected = (selected + 1) % count
        case .action, .mouse, .key: break
        }
        return []
    }

    func view(in context: Context) -> PanelView {
        .line(
            PromptLine(name: "react: ", field: field, answer: answer, choice: choice(columns: context.size.columns)))
    }
}
