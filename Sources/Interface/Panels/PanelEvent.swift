import Display

/// Input for the open panel, or for the pane that has the keys.
enum PanelEvent: Hashable, Sendable {
    /// Typed or pasted.
    case text([Character])
    /// An action that may edit a text. If it does, the outcome is `typed`.
    case edit(Action)
    /// No more input waits after texts and edits, so the text is looked at as a whole. A paste comes as thousands of keys.
    case settled
    case action(Action)
    case mouse(Mouse)
    /// Any key, for a component that takes no text.
    case key(Key)
}
