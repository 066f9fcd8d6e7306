import Display
import Messages
import Timeline

/// The panes of the screen, from the left: the main timeline and, if one is open, a thread. One of them has the keys.
struct Panes: Sendable {
    /// The first pane is the main timeline, which is always there.
    private var panes: [Pane]
    private var focusedIndex = 0
    /// The number of panes opened in this session.
    private var opened = 0

    init(main timeline: Timeline<MessageRuler>) { panes = [Pane(number: 0, timeline: timeline)] }

    // Panes are changed in place, since a copy of a window takes time.

    var main: Pane {
        get { panes[0] }
        _modify { yield &panes[0] }
    }

    var thread: Pane? { panes.count > 1 ? panes[1] : nil }

    /// The pane that has the keys.
    var focused: Pane {
        get { panes[focusedIndex] }
        _modify { yield &panes[focusedIndex] }
    }

    subscript(number: Int) -> Pane? { panes.first { $0.number == number } }

    /// Changes a pane.
    /// - Returns: nil if it does not exist any more.
    @discardableResult
    mutating func change<Value, Failure: Error>(
        _ number: Int, _ body: (inout Pane) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let index = panes.firstIndex(where: { $0.number == number }) else { return nil }
        return try body(&panes[index])
    }

    /// Changes all panes, the one that has the keys first.
    mutating func changeAll(_ body: (inout Pane) -> [Outcome]) -> [Outcome] {
        var outcomes = body(&panes[focusedIndex])
        for index in panes.indices where index != focusedIndex { outcomes += body(&panes[index]) }
        return outcomes
    }

    mutating func updateAll(_ body: (inout Pane) -> Void) {
        for index in panes.indices { body(&panes[index]) }
    }

    /// Gives the keys to a pane, if it still exists.
    mutating func focus(_ number: Int) {
        if let index = panes.firstIndex(where: { $0.number == number }) { focusedIndex = index }
    }

    /// Opens a thread in place of the open one, and gives it the keys.
    /// - Returns: the number of its pane.
    mutating func open(thread root: MessageID, _ timeline: Timeline<MessageRuler>) -> Int {
        opened += 1
        panes = [main, Pane(number: opened, conversation: main.conversation, thread: root, timeline: timeline)]
        focusedIndex = 1
        return opened
    }

    mutating func closeThread() {
        focusedIndex = 0
        panes.removeLast(panes.count - 1)
    }
}

extension Panes: Sequence {
    /// The pane that has the keys comes first.
    func makeIterator() -> some IteratorProtocol<Pane> {
        (panes[focusedIndex...] + panes[..<focusedIndex]).makeIterator()
    }
}

extension Panes {
    /// `↓ 3 new`, for the pane that has the keys and for the other one. It is in the status line, where it covers no
    /// message.
    var newBelowBadge: Line {
        var badge = Line.empty
        for other in self where other.newCount > 0 {
            let place =
                other.number == focused.number ? "" : other.thread == nil ? " in the conversation" : " in the thread"
            badge.append(Span("   "))
            let text = CleanText(" ↓ \(other.newCount.grouped) new\(place) ")
            badge.append(Span(text, Style(.unread, .reverse)))
        }
        return badge
    }
}

/// The layout of a pane on the screen, and what it shows besides its messages.
struct PaneFit {
    /// The columns of the screen for the pane.
    let columns: Range<Int>
    /// The rows, including the head of a thread: now, and with the composer closed.
    let rows: Int
    let rowsWithoutComposer: Int
    /// The message that the composer edits or replies to. It stays on the screen.
    let kept: MessageID?
    /// Posts on their way, as messages.
    let outgoing: [Message]
    /// True if a row below the last message names people who are typing.
    let hasTyping: Bool
    /// The ends of the conversation whose rows lead to another one.
    let linkedEdges: Set<Pane.Side>
    /// True if a row below the last message is kept free for such a link: not right after the room has moved.
    let hasLinkBelow: Bool

    /// The rows for messages below the head.
    fileprivate func height(of pane: Pane, rows: Int) -> Int {
        max(1, rows - (pane.isThread ? ThreadHead.height(of: pane, height: rows) : 0))
    }
}

extension Pane {
    /// Gives the pane its columns and rows, and makes room for posts on their way below the last message.
    mutating func fit(_ fit: PaneFit, zone: Zone) -> [Outcome] {
        if rootRows == 0 { fitRoot(columns: fit.columns.count, rows: fit.rowsWithoutComposer) }
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
    mutating func fitRoot(columns: Int, rows: Int) {
        guard isThread else { return }
        let grid = grid.with(columns: columns, names: nameColumns)
        rootRows = ThreadHead.rows(of: root?.entry, grid, height: rows)
    }

    /// Posts being sent, as entries below the last message.
    func entries(ofOutgoing messages: [Message], zone: Zone) -> [Entry] {
        guard opening == .shown, !timeline.hasNewer || timeline.viewport.isFollowing else { return [] }
        let own = messages.filter { $0.thread == thread }.map(quoting)
        if own.isEmpty { return [] }
        return Entry.entries(own, after: timeline.list.last.map { Neighbour($0.message) } ?? beginning, zone: zone)
    }

    /// Adds the text of the quoted message, if that is loaded.
    private func quoting(_ message: Message) -> Message {
        guard let quoted = message.quote.flatMap({ loaded($0.id) }) else { return message }
        var quoting = message
        quoting.quote = Quote(of: quoted)
        return quoting
    }
}

/// The columns of the panes: both side by side if there is room, else only the pane that has the keys.
struct Split: Equatable, Sendable {
    /// The columns of the main timeline; nil while it is hidden.
    let main: Range<Int>?
    /// The columns of the thread; nil while it is hidden or none is open.
    let thread: Range<Int>?

    /// The least columns of a screen that shows both panes.
    static let wide = 100
    /// The least columns of the main timeline: time and sender stay next to its texts.
    private static let least = 62

    /// - Parameters:
    ///   - left: the columns at the left for the list of conversations.
    ///   - allowsBoth: true if both may be shown side by side.
    init(columns: Int, after left: Int = 0, hasThread: Bool, isInThread: Bool, allowsBoth: Bool = true) {
        let all = left..<max(left, columns)
        guard hasThread else {
            (main, thread) = (all, nil)
            return
        }
        guard allowsBoth, all.count >= Split.wide else {
            (main, thread) = isInThread ? (nil, all) : (all, nil)
            return
        }
        let edge = left + max(Split.least, all.count * 3 / 5)
        (main, thread) = (left..<edge, edge..<columns)
    }
}

/// The rows of the screen: title, day, messages, composer, status. A low screen gives up the day, then the title, then
/// the status, since messages are more important. The composer always has a row: it takes that of the status, and on a
/// screen of a single row that of the messages, which is then counted twice.
struct Rows: Equatable, Sendable {
    let title: Int
    let day: Int
    let messages: Int
    let composer: Int
    let status: Int
    /// The rows of the list of conversations at the left.
    var list: Int { day + messages }

    /// - Parameter composer: the rows that the composer wants. At least one row of messages stays above it.
    init(rows: Int, composer: Int = 0) {
        status = rows >= (composer > 0 ? 3 : 2) ? 1 : 0
        title = rows >= 4 ? 1 : 0
        day = rows >= 6 ? 1 : 0
        let left = rows - status - title - day
        self.composer = min(composer, max(1, left - 1))
        messages = max(1, left - self.composer)
    }
}
