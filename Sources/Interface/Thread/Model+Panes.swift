import Display
import Messages
import Timeline

extension Model {
    /// The pane that has the keys.
    var pane: Pane {
        get { panes.focused }
        _modify { yield &panes.focused }
    }

    var isInThread: Bool { pane.isThread }
    var main: Pane { panes.main }
    var openThread: Pane? { panes.thread }

    // For the pane that has the keys:
    var timeline: Timeline<MessageRuler> { pane.timeline }
    var opening: Pane.Opening { pane.opening }
    var target: MessageID? { pane.target }
    var pending: ListRequest? { pane.pending }
    var history: JumpHistory { pane.history }
    var place: ScreenPlace? { pane.place }
    var selectedMessage: Message? { pane.selectedMessage }
    /// The columns of its messages.
    var grid: Grid { pane.grid }

    var split: Split {
        Split(
            columns: size.columns, after: sidebarColumns, hasThread: openThread != nil, isInThread: isInThread,
            allowsBoth: !main.grid.isPlain)
    }

    /// The columns of a pane on the screen.
    func columns(of pane: Pane) -> Range<Int> {
        (pane.isThread ? split.thread : split.main) ?? sidebarColumns..<size.columns
    }

    /// The rows above the replies; 0 in the main timeline.
    func headRows(of pane: Pane) -> Int { pane.isThread ? ThreadHead.height(of: pane, height: rows.messages) : 0 }

    /// Gives each pane its columns and its rows, without those of the composer, and makes room for posts on their way below
    /// the last message.
    mutating func fitPanes() -> [Effect] {
        let fits = fits
        return carryOut(panes.changeAll { [zone] pane in fits[pane.number].map { pane.fit($0, zone: zone) } ?? [] })
    }

    /// Gives the roots of threads the rows that the new size of the screen has for them.
    mutating func fitRoots() {
        let fits = fits
        _ = panes.changeAll { pane in
            if let fit = fits[pane.number] { pane.fitRoot(fit) }
            return []
        }
    }

    /// The room of each pane, by its number.
    private var fits: [Int: PaneFit] {
        let composerRows = composerRows
        // The text of the pane that has the keys: each pane has a draft of its own.
        let (writer, kept) = (pane.number, composerRows > 0 ? composer?.target : nil)
        let outgoing = outgoingMessages
        var fits: [Int: PaneFit] = [:]
        for pane in panes {
            fits[pane.number] = PaneFit(
                columns: columns(of: pane), rows: Rows(rows: size.rows, composer: composerRows).messages,
                rowsWithoutComposer: Rows(rows: size.rows).messages, kept: pane.number == writer ? kept : nil,
                outgoing: outgoing, hasTyping: typing.line(in: pane) != nil,
                linkedEdges: pane.isThread ? [] : moves, hasLinkBelow: !pane.isThread && hasLinkBelow)
        }
        return fits
    }
}
