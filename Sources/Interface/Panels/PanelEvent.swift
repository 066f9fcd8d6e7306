import Display

/// Input for the component that has the keys.
enum PanelEvent: Hashable, Sendable {
    /// Typed or pasted.
    case text([Character])
    /// An action that may be an edit of a text: then the outcome is `typed`.
    case edit(Action)
    /// No more input waits after an edit or a text: the text is looked at as a whole, since a paste comes as thousands of
    /// keys.
    case settled
    case action(Action)
    case mouse(Mouse)
    /// Any key, for a component that takes no text.
    case key(Key)
}
