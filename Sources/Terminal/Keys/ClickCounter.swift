internal import Display

/// Recognises the second press of a double click. It has no clock: its owner says when each press came.
struct ClickCounter {
    /// The longest time between the two presses.
    static let interval = Duration.milliseconds(400)

    /// A press that the next one may turn into a double click.
    private var first: (position: ScreenPosition, time: ContinuousClock.Instant)?

    /// The same action with its clicks counted: 2 for the second press on one cell in time, else 1. The third press
    /// counts as a first one again. So does a press after a drag or a turn of the wheel, which may have moved something
    /// else under the cell.
    mutating func count(_ mouse: Mouse, at time: ContinuousClock.Instant) -> Mouse {
        switch mouse.action {
        case .release:
            return mouse
        case .drag, .wheelUp, .wheelDown:
            first = nil
            return mouse
        case .press:
            if let first, first.position == mouse.position, (.zero...Self.interval).contains(time - first.time) {
                self.first = nil
                return Mouse(.press(clicks: 2), at: mouse.position)
            }
            first = (mouse.position, time)
            return Mouse(.press(clicks: 1), at: mouse.position)
        }
    }
}
