import Display
import Messages
import Search
import Timeline

/// Draws the messages under the viewport, the rows at both edges, and the scroll bar.
struct PaneView {
    let timeline: Timeline<MessageRuler>
    var target: MessageID?
    /// The selected messages; nil when only the one under the cursor is selected.
    var marked: ClosedRange<Int>?
    var query: ResolvedQuery?
    /// The places of hits, for the scroll bar.
    var hits = HitPlaces()
    /// Messages being sent, below the last one.
    var outgoing: [Entry] = []
    /// The messages in `outgoing` that could not be sent.
    var failed: Set<MessageID> = []
    /// The line that names people who are typing, below the messages.
    var typing: Line?
    /// True if the selected message is marked.
    var hasCursor = true
    /// True if the pane has the keys. In any other pane the mark is dim.
    var hasFocus = true
    /// True if another pane is at the right, so that a line is drawn where there is no scroll bar.
    var hasNeighbour = false
    /// True if the row above the first message may say that the conversation begins there.
    var hasBeginning = true
    /// The gaps at the ends of the window. An edge is a gap only while the pager says so.
    var gaps: [Pager<Messages.Cursor>.Side: GapEdge] = [:]
    /// The index of the last message that somebody else has read; nil if not known.
    var lastRead: Int?
    /// True if a line above the pane shows the day of its topmost row. A divider in that row would repeat it.
    var isBelowDay = false
    let looks: Looks
    private var grid: Grid { timeline.ruler.grid }

    var lines: [Line] {
        var lines = Array(repeating: Line.empty, count: timeline.viewport.height)
        drawEdge(.older, on: &lines)
        let visible = timeline.visibleIndices
        for index in visible { draw(index, isFirst: index == visible.first, on: &lines) }
        if outgoing.isEmpty, typing == nil { drawEdge(.newer, on: &lines) } else { drawFooter(on: &lines) }
        if grid.rightMargin > 0 { drawScrollBar(on: &lines) }
        return lines
    }

    /// - Parameter isFirst: true for the topmost message, whose first visible row shows sender and time.
    private func draw(_ index: Int, isFirst: Bool, on lines: inout [Line]) {
        let entry = timeline.list[index]
        let isSelected = hasCursor && entry.id == timeline.selection && timeline.selectedEdge == nil
        let top = timeline.screenRow(of: index)
        let visible = max(0, -top)..<max(0, -top, min(timeline.layout.height(of: index), lines.count - top))
        let isMarked = marked?.contains(index) == true
        let view = MessageView(
            entry, rows: timeline.measure(of: index), grid: grid, isSelected: isSelected, isMarked: isMarked,
            hasFocus: hasFocus, target: target, query: query, visible: visible, repeatsHead: isFirst,
            isRead: lastRead.map { index <= $0 } ?? false, looks: looks)
        for row in visible where !(isBelowDay && top + row == 0 && view.isDay(row)) {
            let line = view.line(row)
            lines[top + row] =
                (isSelected && hasFocus || isMarked) && view.isOfMessage(row)
                ? line.selected(in: grid) : line
        }
    }

    /// Draws posts that are being sent, dim. A message that arrives keeps its rows.
    private func drawFooter(on lines: inout [Line]) {
        var row = timeline.row(of: .newer) - timeline.viewport.top
        for entry in outgoing {
            let rows = timeline.ruler.measure(entry)
            let view = MessageView(
                entry, rows: rows, grid: grid, isSelected: false, target: nil, query: nil, visible: 0..<rows.height)
            for index in 0..<rows.height {
                let style = failed.contains(entry.id) ? Style(.warning, .dim) : .dim
                if lines.indices.contains(row) {
                    lines[row] = view.line(index).styled(style)
                    if grid.isPlain, index == rows.height - 1 {
                        lines[row].append(Span(failed.contains(entry.id) ? " (failed: not sent)" : " (being sent)"))
                    }
                }
                row += 1
            }
        }
        if let typing, lines.indices.contains(row) { lines[row] = typing }
    }

    /// Draws the row above the first or below the last message, which takes no room from messages.
    private func drawEdge(_ side: Pager<Messages.Cursor>.Side, on lines: inout [Line]) {
        let screenRow = timeline.row(of: side) - timeline.viewport.top
        let columns = max(1, grid.columns - grid.gutter - grid.rightMargin)
        guard lines.indices.contains(screenRow), let content = edge(side, columns) else { return }
        let isSelected = timeline.selectedEdge == side
        let mark: Line = [Span(isSelected && !grid.isPlain ? "▌" : CleanText.blanks(grid.gutter), Style(.accent))]
        var line = mark
        line.append(Line([content]).centered(in: columns))
        lines[screenRow] = isSelected && grid.isPlain ? line.on(.selection) : line
    }

    private func edge(_ side: Pager<Messages.Cursor>.Side, _ columns: Int) -> Span? {
        let name = side == .older ? "older" : "newer"
        switch timeline.pager.state(of: side) {
        case .exhausted:
            guard timeline.count > 0 else { return nil }
            let leadsOn = timeline.linkedEdges.contains(side)
            if side == .newer {
                return leadsOn ? link("people have moved to another room", "goes there", columns) : nil
            }
            guard hasBeginning else { return nil }
            let text = "beginning of the conversation"
            return leadsOn
                ? link(text, "goes to the room before it", columns) : Span(CleanText(text), .dim)
        case .gap: return gap(side, columns)
        case .idle, .loading:
            return Span(CleanText("loading \(name) messages…"), .dim)
        case .failed(let reason, let attempts):
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            let text = "\(name) messages did not load · next try in \(delay) s, \(looks.openKey) tries now · \(reason)"
            return Span(CleanText(text), Style(.warning))
        }
    }

    /// The text of a link. The key is left out if there is no room for it.
    private func link(_ text: String, _ result: String, _ columns: Int) -> Span {
        let whole = CleanText("\(text) · \(looks.openKey) \(result)")
        return Span(whole.columns > columns ? CleanText(text) : whole)
    }

    /// The text of a gap. The key that crosses it is left out if there is no room for it.
    private func gap(_ side: Pager<Messages.Cursor>.Side, _ columns: Int) -> Span? {
        guard timeline.count > 0 else { return nil }
        let entry = timeline.list[side == .older ? 0 : timeline.count - 1]
        guard let edge = gaps[side] else { return Span(CleanText("messages are missing here"), Style(.standard)) }
        let text = CleanText(edge.text(beside: entry, on: side))
        let whole = text + CleanText(" · \(looks.openKey) goes on beyond")
        return Span(edge.gap.neighbour == nil || whole.columns > columns ? text : whole, Style(.standard))
    }

    /// The thumb stands for the screen as a part of the whole conversation, and not of the loaded messages. The marks
    /// next to it are hits.
    private func drawScrollBar(on lines: inout [Line]) {
        let visible = timeline.visibleIndices
        let bar = timeline.position(of: visible.lowerBound).flatMap { first in
            timeline.totalCount.flatMap { total in
                ScrollBar(height: lines.count, first: first, visible: timeline.span(of: visible), total: total)
            }
        }
        let total = bar == nil ? 0 : timeline.totalCount ?? 0
        let marks = ScrollBar.rows(of: hits, height: lines.count, total: total)
        for row in lines.indices {
            lines[row] = lines[row].padded(to: grid.columns - 1)
            let isThumb = bar?.thumb.contains(row) ?? false
            if bar == nil {
                lines[row].append(hasNeighbour ? Span.divider : Span(" "))
            } else if marks.contains(row) {
                lines[row].append(Span(isThumb ? "┫" : "┤", Style(.accent)))
            } else {
                lines[row].append(Span(isThumb ? "┃" : "│", isThumb ? .plain : .dim))
            }
        }
    }
}

extension Line {
    /// The row of a selected message, up to the scroll bar.
    func selected(in grid: Grid) -> Line {
        let columns = grid.columns - min(1, grid.rightMargin)
        return padded(to: columns).on(.selection)
    }
}

extension Span {
    /// The line between two panes.
    static let divider = Span("│", .dim)
}

/// The scroll bar: a column whose thumb stands for the screen as a part of the conversation. The thumb touches an end of
/// the column only at that end of the conversation.
struct ScrollBar: Hashable {
    let thumb: Range<Int>
    private let height: Int
    private let visible: Int
    private let total: Int

    enum Target: Hashable {
        case beginning, end
        /// The message to show in the middle of the screen.
        case index(Int)
    }

    /// The result is nil when everything is visible.
    /// - Parameters: the rows of the column, the index of the first visible message, and the numbers of visible and of all
    ///   messages.
    init?(height: Int, first: Int, visible: Int, total: Int) {
        guard visible > 0, total > visible else { return nil }
        (self.height, self.visible, self.total) = (height, visible, total)
        let size = min(height, max(1, height * visible / total))
        let last = total - visible
        let lowest = height - size
        if first <= 0 {
            thumb = 0..<size
        } else if first >= last {
            thumb = lowest..<height
        } else {
            let top = max(min(1, lowest), min(lowest * first / last, lowest - 1))
            thumb = top..<(top + size)
        }
    }

    /// The place to show so that the thumb stands at a row.
    func target(ofThumbAt row: Int) -> Target {
        let lowest = height - thumb.count
        let top = min(max(0, row - thumb.count / 2), lowest)
        if top <= 0 { return .beginning }
        if top >= lowest { return .end }
        // The middle one of the messages for which the thumb is drawn there.
        let last = total - visible
        let first = (2 * top + 1) * last / (2 * lowest)
        return .index(min(total - 1, first + visible / 2))
    }
}

extension ScrollBar {
    /// The row for one message: the middle of the thumb of a screen that shows only this message. It does not depend on the
    /// real screen, so that marks stay where they are while the user scrolls.
    static func row(of index: Int, height: Int, total: Int) -> Int {
        guard let thumb = ScrollBar(height: height, first: index, visible: 1, total: total)?.thumb else { return 0 }
        return thumb.lowerBound + thumb.count / 2
    }

    /// The rows that have hits. Takes a few steps for each row, for any number of hits.
    /// - Parameters: rows of the column, and the number of messages.
    static func rows(of places: HitPlaces, height: Int, total: Int) -> Set<Int> {
        guard height > 0, total > 0 else { return [] }
        var rows: Set<Int> = []
        var index = 0
        while let hit = places.firstShown(from: index), hit < total {
            let row = ScrollBar.row(of: hit, height: height, total: total)
            rows.insert(row)
            // The first message below that row.
            index = (hit + 1..<total).partitioningIndex { ScrollBar.row(of: $0, height: height, total: total) > row }
        }
        return rows
    }
}

/// An edge of the window beyond which messages are missing.
struct GapEdge: Sendable {
    let gap: Gap
    /// The day and the time of the first message beyond the gap; nil if there is none.
    private let far: (date: CivilDate, clock: String)?

    /// The result is nil if the edge of a page is no gap.
    init?(_ page: Page, _ side: Pager<Messages.Cursor>.Side, zone: Zone) {
        guard case .gap(_, let gap) = side == .older ? page.older : page.newer else { return nil }
        self.gap = gap
        far = gap.neighbour.map { neighbour in
            let civil = zone.civil(neighbour.at)
            return (civil.date, zone.clock(civil))
        }
    }

    /// `no messages here between 3 Mar and 9 May 2025`
    /// - Parameter entry: the entry of the window next to the gap.
    func text(beside entry: Entry, on side: Pager<Messages.Cursor>.Side) -> String {
        guard let far else {
            let day = entry.date.medium
            return side == .older ? "no messages from before \(day) are here" : "messages after \(day) are missing"
        }
        let near = (date: entry.date, clock: entry.clock)
        let (first, last) = side == .older ? (far, near) : (near, far)
        guard first.date != last.date else {
            return "no messages here between \(first.clock) and \(last.clock) on \(last.date.medium)"
        }
        let start = first.date.year == last.date.year ? first.date.dayAndMonth : first.date.short
        return "no messages here between \(start) and \(last.date.short)"
    }
}
