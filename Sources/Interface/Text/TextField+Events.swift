extension TextField {
    /// Takes a text, or an action that edits one.
    /// - Returns: `typed` if the field has taken it; nothing for any other event.
    mutating func take(_ event: PanelEvent) -> [Outcome] {
        switch event {
        case .text(let characters):
            insert(characters)
            return [.typed]
        case .edit(let action): return edit(action) ? [.typed] : []
        default: return []
        }
    }
}
