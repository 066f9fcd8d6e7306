import Display

/// A row of a list that typed words narrow.
protocol ListedRow: Sendable {
    associatedtype ID: Hashable
    var id: ID { get }
    /// The text in which all typed words must stand.
    var searched: String { get }
}

/// A list from which the user chooses, or which he only reads: a field for words, the rows that have all of them, and the selected
/// one.
struct RowList<Row: ListedRow>: Sendable {
    /// The effect of an event on a list.
    enum Reaction {
        case none
        /// The text was changed.
        case typed
        case moved
        case chosen
        case left
        /// An action that means nothing to the list itself.
        case other(Action)
    }

    private(set) var field = TextField()
    /// The text that has narrowed the list.
    private var filtered = ""
    private(set) var all: [Row] = []
    /// The rows that have all typed words.
    private(set) var rows: [Row] = []
    private(set) var selected = 0
    /// The first visible row.
    private var first = 0

    var selectedRow: Row? { rows.indices.contains(selected) ? rows[selected] : nil }

    /// Shows other rows. The cursor stays on its row, if that is still there.
    mutating func show(_ all: [Row]) {
        let id = selectedRow?.id
        self.all = all
        filter()
        if let index = rows.firstIndex(where: { $0.id == id }) { selected = index }
    }

    private mutating func filter() {
        let words = field.text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        rows =
            words.isEmpty
            ? all
            : all.filter { row in
                let text = row.searched.lowercased()
                return words.allSatisfy(text.contains)
            }
        selected = min(selected, max(0, rows.count - 1))
    }

    mutating func select(_ index: Int) { selected = min(max(0, index), max(0, rows.count - 1)) }

    /// The rows that a list of this height shows.
    func visible(height: Int) -> Range<Int> {
        let height = max(1, height)
        let first = max(0, min(max(self.first, selected - height + 1), selected, rows.count - height))
        return first..<min(rows.count, first + height)
    }

    // MARK: - Input

    mutating func handle(_ event: PanelEvent, in area: PreviewLayout.Area) -> Reaction {
        defer { first = visible(height: area.rows).lowerBound }
        switch event {
        case .text(let characters):
            field.insert(characters)
            return .typed
        // At the end of the text there is nothing to delete: the key is for the selected row.
        case .edit(.fieldDelete) where field.cursor == field.text.count: return .none
        case .edit(let action): return field.edit(action) ? .typed : .none
        case .settled:
            // A key that only moves the cursor in the text selects nothing.
            guard field.text != filtered else { return .none }
            filtered = field.text
            selected = 0
            filter()
            return .moved
        case .action(let action): return act(action, area)
        case .mouse(let mouse): return use(mouse, area)
        case .key: return .none
        }
    }

    private mutating func act(_ action: Action, _ area: PreviewLayout.Area) -> Reaction {
        switch action {
        case .cancel, .fieldBackspace: return .left
        case .activate: return .chosen
        case .up: select(selected - 1)
        case .down: select(selected + 1)
        case .beginning: select(0)
        case .end: select(rows.count - 1)
        case .pageUp: select(selected - max(1, area.rows - 1))
        case .pageDown: select(selected + max(1, area.rows - 1))
        default: return .other(action)
        }
        return .moved
    }

    private mutating func use(_ mouse: Mouse, _ area: PreviewLayout.Area) -> Reaction {
        switch mouse.action {
        case .wheelUp: select(selected - 1)
        case .wheelDown: select(selected + 1)
        case .press(let clicks):
            let index = visible(height: area.rows).lowerBound + mouse.position.row - area.row
            guard mouse.position.row >= area.row, visible(height: area.rows).contains(index),
                mouse.position.column < area.columns
            else { return .none }
            selected = index
            if clicks == 2 { return .chosen }
        case .drag, .release: return .none
        }
        return .moved
    }
}
