import Display
import Markup
import Messages
import Timeline

/// The state of a gesture of the mouse in a pane.
struct PaneMouse: Hashable, Sendable {
    /// True if the scroll bar is being dragged.
    var isDragging = false
    /// The row of the last pressed message: a drag from there selects several messages.
    var pressedRow: Int?
    /// True if the last click jumped or opened a thread: the second half of a double click then does nothing.
    var hasJumped = false
}

/// Actions of the mouse on the messages. Positions count from the first row and column of the pane.
extension Pane {
    /// The part of a message under a cell.
    enum Spot: Hashable {
        case quote
        /// The link or file with this index.
        case openable(Int)
        /// A reaction, the number of hidden reactions, or the number of replies in its thread.
        case meta(MessageMeta.Part)
        case other
    }

    mutating func use(_ event: Mouse, in context: PaneContext) -> [Outcome] {
        guard opening == .shown else { return [] }
        let row = event.position.row
        switch event.action {
        case .wheelUp, .wheelDown: return event.wheelRows.map { wheel(by: $0) } ?? []
        case .press(let clicks):
            (mouse.isDragging, mouse.pressedRow) = (false, nil)
            if isThread, row < 0 { return clickHead() }
            guard (0..<timeline.viewport.height).contains(row) else { return [] }
            guard grid.rightMargin > 0, event.position.column >= grid.columns - grid.rightMargin else {
                mouse.pressedRow = row
                return click(event.position, clicks: clicks, in: context)
            }
            mouse.isDragging = true
            return goToScrollBarRow(row, leaving: .jump)
        case .drag:
            if mouse.pressedRow != nil { return dragOver(row) }
            // The list that the press requested may still be loading; then the whole drag is one jump.
            let isFirst = pending?.leaving == .jump
            return mouse.isDragging ? goToScrollBarRow(row, leaving: isFirst ? .jump : .nothing) : []
        case .release:
            (mouse.isDragging, mouse.pressedRow) = (false, nil)
            return []
        }
    }

    private mutating func wheel(by rows: Int) -> [Outcome] {
        dropPending()
        timeline.scroll(by: rows)
        return [.stay] + viewportMoved()
    }

    /// A drag from message to message selects them, as `v` and steps do; beyond the first or the last row it scrolls.
    private mutating func dragOver(_ row: Int) -> [Outcome] {
        let rows = 0..<timeline.viewport.height
        guard let index = timeline.selectedIndex, !isRootSelected else { return [] }
        if !rows.contains(row) { timeline.scroll(by: row < 0 ? -1 : 1) }
        let row = min(max(rows.lowerBound, row), rows.upperBound - 1)
        let isElsewhere = timeline.layout.index(at: timeline.viewport.top + row).map { $0 != index } ?? false
        let begun: [Outcome] = isElsewhere && mark == nil ? toggleMark() : []
        if mark != nil { timeline.select(atScreenRow: row) }
        return begun + [.stay] + viewportMoved()
    }

    private mutating func click(_ position: ScreenPosition, clicks: Int, in context: PaneContext) -> [Outcome] {
        // The second half of a double click, after the first half has jumped.
        if mouse.hasJumped, clicks == 2 { return [] }
        mouse.hasJumped = false
        dropPending()
        return [.stay] + select(position, clicks: clicks, in: context)
    }

    private mutating func select(_ position: ScreenPosition, clicks: Int, in context: PaneContext) -> [Outcome] {
        for side in Side.allCases where timeline.row(of: side) - timeline.viewport.top == position.row {
            return use(side)
        }
        guard timeline.select(atScreenRow: position.row) else { return [] }
        selectsRoot = false
        if timeline.selectedIndex.flatMap({ timeline.list[$0].run }) != nil { return clicks == 2 ? [] : toggleFold() }
        let spot = spot(at: position, in: context)
        switch spot {
        // A click on a quote jumps to the quoted message. The second half of a double click must not jump further.
        case .quote:
            (mouse.hasJumped, mouse.pressedRow) = (true, nil)
            return activate(in: context)
        case .meta(.replies) where !isThread && !context.isWriting:
            (mouse.hasJumped, mouse.pressedRow) = (true, nil)
            return [.perform(.thread)]
        case .meta(.reaction(let emoji)):
            // The second half of a double click must not remove the reaction again.
            return clicks == 2 || !context.canWrite
                ? [] : selectedMessage.map { [.compose(.react(emoji, to: $0.id))] } ?? []
        case .meta(.more): return clicks == 2 || context.isWriting ? [] : [.perform(.reactions)]
        case .meta(.replies), .openable, .other: break
        }
        guard clicks == 2 else { return [] }
        if let outcomes = open(spot) { return outcomes }
        // Going elsewhere would leave the text that is being written.
        if context.isWriting, selectedMessage?.quote == nil { return [] }
        return activate(in: context)
    }

    /// A double click on a link or a file opens it.
    private mutating func open(_ spot: Spot) -> [Outcome]? {
        guard case .openable(let number) = spot, let index = timeline.selectedIndex else {
            return nil
        }
        let entry = timeline.list[index]
        let all = entry.openables
        return all.indices.contains(number) ? open(all[number], of: all, in: entry.id) : nil
    }

    private func spot(at position: ScreenPosition, in context: PaneContext) -> Spot {
        guard let index = timeline.layout.index(at: timeline.viewport.top + position.row),
            position.column >= grid.textStart
        else { return .other }
        let entry = timeline.list[index]
        let offset = position.row - timeline.screenRow(of: index)
        let rows = timeline.measure(of: index)
        if offset == rows.metaRow, let part = meta(at: position.column, of: entry, in: rows, context) {
            return .meta(part)
        }
        switch rows.row(offset).content {
        case .quote: return .quote
        case .text(let wrapped, let line) where entry.body.line(line).kind == .prose:
            let column = position.column - grid.textStart - wrapped.indent
            guard column >= 0, column < wrapped.text.columns else { return .other }
            // The first byte of the character under the column.
            let before = wrapped.text.prefix(columns: column).string.utf8.count
            let place = wrapped.start + before
            let link = entry.body.links.firstIndex { $0.line == line && $0.whole.contains(place) }
            return link.map(Spot.openable) ?? .other
        case .attachment(let file): return .openable(entry.body.links.count + file)
        default: return .other
        }
    }

    /// Reactions and the number of replies stand at the right end of the last row of the text, or at the left of their own row.
    private func meta(
        at column: Int, of entry: Entry, in rows: MessageRows, _ context: PaneContext
    ) -> MessageMeta.Part? {
        let start = rows.metaStart(of: entry, grid)
        return MessageMeta.part(
            at: column - grid.textStart, of: entry.message, after: start, grid: grid, now: context.now,
            me: context.me, isAtLeft: rows.hasMetaRow)
    }

    /// Goes to the place for this row of the scroll bar's thumb.
    private func goToScrollBarRow(_ row: Int, leaving: ListRequest.Leaving) -> [Outcome] {
        let visible = timeline.span(of: timeline.visibleIndices)
        guard let total = timeline.totalCount,
            let bar = ScrollBar(height: timeline.viewport.height, first: 0, visible: visible, total: total)
        else { return [] }
        switch bar.target(ofThumbAt: row) {
        case .beginning: return [.go(.position(.earliest), leaving: leaving)]
        case .end: return [.go(.position(.latest), leaving: leaving)]
        case .index(let index): return [.go(.position(.index(index)), leaving: leaving)]
        }
    }
}
