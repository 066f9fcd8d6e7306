package import Display
import Messages
import Timeline

/// Draws the model: the same model gives the same frame.
package func render(_ model: Model) -> Frame {
    if let scrolled = model.help {
        return Frame(size: model.size, lines: Help.lines(model.keymap, size: model.size, scrolled: scrolled))
    }
    let rows = Rows(rows: model.size.rows)
    var lines: [Line] = []
    if rows.title > 0 { lines.append(TitleBar.title(of: model)) }
    if rows.day > 0 { lines.append(TitleBar.day(of: model)) }
    lines += model.opening == .shown ? ConversationPane(model).lines : model.openingLines(rows.messages)
    if rows.status > 0 { lines.append(StatusBar.line(of: model)) }
    return Frame(size: model.size, lines: lines)
}

extension Model {
    /// While there is no list yet: what is being waited for, or why it did not come, in the middle of the screen.
    fileprivate func openingLines(_ height: Int) -> [Line] {
        var texts: [Line] = []
        switch opening {
        case .loading, .shown: texts = [[Span("loading…", Style(.standard, .dim))]]
        case .failed(let reason, let attempts):
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            texts = [
                [Span(CleanText(reason), Style(.warning))],
                [Span(CleanText("next try in \(delay) s · Enter tries now · q quits"), Style(.standard, .dim))],
            ]
        }
        let above = max(0, (height - texts.count) / 2)
        let lines = Array(repeating: Line.empty, count: above) + texts.map { $0.centered(in: size.columns) }
        return Array((lines + Array(repeating: Line.empty, count: height)).prefix(height))
    }
}

extension Line {
    func centered(in columns: Int) -> Line {
        let line = truncated(to: columns)
        var centered: Line = [Span(CleanText.blanks((columns - line.columns) / 2))]
        centered.append(line)
        return centered
    }

    /// `right` at the right end, `self` before it, cut where both do not fit.
    func justified(with right: Line, columns: Int) -> Line {
        let right = right.truncated(to: columns)
        var line = truncated(to: max(0, columns - right.columns)).padded(to: columns - right.columns)
        line.append(right)
        return line
    }
}

extension CleanText {
    static func dashes(_ count: Int) -> CleanText { CleanText(String(repeating: "─", count: max(0, count))) }
}
