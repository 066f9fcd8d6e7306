import Display
import Messages

/// The composer above the status line: the message that it replies to, and the text.
struct ComposerView {
    private let composer: Composer
    /// The message that is replied to, as it is now; nil when it is not loaded.
    private let quoted: Quote?
    private let isInThread: Bool
    /// Of the screen.
    private let size: Size
    private let margin: CleanText

    /// Before each row of the text.
    private static let prompt: CleanText = "› "

    /// Columns of the text.
    static func columns(_ size: Size, margin: CleanText) -> Int {
        max(4, size.columns - 2 * margin.columns - prompt.columns)
    }

    init(_ composer: Composer, quoted: Quote?, isInThread: Bool, size: Size, margin: CleanText) {
        self.composer = composer
        self.quoted = quoted
        self.isInThread = isInThread
        self.size = size
        self.margin = margin
    }

    /// The rows that it wants.
    var height: Int { min(area.rows.count, mostRows) + head.count }

    private var mostRows: Int { max(1, min(8, size.rows / 3)) }

    private var area: TextAreaRows {
        composer.area.rows(columns: ComposerView.columns(size, margin: margin), height: mostRows)
    }

    /// Its lines, and where the cursor is in them.
    /// - Parameter rows: the rows that it gets.
    func lines(rows: Int) -> (lines: [Line], cursor: ScreenPosition) {
        let (head, area) = (head, area)
        let (first, height) = visible(area, rows: rows)
        var lines = head.map { $0.truncated(to: size.columns) }
        let cursorRow = lines.count + area.cursor.row - first
        let prompt = ComposerView.prompt
        for (index, row) in area.rows[first..<min(area.rows.count, first + height)].enumerated() {
            let isFirst = first + index == 0 && row.range.lowerBound == 0
            let line: Line = [
                Span(margin), Span(isFirst ? prompt : .blanks(prompt.columns), Style(.accent, .bold)), Span(row.text),
            ]
            lines.append(line.truncated(to: size.columns))
        }
        let column = min(size.columns - 1, margin.columns + prompt.columns + area.cursor.column)
        return (lines, ScreenPosition(row: cursorRow, column: column))
    }

    /// The rows of the text that are shown: that of the cursor always, and the rows before it as far as there is room.
    private func visible(_ area: TextAreaRows, rows: Int) -> (first: Int, height: Int) {
        let height = max(1, rows - head.count)
        return (max(0, min(area.cursor.row - height + 1, area.rows.count - height)), height)
    }

    /// The place in the text that lies under a cell; nil for a cell outside of the text.
    /// - Parameters:
    ///   - row: counted from the first row of the composer.
    ///   - rows: the rows that the composer has.
    func place(row: Int, column: Int, rows: Int) -> Int? {
        let area = area
        let (first, height) = visible(area, rows: rows)
        let row = row - head.count
        guard (0..<height).contains(row), area.rows.indices.contains(first + row) else { return nil }
        let column = column - margin.columns - ComposerView.prompt.columns
        return area.place(row: first + row, column: max(0, column))
    }

    /// The purpose of the text; empty for a plain message, or where there is no room.
    private var head: [Line] {
        if size.rows < 6 { return [] }
        switch composer.intent {
        case .message:
            guard isInThread else { return [] }
            return [[Span(margin + "Reply in thread", Style(.accent))]]
        case .edit:
            guard composer.isContested, let other = composer.seen else {
                return [[Span(margin + "Editing message", Style(.accent))]]
            }
            let words: CleanText =
                size.columns < 50 ? "Edited meanwhile to" : "Editing message, which was edited meanwhile to"
            return [[Span(margin + words, Style(.warning))]] + contested(other)
        case .reply(let quote):
            let text =
                switch (quoted ?? quote).content {
                case .message(let sender, let text): "\(sender?.name ?? "")\(sender == nil ? "" : ": ")\(text)"
                case .deleted: "a message that was deleted"
                case .pending, .missing: "\(quote.id)"
                }
            return [[Span(margin + "↳ ", Style(.accent)), Span(CleanText(text), Style(.standard, .dim))]]
        }
    }

    /// The rows of a text that an edit would overwrite, as many as there is room for.
    private func contested(_ text: String) -> [Line] {
        let columns = ComposerView.columns(size, margin: margin)
        let most = max(1, min(8, size.rows / 3))
        var area = TextArea(text)
        area.move(to: 0)
        let rows = area.rows(columns: columns, height: most).rows
        return rows.prefix(most).enumerated().map { index, row in
            let isCut = index == most - 1 && rows.count > most
            return [Span(margin + "  "), Span(row.text, Style(.standard, .dim)), Span(isCut ? " …" : "")]
        }
    }
}
