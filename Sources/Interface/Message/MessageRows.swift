import Display
import Markup
import Messages
import Search
import Timeline

/// The rows of an entry at one width, from the top, each with its place. Both measuring and drawing use these rows, so that the
/// two cannot differ.
struct MessageRows: Measurement {
    enum Content {
        case day
        /// The line above the first unread message.
        case unread
        /// Time and sender above the text, on a narrow screen.
        case head
        case quote
        /// A row of the text, with the number of its line in the body.
        case text(WrappedRow, line: Int)
        /// The row that stands for folded text.
        case fold(Fold.Hidden)
        /// The row that stands for a folded run of presence lines.
        case presence
        case attachment(Int)
        /// Reactions and reply counts that do not fit after the text.
        case meta
    }

    struct Row {
        let content: Content
        let place: Int
    }

    /// The rows above the text.
    private let before: [Row]
    private let text: TextRows
    private let fold: Row?
    private let attachments: Int
    /// True if reactions and reply counts have a separate row, below all others.
    let hasMetaRow: Bool
    /// True if folding would hide rows.
    let canFold: Bool
    /// The number of sections laid out for measuring, for tests.
    let laidOut: Int

    // Rows above the text have negative places. Rows below the text have places that no text reaches.
    private static let dayPlace = -4
    /// The place of the line above unread messages.
    static let unreadPlace = -3
    private static let headPlace = -2
    private static let quotePlace = -1
    private static let attachmentPlace = Int.max / 2
    private static let metaPlace = Int.max - 1

    init(_ entry: Entry, grid: Grid) {
        var before: [Row] = []
        if entry.startsDay { before.append(Row(content: .day, place: MessageRows.dayPlace)) }
        if entry.startsUnread { before.append(Row(content: .unread, place: MessageRows.unreadPlace)) }
        if grid.isNarrow, entry.showsHead || grid.isPlain {
            before.append(Row(content: .head, place: MessageRows.headPlace))
        }
        if entry.quote != nil { before.append(Row(content: .quote, place: MessageRows.quotePlace)) }
        self.before = before
        let source = TextSource(body: entry.body, grid: grid)
        if entry.run != nil, entry.isFolded {
            (text, fold, canFold) = (.made([]), Row(content: .presence, place: 0), true)
            laidOut = 0
        } else if entry.isFolded, let folded = source.folded() {
            (text, fold, canFold) = (.made(folded.shown), folded.fold, true)
            laidOut = folded.laidOut
        } else {
            text = source.isShort ? .made(source.rows) : .counted(source, ends: source.ends)
            let omitted = entry.body.omitted
            fold = omitted > 0 ? Row(content: .fold(.loading(omitted)), place: entry.body.end) : nil
            laidOut = entry.body.sections.count
            canFold = entry.run != nil || entry.hasSpoilers || text.count > Fold.rows + 1
        }
        attachments = entry.message.attachments.count
        guard !entry.message.reactions.isEmpty || ReplySummary.isNeeded(for: entry.message) else {
            hasMetaRow = false
            return
        }
        let last = fold ?? (text.count > 0 ? text.rows(in: text.count - 1..<text.count).last : nil)
        hasMetaRow =
            last.map { !MessageMeta.fit(entry.message, after: $0.content.columns(in: entry, grid), grid: grid) } ?? true
    }

    var height: Int { textEnd + attachments + (hasMetaRow ? 1 : 0) }

    /// The first row after the text and its fold.
    private var textEnd: Int { before.count + text.count + (fold == nil ? 0 : 1) }

    func row(_ index: Int) -> Row { rows(in: index..<index + 1)[0] }

    /// Some of the rows. This call lays out rows of a long text.
    func rows(in range: Range<Int>) -> [Row] {
        let texts = before.count..<before.count + text.count
        var rows = Array(before[range.clamped(to: before.indices)])
        let wanted = range.clamped(to: texts)
        if !wanted.isEmpty {
            rows += text.rows(in: wanted.lowerBound - texts.lowerBound..<wanted.upperBound - texts.lowerBound)
        }
        if let fold, range.contains(texts.upperBound) { rows.append(fold) }
        for index in range.clamped(to: textEnd..<textEnd + attachments).map({ $0 - textEnd }) {
            rows.append(Row(content: .attachment(index), place: MessageRows.attachmentPlace + index))
        }
        if hasMetaRow, range.contains(height - 1) { rows.append(Row(content: .meta, place: MessageRows.metaPlace)) }
        return rows
    }

    /// All rows, which may be many.
    var rows: [Row] { rows(in: 0..<height) }

    /// The row of reactions and reply counts: the last row of the text, or a separate one.
    var metaRow: Int { hasMetaRow ? height - 1 : max(0, textEnd - 1) }

    /// The columns before reactions and reply counts in their row.
    func metaStart(of entry: Entry, _ grid: Grid) -> Int { row(metaRow).content.columns(in: entry, grid) }

    func place(ofRow row: Int) -> Int { self.row(row).place }

    func row(ofPlace place: Int) -> Int {
        if hasMetaRow, place >= MessageRows.metaPlace { return height - 1 }
        if let fold, place >= fold.place, place < MessageRows.attachmentPlace { return before.count + text.count }
        if place >= MessageRows.attachmentPlace, attachments > 0 {
            return textEnd + min(place - MessageRows.attachmentPlace, attachments - 1)
        }
        if place >= 0 { return min(before.count + (text.count > 0 ? text.row(ofPlace: place) : 0), height - 1) }
        return before.lastIndex { $0.place <= place } ?? 0
    }

    /// The place where folded text begins; nil when none is folded.
    // The optimizer of Swift 6.3.1 fails with an ownership error where this is inlined.
    @inline(never) var foldedFrom: Int? {
        if case .fold(.loading) = fold?.content { nil } else { fold?.place }
    }

    /// The part of the text in some of the rows, in places of the body.
    func text(within range: Range<Int>) -> Range<Int> {
        var part: Range<Int>?
        for row in rows(in: range.clamped(to: 0..<height)) {
            guard case .text(let wrapped, _) = row.content else { continue }
            part = (part?.lowerBound ?? row.place)..<row.place + wrapped.text.string.utf8.count
        }
        return part ?? 0..<0
    }
}

/// The rows of a text.
private enum TextRows: Sendable {
    case made([MessageRows.Row])
    /// The rows of a long text are counted, section by section (`ends`: rows up to the end of each), and laid out again for
    /// drawing, since there may be millions.
    case counted(TextSource, ends: [Int])

    var count: Int {
        switch self {
        case .made(let rows): rows.count
        case .counted(_, let ends): ends.last ?? 0
        }
    }

    func rows(in range: Range<Int>) -> [MessageRows.Row] {
        switch self {
        case .made(let rows): return Array(rows[range])
        case .counted(let source, let ends):
            var found: [MessageRows.Row] = []
            var section = ends.partitioningIndex { $0 > range.lowerBound }
            while section < ends.count {
                let start = section == 0 ? 0 : ends[section - 1]
                guard start < range.upperBound else { break }
                let part = range.clamped(to: start..<ends[section])
                found += source.rows(ofSection: section)[part.lowerBound - start..<part.upperBound - start]
                section += 1
            }
            return found
        }
    }

    /// The last row that begins at or before a place. The places of rows ascend.
    func row(ofPlace place: Int) -> Int {
        switch self {
        case .made(let rows): return max(0, rows.partitioningIndex { $0.place > place } - 1)
        case .counted(let source, let ends):
            let section = min(Body.section(ofPlace: place), ends.count - 1)
            let rows = source.rows(ofSection: section)
            let start = section == 0 ? 0 : ends[section - 1]
            return max(0, start + rows.partitioningIndex { $0.place > place } - 1)
        }
    }
}

/// Lays out the text of a body at one width.
private struct TextSource: Sendable {
    let body: Body
    let grid: Grid

    /// The most sections of a folded text to lay out for counting its rows.
    private static let mostCounted = 8

    var isShort: Bool { body.sections.count == 1 }

    var rows: [MessageRows.Row] { body.sections.indices.flatMap(rows(ofSection:)) }

    func rows(ofSection section: Int) -> [MessageRows.Row] {
        var rows: [MessageRows.Row] = []
        for (index, line) in body.lines(ofSection: section).enumerated() {
            let number = Body.number(ofLine: index, in: section)
            for row in wrapped(line) {
                rows.append(MessageRows.Row(content: .text(row, line: number), place: line.start + row.start))
            }
        }
        return rows
    }

    /// The number of rows up to the end of each section.
    var ends: [Int] {
        var end = 0
        return body.sections.indices.map { section in
            end += body.lines(ofSection: section).reduce(0) { $0 + wrapped($1).count }
            return end
        }
    }

    /// The first rows, and the row that stands for the rest; nil when the text is too short to be folded. Lays out as few
    /// sections as necessary.
    func folded() -> (shown: [MessageRows.Row], fold: MessageRows.Row, laidOut: Int)? {
        let countsAll = body.omitted == 0 && body.sections.count <= TextSource.mostCounted
        var shown: [MessageRows.Row] = []
        var (count, laidOut) = (0, 0)
        for section in body.sections.indices {
            let rows = rows(ofSection: section)
            laidOut += 1
            count += rows.count
            if shown.count <= Fold.rows + 1 { shown += rows.prefix(Fold.rows + 2 - shown.count) }
            if !countsAll, count > Fold.rows + 1 { break }
        }
        guard count > Fold.rows + 1 || body.omitted > 0 else { return nil }
        let place = shown.count > Fold.rows ? shown[Fold.rows].place : body.end
        let hidden: Fold.Hidden = countsAll ? .rows(count - Fold.rows) : .bytes(body.bytes(after: place))
        return (Array(shown.prefix(Fold.rows)), MessageRows.Row(content: .fold(hidden), place: place), laidOut)
    }

    private func wrapped(_ line: Body.Line) -> [WrappedRow] {
        line.kind == .prose
            ? wrap(line.text, columns: grid.textColumns, hanging: line.head.hang)
            : hardWrap(line.text, columns: grid.codeColumns)
    }
}

extension MessageRows.Content {
    /// The columns of the text in a row of the body.
    fileprivate func columns(in entry: Entry, _ grid: Grid) -> Int {
        switch self {
        case .text(let row, let line):
            row.columns + (entry.body.line(line).kind == .code ? grid.codeMark.columns : 0)
        case .fold(let hidden): Fold.text(hidden, isEdited: entry.message.isEdited, key: grid.style.foldKey).columns
        case .attachment, .quote, .day, .unread, .head, .presence, .meta: 0
        }
    }
}

/// Measures entries at one width.
struct MessageRuler: Ruler {
    let grid: Grid

    func measure(_ entry: Entry) -> MessageRows { MessageRows(entry, grid: grid) }
}

extension Timeline<MessageRuler> {
    /// Folds or unfolds a message of the window. The anchored row keeps its place.
    mutating func setFold(_ isFolded: Bool?, of id: MessageID) {
        guard let index = list.index(of: id) else { return }
        var entry = list[index]
        entry.fold = isFolded
        update(entry)
    }

    /// Brings a hit of the selected message onto the screen if none is visible: the hit may be folded away, or the message may be
    /// taller than the screen.
    /// - Returns: true if the message was unfolded for this.
    mutating func revealHit(of query: ResolvedQuery) -> Bool {
        guard let index = selectedIndex else { return false }
        let entry = list[index]
        // A message that is visible as a whole hides no hit.
        guard hidesText(of: index) else { return false }
        // Of a long text only the part on the screen is searched.
        let near = entry.hitPlaces(query, in: visibleText(of: index))
        if near.contains(where: { isOnScreen($0, of: index) }) { return false }
        return entry.match(of: query, .newer, from: -1).map { show($0.place, of: index) } ?? false
    }

    /// Brings a place of the selected message onto the screen.
    /// - Returns: true if the message was unfolded for this.
    mutating func showSelected(_ place: Int) -> Bool { selectedIndex.map { show(place, of: $0) } ?? false }

    private mutating func show(_ place: Int, of index: Int) -> Bool {
        let id = list[index].id
        let isHidden = measure(of: index).foldedFrom.map { place >= $0 } ?? false
        if isHidden { setFold(false, of: id) }
        if !isOnScreen(place, of: index) {
            let anchor = Anchor(id: id, place: place, screenRow: viewport.height / 2)
            restore(anchor, selection: id, following: false)
        }
        return isHidden
    }

    /// True if a part of a message's text is folded away, or has no room on the screen.
    private func hidesText(of index: Int) -> Bool {
        measure(of: index).foldedFrom != nil || layout.height(of: index) > viewport.height
    }

    /// The places of a message's text that are on the screen.
    private func visibleText(of index: Int) -> Range<Int> {
        let rows = measure(of: index)
        let visible = (0..<rows.height).clamped(
            to: max(0, -screenRow(of: index))..<max(0, viewport.height - screenRow(of: index)))
        return rows.text(within: visible)
    }

    // MARK: - Matches of a long message

    /// The next match in another row of the selected message; nil when there is none, or when all of its text is on the screen.
    /// - Parameter last: the previous match. If the user has scrolled away from it, the search starts at the text on the screen.
    func match(
        _ direction: FindDirection, of query: ResolvedQuery, after last: FindHit.Inner?
    ) -> FindHit.Inner? {
        guard let index = selectedIndex, hidesText(of: index), !isRun(index) else { return nil }
        let entry = list[index]
        guard let last, isOnScreen(last.place, of: index) else {
            let shown = visibleText(of: index)
            let start = direction == .newer ? shown.lowerBound - 1 : shown.upperBound
            return entry.match(of: query, direction, from: start).map {
                FindHit.Inner(place: $0.place, number: entry.number(ofMatch: $0.place, of: query))
            }
        }
        let rows = measure(of: index)
        let hidden = rows.foldedFrom ?? .max
        let row = rows.row(ofPlace: last.place)
        let next = entry.match(of: query, direction, from: last.place) { $0 >= hidden || rows.row(ofPlace: $0) != row }
        let step = direction == .newer ? 1 : -1
        return next.map { FindHit.Inner(place: $0.place, number: last.number + step * ($0.passed + 1)) }
    }

    /// The match of a long message at which a step arrives: for a step to newer hits the first one on the screen or after it,
    /// else the last one of the message.
    func arrival(_ direction: FindDirection, of query: ResolvedQuery) -> FindHit.Inner? {
        guard let index = selectedIndex, hidesText(of: index), !isRun(index) else { return nil }
        let entry = list[index]
        let start = direction == .newer ? visibleText(of: index).lowerBound - 1 : entry.body.end
        return entry.match(of: query, direction, from: start).map {
            FindHit.Inner(place: $0.place, number: entry.number(ofMatch: $0.place, of: query))
        }
    }

    /// True for presence lines, each of which is a hit of its own.
    private func isRun(_ index: Int) -> Bool { list[index].message.presence != nil }

    /// True if a place of the message's text is on the screen.
    private func isOnScreen(_ place: Int, of index: Int) -> Bool {
        let rows = measure(of: index)
        if let folded = rows.foldedFrom, place >= folded { return false }
        return viewport.rows.contains(layout.top(of: index) + rows.row(ofPlace: place))
    }
}
