import Display
import Messages
import Timeline

/// The actions of the mouse.
extension Model {
    mutating func use(_ mouse: Mouse) -> [Effect] {
        if case .press = mouse.action { notice = nil }
        if help != nil {
            turnHelp(by: mouse)
            return []
        }
        guard panel == nil || panel == .composer else { return carryOut(handle(.mouse(mouse))) }
        return opening == .shown ? useInConversation(mouse) : []
    }

    private mutating func turnHelp(by mouse: Mouse) {
        let last = max(0, Help.rows(keymap).count - Help.height(size))
        switch mouse.action {
        case .wheelUp: help = max(0, min(help ?? 0, last) - Context.wheelRows)
        case .wheelDown: help = min(last, (help ?? 0) + Context.wheelRows)
        case .press, .drag, .release: break
        }
    }

    private mutating func useInConversation(_ mouse: Mouse) -> [Effect] {
        switch mouse.action {
        case .wheelUp: return on(paneUnder(mouse)) { $0.wheel(by: -Context.wheelRows) }
        case .wheelDown: return on(paneUnder(mouse)) { $0.wheel(by: Context.wheelRows) }
        case .press:
            // The text that is being written belongs to the pane that has the keys.
            if panel == nil { panes.focus(paneUnder(mouse)) }
            guard pane.number == paneUnder(mouse) else { return [] }
        case .drag, .release: break
        }
        let column = mouse.position.column - columns.lowerBound
        let row = mouse.position.row - rows.title - rows.day - headRows
        switch mouse.action {
        case .wheelUp, .wheelDown: break
        case .press(let clicks):
            inputState.isDragging = false
            guard (0..<timeline.viewport.height).contains(row) else { return [] }
            if grid.rightMargin > 0, column >= grid.columns - grid.rightMargin {
                inputState.isDragging = true
                return goToScrollBarRow(row, leaving: .jump)
            }
            return click(row, column, clicks)
        case .drag:
            // The press that began it may still be on its way: then this is the jump.
            let isFirst = pending?.leaving == .jump
            if inputState.isDragging { return goToScrollBarRow(row, leaving: isFirst ? .jump : .nothing) }
        case .release: inputState.isDragging = false
        }
        return []
    }

    /// The number of the pane in whose columns the mouse is.
    private func paneUnder(_ mouse: Mouse) -> Int {
        guard let thread = openThread, split.thread?.contains(mouse.position.column) == true else { return main.number }
        return thread.number
    }

    private mutating func wheel(by rows: Int) -> [Effect] {
        dropPending()
        pane.timeline.scroll(by: rows)
        return pane.viewportMoved()
    }

    private mutating func click(_ row: Int, _ column: Int, _ clicks: Int) -> [Effect] {
        // The second half of a double click whose first has led elsewhere.
        if inputState.hasFollowedClick, clicks == 2 { return [] }
        inputState.hasFollowedClick = false
        dropPending()
        for side in Pager<Messages.Cursor>.Side.allCases
        where timeline.row(of: side) - timeline.viewport.top == row {
            return pane.retry(side)
        }
        guard pane.timeline.select(atScreenRow: row) else { return [] }
        if let effects = openQuote(row: row, column: column) { return effects }
        guard clicks == 2 else { return [] }
        if let effects = openSpot(row: row, column: column) { return effects }
        // The text that is being written would be left.
        if panel == .composer, selectedMessage?.quote == nil { return [] }
        return activate()
    }

    /// Goes to the place in the conversation for which the thumb of the scroll bar stands at that row.
    private mutating func goToScrollBarRow(_ row: Int, leaving: ListRequest.Leaving) -> [Effect] {
        let visible = timeline.visibleIndices.count
        guard let total = timeline.totalCount,
            let bar = ScrollBar(height: timeline.viewport.height, first: 0, visible: visible, total: total)
        else { return [] }
        switch bar.target(ofThumbAt: row) {
        case .beginning: return goToBeginning(leaving)
        case .end: return goToEnd(leaving)
        case .index(let index): return go(to: .position(.index(index)), leaving: leaving)
        }
    }
}
