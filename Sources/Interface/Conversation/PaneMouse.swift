/// The state of a gesture of the mouse in a pane.
struct PaneMouse: Hashable, Sendable {
    /// Whether the scroll bar is being dragged.
    var isDragging = false
    /// The row of the message that was pressed last: a drag from there selects several messages.
    var pressedRow: Int?
    /// Whether the last click was on a quote and jumped to its message, or opened a thread; the second half of a double click then does nothing.
    var hasJumped = false
}
