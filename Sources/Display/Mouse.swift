/// An action of the user, by keyboard or mouse.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Text that was pasted from the terminal's clipboard. It may hold anything.
    case paste(String)
}

/// An action of the mouse over a cell of the screen. Only the left button counts.
package struct Mouse: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The button went down; 2 clicks for the second press in quick succession on the same cell.
        case press(clicks: Int)
        /// The mouse moved with the button down.
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
