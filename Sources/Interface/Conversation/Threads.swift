import Display
import Messages
import Timeline

/// The head of a thread, above its replies: the root, cut so that most of the pane is left for replies, and a rule with their
/// number.
enum ThreadHead {
    /// - Parameters: columns and rows of the whole pane.
    static func lines(of pane: Pane, columns: Int, height: Int, hasFocus: Bool, looks: Looks) -> [Line] {
        let rows = self.height(of: pane, height: height)
        guard rows > 0 else { return [] }
        let grid = pane.grid.with(columns: columns, names: pane.nameColumns)
        return root(of: pane, grid, rows - 1, hasFocus, looks) + [rule(of: pane, grid)]
    }

    /// The rows of the head. At least one row is left for replies.
    /// - Parameter height: rows of the whole pane.
    static func height(of pane: Pane, height: Int) -> Int { height < 4 ? 0 : min(pane.rootRows, height - 2) + 1 }

    /// The rows for the root.
    /// - Parameter height: rows of the whole pane, while the composer is closed.
    static func rows(of root: Entry?, _ grid: Grid, height: Int) -> Int {
        let most = max(1, height / 3)
        return root.map { min(most, MessageRows($0, grid: grid).height) } ?? 1
    }

    private static func root(of pane: Pane, _ grid: Grid, _ count: Int, _ hasFocus: Bool, _ looks: Looks)
        -> [Line]
    {
        let blank = Array(repeating: Line.empty, count: count)
        guard let root = pane.root?.entry else {
            let text: CleanText = pane.opening == .shown ? "the message that they reply to is not here" : ""
            let line: Line = [Span(CleanText.blanks(grid.gutter)), Span(text, .dim)]
            return Array(([line] + blank).prefix(count))
        }
        let rows = MessageRows(root, grid: grid)
        let shown = min(rows.height, count)
        let view = MessageView(
            root, rows: rows, grid: grid, isSelected: pane.isRootSelected, hasFocus: hasFocus, target: nil, query: nil,
            visible: 0..<shown, looks: looks)
        var lines = (0..<shown).map { view.line($0) }
        if rows.height > shown, let last = lines.popLast() {
            let mark: Line = [Span(" …", .dim)]
            lines.append(last.justified(with: mark, columns: max(1, grid.columns - grid.rightMargin)))
        }
        if pane.isRootSelected, hasFocus { lines = lines.map { $0.selected(in: grid) } }
        return Array((lines + blank).prefix(count))
    }

    private static func rule(of pane: Pane, _ grid: Grid) -> Line {
        let count =
            pane.opening == .shown
            ? pane.timeline.totalCount ?? (pane.timeline.hasOlder ? nil : pane.timeline.count) : nil
        let name =
            switch count {
            case nil: "replies"
            case 0?: "no replies yet"
            case let count?: ReplySummary.counted(count)
            }
        return Line(rule: name, .dim, after: [Span(CleanText.blanks(grid.gutter))], grid: grid)
    }
}

/// The root of a thread is the first message in its pane. It is above the timeline of the replies, which keeps its own selection.
extension Pane {
    /// Moves the cursor between the root and the replies.
    /// - Returns: false for any other move.
    mutating func moveAtRoot(_ action: Action) -> Bool {
        guard isRootSelected else {
            guard isBelowRoot, [.up, .pageUp, .halfUp].contains(action) else { return false }
            selectsRoot = true
            return true
        }
        switch action {
        case .down:
            guard let first = timeline.visibleIndices.first else { return true }
            timeline.select(atScreenRow: max(0, timeline.screenRow(of: first)))
            selectsRoot = false
            return true
        case .up: return true
        case .pageUp, .halfUp: return isAtFirstReply
        case .pageDown, .halfDown: selectsRoot = false
        default: break
        }
        return false
    }

    /// True if the first reply is under the cursor, so that the next step up leads to the root.
    private var isBelowRoot: Bool {
        root != nil && hasHead && mark == nil && timeline.selectedEdge == nil && timeline.selectedIndex == 0
            && isAtFirstReply
    }

    /// True if the first reply begins on the screen.
    private var isAtFirstReply: Bool {
        !timeline.hasOlder && (timeline.list.isEmpty || timeline.screenRow(of: 0) >= 0)
    }

    /// A click on the head of the thread selects the root.
    mutating func clickHead() -> [Outcome] {
        guard root != nil, mark == nil else { return [] }
        dropPending()
        timeline.leaveEdge()
        selectsRoot = true
        return [.stay]
    }
}

extension Pane {
    /// Shows the root of the thread above its replies, in its newest form.
    mutating func show(root message: Message?, zone: Zone) {
        let newest = message.map { changes.newest[$0.id] ?? $0 }
        // A root that comes after its replies gets its rows now.
        if root == nil { rootRows = 0 }
        root = newest.map { ThreadRoot($0, zone: zone) }
    }
}
