import Messages
import Timeline

/// The room of a pane on the screen, and what it has to show besides its messages.
struct PaneFit {
    /// The columns of the screen that it gets.
    let columns: Range<Int>
    /// Its rows with the head of the thread: now, and while the composer is closed.
    let rows: Int
    let rowsWithoutComposer: Int
    /// The message that is being edited or replied to. It stays on the screen.
    let kept: MessageID?
    /// Posts on their way, as messages.
    let outgoing: [Message]
    /// Whether a row below the last message names people who are writing.
    let hasTyping: Bool
    /// The ends of the conversation whose rows lead to another one.
    let linkedEdges: Set<Pane.Edge>
    /// Whether the end gets such a row.
    let hasLinkBelow: Bool

    /// The rows for messages below the head.
    fileprivate func height(of pane: Pane, rows: Int) -> Int {
        max(1, rows - (pane.isThread ? ThreadHead.height(of: pane, height: rows) : 0))
    }
}

extension Pane {
    /// Gives the pane its columns and rows, and makes room for posts on their way below the last message.
    mutating func fit(_ fit: PaneFit, zone: Zone) -> [Outcome] {
        if isThread, rootRows == 0 { fitRoot(fit) }
        let height = fit.height(of: self, rows: fit.rows)
        hasHead = isThread && height < fit.rows
        let cover = max(0, fit.height(of: self, rows: fit.rowsWithoutComposer) - height)
        var hasMoved = true
        let wanted = grid.with(columns: fit.columns.count, names: nameColumns)
        if grid != wanted {
            timeline.resize(ruler: MessageRuler(grid: wanted), height: height, cover: cover, keeping: fit.kept)
        } else if timeline.viewport.height != height || timeline.cover != cover || timeline.kept != fit.kept {
            timeline.setHeight(height, cover: cover, keeping: fit.kept)
        } else {
            hasMoved = false
        }
        let entries = entries(ofOutgoing: fit.outgoing, zone: zone)
        timeline.linkedEdges = fit.linkedEdges
        let posts = entries.reduce(fit.hasTyping ? 1 : 0) { $0 + timeline.ruler.measure($1).height }
        let footer = max(posts, fit.hasLinkBelow ? 1 : 0)
        if timeline.footer != footer {
            timeline.setFooter(rows: footer)
            hasMoved = true
        }
        return hasMoved ? viewportMoved() : []
    }

    /// Gives the root of a thread its rows, for a screen of this size.
    mutating func fitRoot(_ fit: PaneFit) {
        guard isThread else { return }
        let grid = grid.with(columns: fit.columns.count, names: nameColumns)
        rootRows = ThreadHead.rows(of: root?.entry, grid, height: fit.rowsWithoutComposer)
    }

    /// Posts on their way, as they will stand below the last message.
    func entries(ofOutgoing messages: [Message], zone: Zone) -> [Entry] {
        guard opening == .shown, !timeline.hasNewer || timeline.viewport.isFollowing else { return [] }
        let own = messages.filter { $0.thread == thread }.map(quoting)
        if own.isEmpty { return [] }
        return Entry.entries(own, after: timeline.list.last.map { Neighbour($0.message) } ?? beginning, zone: zone)
    }

    /// Adds the text of the message that it replies to, if that is loaded.
    private func quoting(_ message: Message) -> Message {
        guard let quoted = message.quote.flatMap({ loaded($0.id) }) else { return message }
        var quoting = message
        quoting.quote = Quote(of: quoted)
        return quoting
    }
}
