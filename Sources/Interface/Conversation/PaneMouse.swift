/// The state of a gesture of the mouse in a pane.
struct PaneMouse: Hashable, Sendable {
    /// Whether the scroll bar is being dragged.
    var isDragging = false
    /// Whether the last press has jumped elsewhere.
    var hasJumped = false
}
