import Display

/// The bottom line: the last event, or the selected message, and the most useful keys.
struct StatusBar {
    let columns: Int
    let margin: CleanText
    /// The number of new messages in other conversations.
    let newElsewhere: Span?
    /// The number of new messages below the screen: it is always shown whole.
    let newBelow: Line

    /// - Parameters:
    ///   - message: the last event, or the selected message.
    ///   - marks: of the drafts; nil when a notice takes the room. The last ones are left out where room is short.
    ///   - least: the columns that they leave to the hints.
    ///   - hints: as many as fit into these columns.
    func line(_ message: Span, marks: [Span?]?, leaving least: Int, hints: (_ columns: Int) -> Line) -> Line {
        var left: Line = [Span(margin), message]
        if let marks {
            left = adding([newElsewhere], to: left)
            left = adding(marks, to: left, onlyWhole: true, leaving: newBelow.columns + least + 2)
        }
        left = adding(newBelow, to: left)
        let hints = hints(columns - left.columns - 2)
        return hints.columns > 0 ? left.justified(with: hints, columns: columns) : left.truncated(to: columns)
    }

    func line(asking question: CleanText, isWarning: Bool) -> Line {
        adding([newElsewhere], to: [Span(margin), Span(question, Style(isWarning ? .warning : .accent))])
    }

    /// While a text is being written.
    /// - Parameters:
    ///   - status: the last event.
    ///   - hints: as many as fit into these columns.
    func line(writing status: Line, hints: (_ columns: Int) -> Line) -> Line {
        let line = adding(newBelow, to: adding([newElsewhere], to: [Span(margin)] + status))
        return line.justified(with: hints(columns - line.columns - 2), columns: columns)
    }

    /// While a word can be completed. The candidates take the room of the hints.
    func line(offering candidates: Line) -> Line {
        adding(newBelow, to: adding([newElsewhere], to: [Span(margin)] + candidates, onlyWhole: true))
    }

    private func adding(_ badge: Line, to line: Line) -> Line {
        (line.truncated(to: max(0, columns - badge.columns)) + badge).truncated(to: columns)
    }

    /// - Parameters:
    ///   - onlyWhole: whether a part that does not fit is left out; else it is cut.
    ///   - reserved: the columns after them that whole parts leave free.
    private func adding(
        _ parts: [Span?], to line: Line, onlyWhole: Bool = false, leaving reserved: Int = 0
    ) -> Line {
        var line = line
        for part in parts.compactMap(\.self) {
            let gap = line.columns > 2 ? 3 : 0
            if onlyWhole, line.columns + gap + part.text.columns + reserved > columns { continue }
            line.append(Span(CleanText.blanks(gap)))
            line.append(part)
        }
        return line.truncated(to: columns)
    }
}
