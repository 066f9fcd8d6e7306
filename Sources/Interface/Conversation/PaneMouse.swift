/// A gesture of the mouse in a pane that has begun, and waits for more.
struct PaneMouse: Hashable, Sendable {
    /// Whether the scroll bar is being dragged.
    var isDragging = false
    /// Whether the last press has led elsewhere.
    var hasFollowedClick = false
}
