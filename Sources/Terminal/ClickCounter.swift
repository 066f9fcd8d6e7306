internal import Display

/// Tells the second press of a double click from a first one. It knows no clock: its owner says when a press came.
struct ClickCounter {
    /// How far apart the two presses may be.
    static let interval = Duration.milliseconds(400)

    /// The press that another may make double.
    private var first: (position: ScreenPosition, time: ContinuousClock.Instant)?

    /// The same with its presses counted: 2 for the second on one cell in time, else 1. A third begins anew, and so does
    /// one behind a drag or a turn of the wheel, which may have moved something else under the cell.
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
