import Display
import Emoji
import Messages
import Timeline

/// Asks for an emoji to react with.
struct ReactionPalette: Hashable, Sendable {
    /// The number of emoji to offer at a time.
    static let offered = 12

    let target: MessageID
    /// Reactions of the messages on the screen that are no emoji, such as `:party_parrot:`.
    private let custom: [EmojiNames.Named]
    private var field = TextField()
    private(set) var candidates: [EmojiNames.Named] = []
    private(set) var selected = 0

    /// - Parameter others: the reactions of the messages on the screen.
    init(target: MessageID, others: [String] = []) {
        self.target = target
        var seen: Set<String> = []
        custom = others.filter { !ReactionPalette.isEmoji($0) && seen.insert($0).inserted }.map {
            EmojiNames.Named(emoji: $0, name: ReactionPalette.name($0))
        }
        find()
    }

    /// Finds what was typed or pasted: an emoji itself, or one by its name, with or without colons.
    private mutating func find() {
        selected = 0
        let text = field.text.split { $0.isWhitespace }.joined(separator: " ")
        let name = ReactionPalette.name(text)
        let wanted = name.lowercased().replacing(" ", with: "_")
        // Underscores are ignored, as in the search for emoji.
        let letters = wanted.replacing("_", with: "")
        let there = custom.filter {
            text.isEmpty || $0.name.lowercased().replacing("_", with: "").contains(letters) || $0.emoji == text
        }
        if ReactionPalette.isEmoji(text) {
            candidates = [EmojiNames.Named(emoji: text, name: EmojiNames.name(of: text) ?? "as typed")]
        } else if text.isEmpty {
            candidates = EmojiNames.matching("", limit: ReactionPalette.offered) + there
        } else {
            let known = EmojiNames.matching(name, limit: ReactionPalette.offered)
            // A reaction of the conversation comes before emoji whose names are only similar.
            let isFirst = there.contains { $0.name.lowercased() == wanted } || !known.contains { $0.name == wanted }
            candidates = Array((isFirst ? there + known : known + there).prefix(ReactionPalette.offered))
        }
    }

    /// True if a text is one character that can be shown as an emoji.
    static func isEmoji(_ text: String) -> Bool {
        guard text.count == 1, let first = text.unicodeScalars.first else { return false }
        // Digits are emoji only in keycaps.
        return first.properties.isEmoji && (!first.isASCII || text.unicodeScalars.contains("\u{20E3}"))
            || text.unicodeScalars.dropFirst().contains("\u{FE0F}")
    }

    /// The name between colons, or the text itself.
    private static func name(_ text: String) -> String {
        let inner =
            text.hasPrefix(":") && text.hasSuffix(":") && text.count > 2 ? text.dropFirst().dropLast() : text[...]
        return String(inner)
    }

    /// As many emoji as fit next to the field and the name, page by page.
    /// - Parameter columns: the columns of the whole line.
    private func choice(columns: Int) -> Line {
        let room = max(4, columns < 36 ? 5 : max(13, columns - 34))
        let labels = candidates.map { CleanText(" ") + CleanText($0.emoji).truncated(to: 12) + CleanText(" ") }
        var (page, width) = (0, 0)
        for (index, label) in labels.enumerated() {
            if width + max(4, label.columns) > room, width > 0 {
                if index > selected { break }
                (page, width) = (index, 0)
            }
            width += max(4, label.columns)
        }
        var line = Line.empty
        for (index, label) in labels.enumerated().dropFirst(page) {
            if line.columns + label.columns > room, index > page { break }
            line.append(Span(label, index == selected ? Style(.accent, .reverse) : .plain))
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
            // ← and → choose among the emoji.
            return action != .fieldLeft && action != .fieldRight && field.edit(action) ? [.typed] : []
        case .settled:
            // A key that only moves the cursor in the text selects nothing.
            guard field.settle() else { return [] }
            find()
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate):
            return candidates.indices.contains(selected)
                ? [.close, .compose(.react(candidates[selected].emoji, to: target))] : []
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
