package import Display
import Markup
package import Messages
import Search

/// Draws the rows of one message.
struct MessageView {
    let rows: MessageRows
    private let entry: Entry
    private let grid: Grid
    private let isSelected: Bool
    /// True if the message is one of several selected messages.
    private let isMarked: Bool
    /// True if the pane of the message has the keys. Marks in any other pane are dim.
    private let hasFocus: Bool
    private let isTarget: Bool
    /// The row of a requested presence line; nil for the first row.
    private let targetRow: Int?
    private let looks: Looks
    /// The links whose numbers are shown.
    private let numbered: [Body.Link]
    /// The rows to be drawn, with the index of the first one; and the lines of the text in them, by number.
    private let shown: (start: Int, rows: [MessageRows.Row])
    private let lines: [Int: Body.Line]
    /// The hits of the query, by line of the text: UTF-8 offsets.
    private let hits: [Int: [Range<Int>]]
    /// The first row after the header of the day and the line of unread messages. It shows time, sender and marks.
    private let firstRow: Int
    /// A row that repeats time and sender, faintly, in its empty columns; nil for none.
    private let repeatingRow: Int?
    /// Reactions and the number of replies.
    private let meta: CleanText?
    /// True if the message mentions the user or replies to the user.
    private let isForUser: Bool
    /// True if the message is the user's own, and somebody else has read it.
    private let isRead: Bool

    init(
        _ entry: Entry, rows: MessageRows, grid: Grid, isSelected: Bool, isMarked: Bool = false, hasFocus: Bool = true,
        target: MessageID?, query: ResolvedQuery?, visible: Range<Int>, repeatsHead: Bool = false, isRead: Bool = false,
        looks: Looks = Looks()
    ) {
        self.entry = entry
        self.grid = grid
        self.isSelected = isSelected
        self.isMarked = isMarked
        self.hasFocus = hasFocus
        isTarget = target == entry.id || target.flatMap { entry.run?.holds($0) } ?? false
        targetRow = target.flatMap { entry.row(of: $0, in: rows) }
        self.rows = rows
        self.looks = looks
        // Numbers are shown only if they still belong to the same links.
        numbered = looks.links?.message == entry.id && looks.links?.openables == entry.openables ? entry.body.links : []
        shown = (visible.lowerBound, rows.rows(in: visible.clamped(to: 0..<rows.height)))
        lines = MessageView.lines(of: shown.rows, in: entry.body)
        hits = query.map { entry.hits($0, in: rows.text(within: visible)) } ?? [:]
        firstRow = (entry.startsDay ? 1 : 0) + (entry.startsUnread ? 1 : 0)
        repeatingRow = repeatsHead && !grid.isPlain ? visible.lowerBound : nil
        meta = MessageMeta.text(
            of: entry.message, after: rows.metaStart(of: entry, grid), grid: grid, now: looks.now, me: looks.me)
        self.isRead = isRead && looks.me != nil && entry.message.sender?.id == looks.me && !grid.isPlain
        isForUser = looks.own?.isMeant(by: entry.message, within: MessageView.searched) ?? false
    }

    /// The most bytes of a text to search for a mention of the user: they are searched for each frame.
    private static let searched = 10_000

    /// True if a row belongs to the message: it is not a divider above the message.
    func isOfMessage(_ row: Int) -> Bool { row >= firstRow }

    /// True if a row is the divider of a day.
    func isDay(_ row: Int) -> Bool { entry.startsDay && row == 0 }

    func line(_ row: Int) -> Line {
        let line = withMeta(plainLine(row), row)
        // A narrow screen has no column for the mark before the text.
        guard let sideMark, grid.isNarrow, row == firstRow, grid.rightMargin > 1 else { return line }
        return line.justified(with: [sideMark], columns: grid.columns - 1)
    }

    /// The mark in a column that is always reserved: `✓` if others have read the user's own message, or the sign of a message for
    /// the user if the gutter has another mark.
    private var sideMark: Span? {
        if isRead { return Span("✓", .dim) }
        let hidesSign = isForUser && grid.gutter > 0 && gutter(firstRow).text != MessageView.sign.text
        return hidesSign ? MessageView.sign : nil
    }

    /// The mark of a message that mentions the user or replies to the user.
    private static let sign = Span("@", Style(.unread, .bold))

    private func plainLine(_ row: Int) -> Line {
        let isShown = shown.rows.indices.contains(row - shown.start)
        switch (isShown ? shown.rows[row - shown.start] : rows.row(row)).content {
        case .day: return dayLine
        case .unread: return unreadLine
        case .head: return headLine
        case .quote: return line(row, [Span(fitted(quote), .dim)])
        case .attachment(let index): return line(row, [attachment(index)])
        case .meta: return line(row, [Span(meta ?? "", .dim)])
        case .text(let wrapped, let index): return line(row, text(wrapped, of: index))
        case .presence:
            return line(row, [Span(entry.run?.summary(columns: max(1, grid.textColumns)) ?? "", .dim)])
        case .fold(let hidden):
            // The words about an edit are at the end of the text, which is always hidden here.
            return line(row, [Span(fitted(foldText(hidden)), .dim)])
        }
    }

    /// The lines of some rows, by number. Each section is laid out once.
    private static func lines(of rows: [MessageRows.Row], in body: Body) -> [Int: Body.Line] {
        var lines: [Int: Body.Line] = [:]
        var section: (number: Int, lines: [Body.Line])?
        for row in rows {
            guard case .text(_, let line) = row.content, lines[line] == nil else { continue }
            let (number, index) = Body.place(ofLine: line)
            if section?.number != number { section = (number, body.lines(ofSection: number)) }
            lines[line] = section?.lines[index]
        }
        return lines
    }

    private func line(numbered number: Int) -> Body.Line { lines[number] ?? entry.body.line(number) }

    /// The row of a file. While numbers are shown, the number replaces the mark of the file.
    private func attachment(_ index: Int) -> Span {
        guard looks.links?.message == entry.id, let number = looks.links?.number(ofFile: index) else {
            return Span(fitted(entry.attachment(index, inWords: grid.isPlain)), plain)
        }
        return Span(
            fitted(CleanText("[\(number)] ") + entry.attachmentName(index)), Style(.accent))
    }

    private var quote: CleanText {
        guard let quote = entry.quote else { return "" }
        return grid.isPlain ? CleanText("reply to " + quote.string.dropFirst(Entry.quoteMark.count)) : quote
    }

    private func fitted(_ text: CleanText) -> CleanText { text.truncated(to: grid.textColumns) }

    /// The style of a text that a person wrote. System lines are dim.
    private var plain: Style { entry.message.kind == .system || entry.message.isDeleted ? .dim : .plain }

    /// The style of code in such a text.
    private var code: Style { plain == .plain ? Style(.code) : plain }

    private var nameStyle: Style {
        guard let sender = entry.message.sender, entry.message.kind != .system else { return .dim }
        return looks.name(of: sender.id)
    }
}

// MARK: - Beside the text

extension MessageView {
    private func foldText(_ hidden: Fold.Hidden) -> CleanText {
        Fold.text(hidden, isEdited: entry.message.isEdited, key: grid.style.foldKey)
    }

    private var dayLine: Line {
        rule(ruleColumns >= 40 ? entry.date.long : entry.date.medium, .dim)
    }

    private var unreadLine: Line {
        rule(ruleColumns >= 30 ? "\(grid.isPlain ? "unread: " : "")new since you were here" : "new", Style(.unread))
    }

    private var ruleColumns: Int { Line.ruleColumns(grid) }

    private func rule(_ name: String, _ style: Style) -> Line {
        Line(rule: name, style, after: [Span(grid.margin)], grid: grid)
    }

    private var headLine: Line {
        let clock = looks.clock(of: entry)
        var line: Line = [gutter(firstRow), Span(clock, timeStyle)]
        if entry.namesSender {
            let sender = entry.sender ?? "?"
            // Without a blank at the right edge, the sign replaces the one after the time.
            line.append(sideMark.map { grid.rightMargin > 1 || isRead ? Span(" ") : $0 } ?? Span(" "))
            line.append(
                Span(ShownName.fitted(sender, columns: max(1, grid.bodyColumns - clock.columns - 1)), nameStyle))
        }
        return line
    }

    /// A row with the gutter before its text and, on a wide screen, time and sender in the first row.
    private func line(_ row: Int, _ content: Line) -> Line {
        var line: Line = [gutter(row)]
        if !grid.isNarrow {
            let isFirst = row == firstRow
            let columns = looks.columns(of: grid)
            let clock = grid.isPlain ? looks.clock(of: entry) : looks.alignedClock(of: entry)
            let time = isFirst && (looks.showsTime(of: entry) || isTarget || grid.isPlain) ? clock : ""
            let names = isFirst && (entry.startsGroup || grid.isPlain) && entry.namesSender
            let name = names ? ShownName.fitted(entry.sender ?? "?", columns: columns.name - 2) : ""
            let repeats = row == repeatingRow && row >= firstRow
            if repeats, time.isEmpty {
                line.append(Span(clock.padded(to: columns.time), .dim))
            } else {
                line.append(Span(time.padded(to: columns.time), timeStyle))
            }
            if repeats, name.isEmpty, entry.namesSender {
                let name = ShownName.fitted(entry.sender ?? "?", columns: columns.name - 2)
                line = line + nameColumn(name, columns.name, .dim, isFirst: isFirst)
            } else {
                line = line + nameColumn(name, columns.name, nameStyle, isFirst: isFirst)
            }
        }
        line.append(content)
        return line
    }

    /// A name and the blanks after it; the first blank is replaced by the mark, if any.
    private func nameColumn(_ name: CleanText, _ columns: Int, _ style: Style, isFirst: Bool) -> Line {
        guard let sideMark, isFirst, columns > 2 else { return [Span(name.padded(to: columns), style)] }
        return [Span(name.padded(to: columns - 2), style), sideMark, Span(" ")]
    }

    private var timeStyle: Style { isTarget && hasFocus ? Style(.accent, .bold) : .dim }

    private func gutter(_ row: Int) -> Span {
        guard grid.gutter > 0 else { return Span("") }
        // Without colours, the background does not show which messages are selected.
        if isMarked, !isSelected { return Span("│", Style(isForUser ? .unread : .accent)) }
        if isTarget, !isSelected || targetRow != nil, row == targetRow ?? firstRow {
            return Span("►", hasFocus ? Style(.accent, .bold) : .dim)
        }
        // Without colours, only the sign shows that the selected message is for the user.
        if isForUser, row == firstRow, !isSelected || hasFocus {
            return isSelected ? Span("@", Style(.unread, [.bold, .reverse])) : MessageView.sign
        }
        if isSelected { return Span("▌", !hasFocus ? .dim : Style(isForUser ? .unread : .accent)) }
        return Span(" ")
    }
}

// MARK: - Text

extension MessageView {
    private func text(_ row: WrappedRow, of index: Int) -> Line {
        let line = self.line(numbered: index)
        switch line.kind {
        case .fence: return highlighted(row, index, .dim)
        case .code:
            let mark = row.start > 0 ? grid.wrappedCodeMark : grid.codeMark
            return ([Span(mark, .dim)] as Line) + highlighted(row, index, code)
        case .prose:
            let text = highlighted(row, index, line.head.isQuote ? .dim : plain)
            return row.indent > 0 ? ([Span(CleanText.blanks(row.indent))] as Line) + text : text
        }
    }

    /// A row in its styles, with the hits of the query.
    private func highlighted(_ row: WrappedRow, _ index: Int, _ style: Style) -> Line {
        let (shown, labels) = looks.links?.numbered(row, line: index, links: numbered) ?? (row, [])
        var upper: StyledRanges = []
        for label in labels {
            upper.append((label.lowerBound + row.start..<label.upperBound + row.start, Style(.accent, .reverse)))
        }
        if upper.isEmpty { upper = (hits[index] ?? []).map { ($0, Style(.accent, [.bold, .reverse])) } }
        upper = mentions(besides: upper, in: index)
        let styles = line(numbered: index).styles(of: row, base: style, name: nameStyle, upper: upper)
        return shown.text.styled(styles, otherwise: style)
    }

    /// Adds the mentions of the user where nothing else is highlighted.
    private func mentions(besides others: StyledRanges, in index: Int) -> StyledRanges {
        guard isForUser, let own = looks.own else { return others }
        let line = line(numbered: index)
        let mentions = own.mentions(in: line.text.string).filter { mention in
            mention.lowerBound >= line.nameEnd && !others.contains { $0.range.overlaps(mention) }
        }
        let all = others + mentions.map { ($0, Style(.unread, .bold)) }
        return all.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Puts reactions and reply counts at the end of the text.
    private func withMeta(_ line: Line, _ row: Int) -> Line {
        guard let meta, row == rows.metaRow, !rows.hasMetaRow else { return line }
        return line.justified(with: [Span(meta, .dim)], columns: grid.textStart + grid.textColumns)
    }
}

extension Line {
    /// The columns of a rule after the gutter.
    static func ruleColumns(_ grid: Grid) -> Int { max(1, grid.columns - grid.rightMargin - grid.gutter) }

    /// A name in the middle of a rule over the whole width.
    init(rule name: String, _ style: Style, after margin: Line, grid: Grid) {
        let columns = Line.ruleColumns(grid)
        if grid.isPlain {
            self = Line(CleanText(name).truncated(to: columns), style)
            return
        }
        let name = CleanText(" " + name + " ").truncated(to: columns)
        let left = (columns - name.columns) / 2
        self = margin
        append(Span(CleanText.dashes(left), style))
        append(Span(name, style))
        append(Span(CleanText.dashes(columns - name.columns - left), style))
    }
}

extension Entry {
    /// The row of one of the lines of an unfolded run; nil for any other message.
    fileprivate func row(of id: MessageID, in rows: MessageRows) -> Int? {
        guard !isFolded, let line = run?.index(of: id) else { return nil }
        return rows.row(ofPlace: body.lines[line].start)
    }
}

/// Messages as on the screen of `open`, for printing on a terminal.
package enum PrintedMessages {
    /// All rows of the messages, none of them folded.
    /// - Parameters:
    ///   - target: the message that is marked.
    ///   - me: the user.
    ///   - now: for the age of the last reply in a thread.
    package static func lines(
        of messages: [Message], target: MessageID?, columns: Int, zone: Zone, me: PersonID?, now: Timestamp
    ) -> [Line] {
        let grid = Grid(columns: columns, style: GridStyle(zone: zone, preferences: Preferences()))
        let folds = Dictionary(messages.map { ($0.id, false) }) { first, _ in first }
        let looks = Looks(me: me, clockColumns: zone.clockColumns, now: now)
        return Entry.entries(messages, after: nil, zone: zone, folds: folds).flatMap { entry -> [Line] in
            let rows = MessageRows(entry, grid: grid)
            let view = MessageView(
                entry, rows: rows, grid: grid, isSelected: false, target: target, query: nil, visible: 0..<rows.height,
                looks: looks)
            return (0..<rows.height).map(view.line)
        }
    }
}
