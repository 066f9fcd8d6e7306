import Display
import Messages

/// The screen of a list that covers the conversation, and the parts that all such lists share.
struct ListScreen {
    let size: Size
    /// The grid of the messages.
    let grid: Grid
    let keymap: Keymap
    let notice: Span?
    /// `next try in 4 s`; empty unless a request of the list has failed.
    let nextTry: String
    /// The time of the last event.
    let now: Timestamp
    let zone: Zone

    /// The field for the words, the list, and a line about the selected item, which a notice may replace.
    /// - Parameters:
    ///   - aside: a text before the hints of that line.
    ///   - goal: the hint for Enter; nil for the hint of the table of keys.
    ///   - opensNothing: true if Enter only closes the list, or has no item to open.
    ///   - quits: true if Esc quits, since there is nothing to go back to.
    ///   - hasScope: true for a search that can switch between everywhere and the conversation.
    func frame(
        _ prompt: PromptLine, _ list: [Line], selected: Span?, aside: Span? = nil, goal: String? = nil,
        opensNothing: Bool = false, hasScope: Bool = false, quits: Bool = false
    ) -> Frame {
        let (line, cursor) = prompt.line(columns: size.columns, margin: grid.margin)
        var lines = [line] + list
        if size.rows >= 2 {
            var left = Line([Span(grid.margin)] + [notice ?? selected].compactMap { $0 })
            if let aside {
                left = left.truncated(to: max(0, size.columns - aside.text.columns - 3)) + [Span("   "), aside]
            }
            let hints =
                grid.isPlain
                ? .empty
                : keymap.hints(
                    in: .typing, columns: size.columns - left.columns - 2,
                    isUseful: { hasScope || $0 != .toggleScope },
                    word: { binding in
                        switch binding.action {
                        case .activate: opensNothing ? nil : goal ?? binding.hint
                        case .cancel where quits: "quit"
                        default: binding.hint
                        }
                    })
            lines.append(left.justified(with: hints, columns: size.columns))
        }
        return Frame(size: size, lines: lines, cursor: ScreenPosition(row: 0, column: cursor))
    }

    /// The reason why a request of the list has failed, and the time of the next try.
    func failed(_ reason: String) -> String { nextTry.isEmpty ? reason : "\(reason) · \(nextTry)" }

    /// The mark of a row, as wide as the gutter of the messages.
    func mark(isSelected: Bool) -> Span {
        Span(isSelected && !grid.isPlain ? "▌" : CleanText.blanks(grid.gutter), Style(.accent))
    }

    /// The columns of the longest time.
    var timeColumns: Int { When.columns(zone) }

    func time(_ moment: Timestamp) -> CleanText { When.label(moment, now: now, zone: zone) }

    /// A list with the preview of its selected entry, if there is room: next to it, or below it under a title.
    /// - Parameters:
    ///   - isEmpty: true if the list has no entry. Then no line is drawn below it.
    ///   - title: the line between list and preview; nil for a plain one.
    func lines(
        _ list: [Line], isEmpty: Bool, in layout: PreviewLayout, title: Line? = nil,
        preview: (PreviewLayout.Area) -> [Line]
    ) -> [Line] {
        guard let area = layout.preview else { return list }
        if isEmpty { return list + Array(repeating: .empty, count: layout.isBeside ? 0 : area.rows + 1) }
        guard layout.isBeside else {
            return list + [title ?? [Span(CleanText.dashes(area.columns), .dim)]] + preview(area)
        }
        return zip(list, preview(area)).map { left, right in
            left.padded(to: layout.list.columns) + [Span("│", .dim)] + right
        }
    }

    /// A line across the screen that has a title near its beginning.
    func rule(_ title: CleanText) -> Line {
        let name = (" " + title + " ").truncated(to: max(1, size.columns - 4))
        return [Span(.dashes(2), .dim), Span(name, .dim), Span(.dashes(size.columns - 2 - name.columns), .dim)]
    }

    /// The rows of a list in its area.
    /// - Parameters:
    ///   - otherwise: the text for an empty list.
    ///   - row: the line of a row, without the mark for the selected row; receives the columns for it.
    func lines<Row>(
        of list: RowList<Row>, in area: PreviewLayout.Area, otherwise: Span, row: (Row, _ columns: Int) -> Line
    ) -> [Line] {
        var lines: [Line] = [[Span(grid.margin), otherwise]]
        if !list.rows.isEmpty {
            let columns = max(1, area.columns - grid.gutter)
            lines = list.visible(height: area.rows).map { index in
                let isSelected = index == list.selected
                let line = [mark(isSelected: isSelected)] + row(list.rows[index], columns).truncated(to: columns)
                return isSelected ? line.padded(to: area.columns).on(.selection) : line
            }
        }
        return Array((lines + Array(repeating: .empty, count: area.rows)).prefix(area.rows))
    }
}

extension ListScreen {
    /// `Ana  the beginning of the text`
    /// - Parameter names: the columns of the name; nil for as many as the name needs.
    func excerpt(of message: Message, names: Int? = nil, looks: Looks) -> Line {
        var line = Line.empty
        let name = message.sender.map { CleanText($0.name) } ?? ""
        if names != nil || !name.isEmpty {
            let style = message.sender.map { looks.name(of: $0.id) } ?? .dim
            line.append(Span((names.map { name.padded(to: $0) } ?? name) + "  ", style))
        }
        line.append(
            message.isDeleted
                ? Span("message deleted", .dim) : Span(CleanText(String(message.text.withoutSpoilers.prefix(300)))))
        return line
    }
}

/// A row of a list that typed words filter.
protocol ListedRow: Sendable {
    associatedtype ID: Hashable
    var id: ID { get }
    /// The text that must contain all typed words.
    var searched: String { get }
    /// The rows that match the typed text, in the order of the list.
    static func matching(_ text: String, among all: [Self]) -> [Self]
}

extension ListedRow {
    static func matching(_ text: String, among all: [Self]) -> [Self] {
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        if words.isEmpty { return all }
        return all.filter { row in
            let text = row.searched.lowercased()
            return words.allSatisfy(text.contains)
        }
    }
}

/// A list to choose from or to read: a field for words, the rows that contain all of them, and the selected row.
struct RowList<Row: ListedRow>: Sendable {
    /// The effect of an event on a list.
    enum Reaction {
        case none
        /// The text was changed.
        case typed
        case moved
        case chosen
        case left
        /// An action that the list itself does not handle.
        case other(Action)
    }

    private(set) var field = TextField()
    private(set) var all: [Row] = []
    /// The rows that contain all typed words.
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
        rows = Row.matching(field.text, among: all)
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
        // At the end of the text there is nothing to delete, so the key acts on the selected row.
        case .edit(.fieldDelete) where field.cursor == field.text.count: return .none
        case .edit(let action): return field.edit(action) ? .typed : .none
        case .settled:
            // A key that only moves the cursor in the text selects nothing.
            guard field.settle() else { return .none }
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
