import Display

/// The view of an open panel.
enum PanelView {
    /// A frame that covers the screen.
    case screen(Frame)
    /// A line in place of the status line.
    case line(PromptLine)
    /// A question in the status line.
    /// - isWarning: true if one of the replies cannot be undone.
    case question(CleanText, isWarning: Bool = false)
    /// The composer, above the status line.
    case composer
}

extension Frame {
    /// The same words without styles, for a screen reader. It follows the cursor, which is put at the selected message or entry.
    /// - Parameters:
    ///   - column: the column of the cursor in the row of that message or entry.
    ///   - keepsCursor: true if the cursor stays where it is.
    func inWords(column: Int, keepsCursor: Bool) -> Frame {
        let row = lines.firstIndex { line in line.spans.contains { $0.style.surface == .selection } }
        let selected = row.map { ScreenPosition(row: $0, column: min(column, max(0, size.columns - 1))) }
        return Frame(
            size: size, lines: lines.map { $0.styled(.plain) }, cursor: keepsCursor ? cursor : selected ?? cursor,
            picture: picture)
    }
}

/// A field with its name before it and an answer after it.
struct PromptLine {
    let name: CleanText
    let field: TextField
    var answer: String
    var isWarning = false
    /// Things to choose from, before the answer.
    var choice = Line.empty

    /// The line, and the column of the cursor.
    /// - Parameter aside: shown at the right end if there is room for everything.
    func line(columns: Int, margin: CleanText, aside: Span?) -> (line: Line, cursor: Int) {
        let needed = margin.columns + name.columns + max(12, field.text.count) + choice.columns + answer.count
        guard let aside, needed + 9 + aside.text.columns <= columns else {
            return line(columns: columns, margin: margin)
        }
        let (line, cursor) = line(columns: columns - aside.text.columns - margin.columns, margin: margin)
        return (line + [aside, Span(margin)], cursor)
    }

    /// The line, and the column of the cursor.
    func line(columns: Int, margin: CleanText) -> (line: Line, cursor: Int) {
        let left: Line = [Span(margin), Span(name, Style(.accent, .bold))]
        // The typed text gets room first, up to half of the line. An answer of only a few columns is left out.
        let isWide = choice.columns + 12 <= columns - left.columns - margin.columns
        let choice = isWide ? choice : .empty
        let free = columns - left.columns - margin.columns - choice.columns - 3
        let typed = field.visible(columns: max(1, free / 2)).text.columns
        let room = free - max(typed, min(8, free / 2))
        let answer = room < 6 ? .empty : CleanText(self.answer).truncated(to: room)
        let (text, cursor) = field.visible(
            columns: max(1, columns - left.columns - choice.columns - answer.columns - (answer.isEmpty ? 0 : 3)))
        var right = choice
        right.append(Span(answer, isWarning ? Style(.warning) : .dim))
        right.append(Span(margin))
        let typing: Line = [Span(text, field.isSelected ? Style(.standard, .reverse) : .plain)]
        let line = (left + typing).justified(
            with: answer.isEmpty && choice.columns == 0 ? .empty : right, columns: columns)
        return (line, min(max(0, columns - 1), left.columns + cursor))
    }
}
