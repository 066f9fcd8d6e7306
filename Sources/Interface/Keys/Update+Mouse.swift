import Display
import Messages
import Timeline

/// The actions of the mouse.
extension Model {
    mutating func use(_ mouse: Mouse) -> [Effect] {
        if case .press = mouse.action { notice = nil }
        if help != nil { return carryOut(help?.handle(.mouse(mouse), in: size)) }
        if let panel, !panel.isBesideMessages { return carryOut(handle(.mouse(mouse))) }
        if case .press = mouse.action, let effects = placeCursor(at: mouse.position) { return effects }
        if let effects = useSidebar(mouse) { return effects }
        return opening == .shown ? useInPanes(mouse) : []
    }

    /// The wheel scrolls the pane under the mouse. A press gives that pane the keys. A drag stays with the pane where it
    /// began.
    private mutating func useInPanes(_ mouse: Mouse) -> [Effect] {
        let under = paneUnder(mouse)
        switch mouse.action {
        case .wheelUp, .wheelDown: return use(mouse, in: under)
        case .press:
            // A text that is being written belongs to the pane that has the keys.
            if panel == nil { panes.focus(under) }
            return pane.number == under ? use(mouse, in: under) : []
        case .drag, .release: return use(mouse, in: pane.number)
        }
    }

    private mutating func use(_ mouse: Mouse, in number: Int) -> [Effect] {
        guard let pane = panes[number] else { return [] }
        let position = ScreenPosition(
            row: mouse.position.row - rows.title - rows.day - headRows(of: pane),
            column: mouse.position.column - columns(of: pane).lowerBound)
        let context = paneContext
        return carryOut(panes.change(number) { $0.handle(.mouse(Mouse(mouse.action, at: position)), in: context) })
    }

    /// The number of the pane under the mouse.
    private func paneUnder(_ mouse: Mouse) -> Int {
        guard let thread = openThread, split.thread?.contains(mouse.position.column) == true else { return main.number }
        return thread.number
    }
}
