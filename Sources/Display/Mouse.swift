/// What the user did, by keyboard or mouse.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Text that came as a whole, from the terminal's clipboard. It may hold anything.
    case paste(String)
}

/// What the mouse did over a cell of the screen. Of its buttons only the left one counts.
package struct Mouse: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The button went down; the second time in quick succession on one cell it is a click of 2.
        case press(clicks: Int)
        /// It moved with the button down.
        case drag
        case release
        case wheelUp
        case wheelDown
    }

    package let action: Action
    package let position: ScreenPosition

    package init(_ action: Action, at position: ScreenPosition) {
        self.action = action
        self.position = position
    }
}
