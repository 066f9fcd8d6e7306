import Display
import Messages
import Timeline

/// The choice of an emoji for a message.
struct ReactionPalette: Hashable, Sendable {
    /// Emoji that are offered at a time.
    static let offered = 12

    let target: MessageID
    var field = TextField()
    var selected = 0

    var candidates: [EmojiNames.Named] { EmojiNames.matching(field.text, limit: ReactionPalette.offered) }

    /// So many of them as there is room for beside the field and the name, a page at a time.
    /// - Parameter columns: of the whole line.
    func choice(columns: Int) -> Line {
        let count = max(1, (columns < 36 ? 5 : max(13, columns - 34)) / 4)
        let page = selected / count * count
        var line = Line.empty
        for (index, named) in candidates.enumerated().dropFirst(page).prefix(count) {
            line.append(Span(CleanText(" \(named.emoji) "), index == selected ? Style(.accent, .reverse) : .plain))
        }
        line.append(Span(" "))
        return line
    }

    /// What it is called that is chosen.
    var answer: String {
        candidates.indices.contains(selected)
            ? candidates[selected].name.replacing("_", with: " ") : "no emoji is called so"
    }
}
