package import Display
import Messages
import Timeline

/// Draws the model: the same model gives the same frame.
package func render(_ model: Model) -> Frame {
    if let scrolled = model.help {
        return Frame(size: model.size, lines: Help.lines(model.keymap, size: model.size, scrolled: scrolled))
    }
    switch model.panel {
    case .search: return SearchView(model).frame
    case .switcher: return SwitcherView(model).frame
    case nil, .find, .composer, .prompt: return model.conversationFrame
    }
}

extension Model {
    fileprivate var conversationFrame: Frame {
        let rows = self.rows
        var lines: [Line] = []
        // The line at the top is about the pane at the left.
        let left = split.main == nil ? self : focused(on: main.number)
        if rows.title > 0 { lines.append(TitleBar.title(of: left)) }
        if rows.day > 0 { lines.append(TitleBar.day(of: left)) }
        lines += paneLines
        if let prompt = promptLine {
            // With a single row, there is no place but the messages' own.
            if rows.status == 0 { lines.removeLast() }
            let (line, column) = prompt.line(columns: size.columns, margin: grid.margin, aside: newElsewhere)
            let cursor = ScreenPosition(row: lines.count, column: column)
            return Frame(size: size, lines: lines + [line], cursor: cursor)
        }
        let composer = composerLines(rows: rows.composer)
        if lines.count + rows.composer > size.rows { lines.removeLast() }
        let top = lines.count
        lines += composer.lines
        if rows.status > 0 { lines.append(StatusBar.line(of: self)) }
        guard panel == .composer, rows.composer > 0 else { return Frame(size: size, lines: lines) }
        let cursor = ScreenPosition(row: top + composer.cursor.row, column: composer.cursor.column)
        return Frame(size: size, lines: lines, cursor: cursor)
    }

    /// The panes as they are shown, side by side.
    private var paneLines: [Line] {
        let shown = [(main, split.main), (openThread, split.thread)].compactMap { pane, columns in
            pane.flatMap { pane in columns.map { (pane, $0.count) } }
        }
        let sides = shown.map { lines(of: $0, columns: $1) }
        guard sides.count > 1, let columns = split.main?.count else { return sides.first ?? [] }
        return zip(sides[0], sides[1]).map { $0.truncated(to: columns).padded(to: columns) + $1 }
    }

    private func lines(of pane: Pane, columns: Int) -> [Line] {
        let model = focused(on: pane.number)
        guard model.opening == .shown else { return model.openingLines(rows.messages) }
        let messages = model.messageLines(hasCursor: pane.number == self.pane.number)
        guard model.isInThread else { return messages }
        return ThreadHead(pane, columns: columns, height: rows.messages, looks: looks).lines + messages
    }

    private func messageLines(hasCursor: Bool) -> [Line] {
        // Where hits stand is told of the main timeline.
        ConversationPane(
            timeline, target: target, query: highlighted, hits: isInThread ? HitPlaces() : find?.places ?? HitPlaces(),
            outgoing: outgoingEntries, failed: failedPosts, typing: typingLine,
            hasCursor: hasCursor, hasBeginning: !isInThread, looks: looks
        )
        .lines
    }

    /// The query of the search, where it may have hits.
    private var highlighted: ResolvedQuery? {
        guard let query = find?.query, let conversation, query.accepts(conversation) else { return nil }
        return query
    }

    /// The line below the conversation in which text is typed.
    private var promptLine: PromptLine? {
        if case .field(let line) = prompt?.view(in: context) { return line }
        return panel == .find ? find?.line(isAtHit: isAtHit) : nil
    }
}

extension Model {
    /// A list that lies over the conversation, between the field that it is made by and a line about what is selected
    /// in it, in whose place a notice may stand.
    func panelFrame(_ prompt: PromptLine, _ list: [Line], selected: Span?) -> Frame {
        let (line, cursor) = prompt.line(columns: size.columns, margin: grid.margin)
        var lines = [line] + list
        if size.rows >= 2 {
            var left = Line([Span(grid.margin)] + [notice?.span ?? selected].compactMap { $0 })
            // The list of conversations says it in its rows.
            if panel == .search, let new = newElsewhere {
                left = left.truncated(to: max(0, size.columns - new.text.columns - 3)) + [Span("   "), new]
            }
            let hints = StatusBar.hints(keymap, in: .typing, columns: size.columns - left.columns - 2)
            lines.append(left.justified(with: hints, columns: size.columns))
        }
        return Frame(size: size, lines: lines, cursor: ScreenPosition(row: 0, column: cursor))
    }
}

extension Model {
    /// While there is no list yet: that it is loading, or why it did not come, in the middle of the screen.
    fileprivate func openingLines(_ height: Int) -> [Line] {
        var texts: [Line] = []
        switch opening {
        case .nothing: break
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
