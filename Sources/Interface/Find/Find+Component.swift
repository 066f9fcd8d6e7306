import Display

extension Find: Component {
    /// A wish that concerns more than the words.
    enum Wish: Sendable {
        /// Looks for the words that are typed now.
        case words
        /// Brings back the screen and the search from before.
        case cancel
        /// Stays at the hit.
        case accept
    }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text(let characters):
            field.insert(characters)
            return [.typed]
        case .edit(let action): return field.edit(action) ? [.typed] : []
        case .settled: return [.find(.words)]
        case .action(.cancel), .action(.fieldBackspace): return [.find(.cancel)]
        case .action(.activate): return [.find(.accept)]
        case .action(.up) where field.isEmpty:
            field = TextField(context.lastQuery)
            return [.find(.words)]
        case .action, .mouse, .key: return []
        }
    }

    func line(isAtHit: Bool) -> PromptLine {
        PromptLine(
            name: direction == .newer ? "/" : "?", field: field, answer: standing(isAtHit: isAtHit),
            isWarning: failure != nil)
    }
}
