import Display
import Messages

/// The screen of a list that covers the conversation, and the parts that all such lists share.
struct ListScreen {
    let size: Size
    /// The columns of the messages.
    let grid: Grid
    let keymap: Keymap
    let notice: Span?
    /// As of the last event.
    let now: Timestamp
    let zone: Zone

    /// The field for the words, the list, and a line about the selected item, which a notice may replace.
    /// - Parameter aside: stands in that line too, before the hints.
    func frame(_ prompt: PromptLine, _ list: [Line], selected: Span?, aside: Span? = nil) -> Frame {
        let (line, cursor) = prompt.line(columns: size.columns, margin: grid.margin)
        var lines = [line] + list
        if size.rows >= 2 {
            var left = Line([Span(grid.margin)] + [notice ?? selected].compactMap { $0 })
            if let aside {
                left = left.truncated(to: max(0, size.columns - aside.text.columns - 3)) + [Span("   "), aside]
            }
            let hints = keymap.hints(in: .typing, columns: size.columns - left.columns - 2)
            lines.append(left.justified(with: hints, columns: size.columns))
        }
        return Frame(size: size, lines: lines, cursor: ScreenPosition(row: 0, column: cursor))
    }

    /// The mark of a row, as wide as the gutter of the messages.
    func mark(isSelected: Bool) -> Span { Span(isSelected ? "▌" : CleanText.blanks(grid.gutter), Style(.accent)) }

    func time(_ moment: Timestamp) -> CleanText { When.label(moment, now: now, zone: zone) }
}
