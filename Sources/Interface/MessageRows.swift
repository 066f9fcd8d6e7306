import Timeline
import Display
import Messages

/// The rows that an entry takes at one width, from the top, each with its place. Measuring and drawing both go by it, so
/// that they cannot disagree.
struct MessageRows: Measurement {
    enum Content {
        case day
        /// What is below is new.
        case unread
        /// Time and sender above the text, on a narrow screen.
        case head
        case quote
        case text(WrappedRow, line: Int)
        /// Where so many rows of text are folded away.
        case fold(Int)
        case attachment(Int)
    }

    struct Row {
        let content: Content
        let place: Int
    }

    let rows: [Row]
    /// Whether folding takes rows away.
    let canFold: Bool

    // What stands above the text has places below 0, and what stands below it places that no text reaches.
    private static let dayPlace = -4
    private static let unreadPlace = -3
    private static let headPlace = -2
    private static let quotePlace = -1
    private static let attachmentPlace = Int.max / 2

    init(_ entry: Entry, grid: Grid) {
        var rows: [Row] = []
        if entry.startsDay { rows.append(Row(content: .day, place: MessageRows.dayPlace)) }
        if entry.startsUnread { rows.append(Row(content: .unread, place: MessageRows.unreadPlace)) }
        if grid.isNarrow, entry.showsHead { rows.append(Row(content: .head, place: MessageRows.headPlace)) }
        if entry.quote != nil { rows.append(Row(content: .quote, place: MessageRows.quotePlace)) }
        let firstOfText = rows.count
        for (index, line) in entry.body.lines.enumerated() {
            let wrapped =
                line.kind == .prose
                ? wrap(line.text, columns: grid.textColumns, hanging: line.head.hang)
                : hardWrap(line.text, columns: grid.codeColumns)
            for row in wrapped {
                rows.append(Row(content: .text(row, line: index), place: line.start + row.start))
            }
        }
        canFold = rows.count - firstOfText > Fold.rows + 1
        if entry.isFolded, canFold {
            let hidden = rows[(firstOfText + Fold.rows)...]
            let fold = Row(content: .fold(hidden.count), place: hidden[hidden.startIndex].place)
            rows.removeSubrange(hidden.indices)
            rows.append(fold)
        }
        for index in entry.attachments.indices {
            rows.append(Row(content: .attachment(index), place: MessageRows.attachmentPlace + index))
        }
        self.rows = rows
    }

    var height: Int { rows.count }

    func place(ofRow row: Int) -> Int { rows[row].place }

    func row(ofPlace place: Int) -> Int {
        // The last one that begins at the place or before it: they begin at rising places.
        var low = 0
        var high = rows.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if rows[middle].place <= place { low = middle } else { high = middle }
        }
        return low
    }

    /// The part of the text that stands in some of the rows, in bytes of the body.
    func text(within range: Range<Int>) -> Range<Int> {
        var part: Range<Int>?
        for row in rows[range.clamped(to: 0..<rows.count)] {
            guard case .text(let wrapped, _) = row.content else { continue }
            part = (part?.lowerBound ?? row.place)..<row.place + wrapped.text.string.utf8.count
        }
        return part ?? 0..<0
    }
}

extension Entry {
    /// Whether the time stands beside it: for the first of a group and when a minute has passed.
    var showsTime: Bool { startsGroup || startsMinute }

    /// Whether the sender stands beside or above the text. An action names its sender itself.
    var namesSender: Bool { message.kind == .text || message.kind == .system && sender != nil }

    /// Whether a narrow screen gives time and sender a row of their own.
    var showsHead: Bool { namesSender ? showsTime : startsMinute }
}

/// Measures entries at one width.
struct MessageRuler: Ruler {
    let grid: Grid

    init(grid: Grid) { self.grid = grid }

    func measure(_ entry: Entry) -> MessageRows { MessageRows(entry, grid: grid) }
}
