package import Display
import Messages
import Timeline

/// Draws the model: the same model gives the same frame.
package func render(_ model: Model) -> Frame {
    let frame = model.frame
    guard model.main.grid.isPlain else { return frame }
    // While a text is being written, the cursor is in it.
    let isTyping = model.panel.map { [.find, .prompt, .composer].contains($0) } ?? false
    return frame.inWords(
        column: model.panel == nil ? model.grid.textStart : 0, keepsCursor: isTyping || model.help != nil)
}

extension Model {
    fileprivate var frame: Frame {
        if let help { return help.frame(size) }
        let panel = panelView
        if case .screen(let frame)? = panel { return frame }
        return conversationFrame(panel)
    }

    fileprivate func conversationFrame(_ panel: PanelView?) -> Frame {
        let rows = self.rows
        var lines: [Line] = []
        // The title and the day are about the pane at the left.
        let left = split.main == nil ? pane : main
        let bar = TitleBar(
            pane: left, conversation: conversation, preparation: preparation.shown,
            isMuted: conversation.map { reading.muted.contains($0.id) } ?? false,
            isOffline: reach.map { $0 != .online } ?? false, locating: locating, columns: size.columns)
        if rows.title > 0 { lines.append(bar.title) }
        let middle = (rows.day > 0 ? [bar.day] : []) + paneLines
        lines += sidebarLines.map { zip($0, middle).map { $0 + $1 } } ?? middle
        if case .line(var prompt)? = panel {
            if let heldNotice { prompt.answer = heldNotice.text.string }
            // A screen of a single row has no other place for it.
            if rows.status == 0 { lines.removeLast() }
            let (line, column) = prompt.line(columns: size.columns, margin: grid.margin, aside: newElsewhereInShort)
            let cursor = ScreenPosition(row: lines.count, column: column)
            return Frame(size: size, lines: lines + [line], cursor: cursor)
        }
        let composer = rows.composer > 0 ? composerView?.lines(rows: rows.composer) : nil
        if lines.count + rows.composer > size.rows { lines.removeLast() }
        let top = lines.count
        lines += composer?.lines ?? []
        if rows.status > 0 { lines.append(statusLine(panel)) }
        guard case .composer? = panel, let composer else { return Frame(size: size, lines: lines) }
        let cursor = ScreenPosition(row: top + composer.cursor.row, column: composer.cursor.column)
        return Frame(size: size, lines: lines, cursor: cursor)
    }

    /// The visible panes, side by side.
    private var paneLines: [Line] {
        let shown = [(main, split.main), (openThread, split.thread)].compactMap { pane, columns in
            pane.flatMap { pane in columns.map { (pane, $0.count) } }
        }
        let sides = shown.map { lines(of: $0, columns: $1, hasNeighbour: shown.count > 1 && !$0.isThread) }
        guard sides.count > 1, let columns = split.main?.count else { return sides.first ?? [] }
        return zip(sides[0], sides[1]).map { $0.truncated(to: columns).padded(to: columns) + $1 }
    }

    private func lines(of pane: Pane, columns: Int, hasNeighbour: Bool) -> [Line] {
        if pane.opening != .shown, !pane.isThread {
            let lines = openingLines(of: pane, rows.messages)
            return hasNeighbour ? lines.map { $0.padded(to: columns - 1) + [Span.divider] } : lines
        }
        let messages =
            pane.opening == .shown
            ? messageLines(of: pane, hasNeighbour: hasNeighbour)
            : openingLines(of: pane, rows.messages - headRows(of: pane))
        guard pane.isThread else { return messages }
        return ThreadHead(
            pane, columns: columns, height: rows.messages, hasFocus: pane.number == self.pane.number, looks: looks
        ).lines + messages
    }

    private func messageLines(of pane: Pane, hasNeighbour: Bool) -> [Line] {
        // Hits are marked in the main timeline only.
        let hits = pane.isThread ? nil : find?.places
        return PaneView(
            pane.timeline, target: pane.target, marked: pane.mark == nil ? nil : pane.markedIndices, query: highlighted,
            hits: hits ?? HitPlaces(),
            outgoing: pane.entries(ofOutgoing: outgoingMessages, zone: zone), failed: failedPosts,
            typing: typing.line(in: pane), hasCursor: !pane.isRootSelected, hasFocus: pane.number == self.pane.number,
            hasNeighbour: hasNeighbour, hasBeginning: !pane.isThread, gaps: pane.gaps,
            lastRead: readers.lastRead(in: pane),
            isBelowDay: rows.day > 0 && !pane.isThread, looks: looks
        )
        .lines
    }

    /// The query of the search, if the conversation can have hits.
    private var highlighted: ResolvedQuery? {
        guard let query = find?.query, let conversation, query.accepts(conversation) else { return nil }
        return query
    }
}

extension Model {
    /// The lines in the middle of the screen while there is no list: that it is being loaded, or why it could not be.
    fileprivate func openingLines(of pane: Pane, _ height: Int) -> [Line] {
        let way = pane.isThread ? "Esc closes" : "\(keymap.keyName(.quit)) quits"
        var texts: [Line] = []
        switch pane.opening {
        case .nothing: break
        case .loading, .shown: texts = [[Span("loading…", Style(.standard, .dim))]]
        case .failed(let reason, let attempts):
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            texts = [
                [Span(CleanText(reason), Style(.warning))],
                [
                    Span(
                        CleanText(
                            "next try in \(delay) s · \(keymap.keyName(.activate)) tries now · \(way)"
                        ), Style(.standard, .dim))
                ],
            ]
        }
        let above = max(0, (height - texts.count) / 2)
        let lines = Array(repeating: Line.empty, count: above) + texts.map { $0.centered(in: columns(of: pane).count) }
        return Array((lines + Array(repeating: Line.empty, count: height)).prefix(height))
    }
}

/// The rows of the screen: title, day, messages, composer, status. A low screen gives up the day, then the title, then the
/// status, since messages are more important. The composer always has a row: it takes that of the status, and on a screen of a
/// single row that of the messages, which is then counted twice.
struct Rows: Equatable, Sendable {
    let title: Int
    let day: Int
    let messages: Int
    let composer: Int
    let status: Int

    /// - Parameter composer: the rows that it wants. At least one row of messages stays above it.
    init(rows: Int, composer: Int = 0) {
        status = rows >= (composer > 0 ? 3 : 2) ? 1 : 0
        title = rows >= 4 ? 1 : 0
        day = rows >= 6 ? 1 : 0
        let left = rows - status - title - day
        self.composer = min(composer, max(1, left - 1))
        messages = max(1, left - self.composer)
    }
}
