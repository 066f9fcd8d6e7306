import Display
import Messages
import Timeline

/// The composer as it stands above the status line: the message that is replied to, and the text.
extension Model {
    /// Before each row of the text.
    private static let prompt: CleanText = "› "

    /// Columns of the text.
    var composerColumns: Int { max(4, size.columns - 2 * grid.margin.columns - Model.prompt.columns) }

    /// The rows that it takes; 0 when it is closed.
    var composerRows: Int {
        guard panel == .composer, let composer else { return 0 }
        let text = min(composerTextRows(composer).count, mostComposerRows)
        return text + (composerHead(composer) == nil || size.rows < 6 ? 0 : 1)
    }

    private var mostComposerRows: Int { max(1, min(8, size.rows / 3)) }

    private func composerTextRows(_ composer: Composer) -> [TextAreaRows.Row] {
        TextAreaRows(composer.area, columns: composerColumns, height: mostComposerRows).rows
    }

    /// Its lines, and where the cursor is in them.
    func composerLines(rows: Int) -> (lines: [Line], cursor: ScreenPosition) {
        guard let composer, rows > 0 else { return ([], ScreenPosition(row: 0, column: 0)) }
        let head = size.rows < 6 ? nil : composerHead(composer)
        let area = TextAreaRows(composer.area, columns: composerColumns, height: mostComposerRows)
        let height = max(1, rows - (head == nil ? 0 : 1))
        // The row of the cursor is always there, with as much before it as there is room for.
        let first = max(0, min(area.cursor.row - height + 1, area.rows.count - height))
        var lines: [Line] = head.map { [$0.truncated(to: size.columns)] } ?? []
        let cursorRow = lines.count + area.cursor.row - first
        let start = grid.margin + Model.prompt
        for (index, row) in area.rows[first..<min(area.rows.count, first + height)].enumerated() {
            let isFirst = first + index == 0 && row.range.lowerBound == 0
            let line: Line = [
                Span(grid.margin), Span(isFirst ? Model.prompt : .blanks(Model.prompt.columns), Style(.accent, .bold)),
                Span(row.text),
            ]
            lines.append(line.truncated(to: size.columns))
        }
        let column = min(size.columns - 1, start.columns + area.cursor.column)
        return (lines, ScreenPosition(row: cursorRow, column: column))
    }

    private func composerHead(_ composer: Composer) -> Line? {
        switch composer.intent {
        case .message:
            guard isInThread else { return nil }
            return [Span(grid.margin + "in the thread", Style(.accent))]
        case .edit: return [Span(grid.margin + "editing", Style(.accent))]
        case .reply(let quote):
            let known = timeline.list.index(of: quote.id).map { Quote(of: timeline.list[$0].message) }
            let text =
                switch (known ?? quote).content {
                case .message(let sender, let text): "\(sender?.name ?? "")\(sender == nil ? "" : ": ")\(text)"
                case .deleted: "a message that was deleted"
                case .pending, .missing: "\(quote.id)"
                }
            return [Span(grid.margin + "↳ ", Style(.accent)), Span(CleanText(text), Style(.standard, .dim))]
        }
    }

    /// The status line while the composer is open.
    var composerStatus: Line {
        guard let completion = composer?.completion else {
            let waiting =
                conversation.flatMap { writing.outbox[$0.id]?.count { !$0.isWaiting && $0.state != .sent } } ?? 0
            return notice.map { [$0.span] } ?? (waiting > 0 ? [Span("sending…", Style(.standard, .dim))] : .empty)
        }
        var line = Line.empty
        for (index, candidate) in completion.candidates.enumerated() {
            let style = index == completion.selected ? Style(.accent, .reverse) : Style(.standard, .dim)
            line.append(Span(" " + CleanText(candidate.shown) + " ", style))
        }
        return line
    }
}
