import Display
import Messages
import Search

/// The part of a text in a list: one row around the first hit.
struct Snippet {
    /// The number of bytes to read on either side of the first hit.
    private static let reach = 600

    private let before: CleanText
    private let rest: Line

    /// - Parameter hits: UTF-8 offsets in the text, sorted, between whole characters.
    init(_ text: String, hits: [Range<Int>], style: Style, hitStyle: Style) {
        let bytes = text.utf8
        func piece(_ range: Range<Int>) -> CleanText { CleanText(text.whole(range).text) }
        let first = hits.first?.lowerBound ?? 0
        before = piece(max(0, first - Snippet.reach)..<first)
        let last = min(bytes.count, first + Snippet.reach)
        var start = first
        var spans: [Span] = []
        for hit in hits where hit.upperBound <= last {
            spans.append(Span(piece(start..<hit.lowerBound), style))
            spans.append(Span(piece(hit), hitStyle))
            start = hit.upperBound
        }
        spans.append(Span(piece(start..<max(start, last)), style))
        rest = Line(spans.filter { !$0.text.isEmpty })
        self.style = style
        isCut = first > Snippet.reach
    }

    private let style: Style
    private let isCut: Bool

    /// The line. Its beginning is cut if the hit would be in the second half.
    func line(columns: Int) -> Line {
        let room = before.columns + min(rest.columns, columns / 2) <= columns && !isCut ? before.columns : columns / 3
        guard before.columns > room else {
            return ([Span(before, style)] as Line) + rest.truncated(to: columns - before.columns)
        }
        let kept = "…" + Snippet.fromWord(before.suffix(columns: max(0, room - 1)))
        return ([Span(kept, style)] as Line) + rest.truncated(to: columns - kept.columns)
    }

    /// The text from its first whole word on, unless that word begins far from the cut.
    private static func fromWord(_ text: CleanText) -> CleanText {
        let bytes = text.string.utf8
        guard let blank = bytes.prefix(12).firstIndex(of: UInt8(ascii: " ")),
            blank < bytes.index(before: bytes.endIndex)
        else { return text }
        return CleanText(text.string[bytes.index(after: blank)...])
    }
}

/// The beginnings of the rows of a text at one width, up to some place. A row depends only on the text before it, so the
/// beginnings before a change stay valid.
struct RowStarts: Hashable, Sendable {
    private(set) var columns: Int
    /// Ascending. The first one is 0.
    private var starts = [0]

    /// A row of characters without columns ends after this number of characters.
    private static let longest = 4_096

    init(columns: Int) { self.columns = columns }

    /// Finds the beginnings of the rows up to the row of a place.
    mutating func extend(to place: Int, in characters: [Character]) {
        while let last = starts.last, last <= place {
            guard let next = RowStarts.end(of: characters, from: last, columns: columns).following, next <= place else {
                return
            }
            starts.append(next)
        }
    }

    /// Forgets the rows after a changed place.
    mutating func forget(from place: Int) {
        // Forgets the row of the place, and the row before it, which may have room for the changed word. And one more, since
        // characters without columns may be between the two.
        starts.removeSubrange(max(1, count(upTo: place) - 2)...)
    }

    /// The row of a place, if that row is known.
    func row(of place: Int) -> Int { count(upTo: place) - 1 }

    func start(of row: Int) -> Int { starts[row] }

    /// The number of rows that begin at a place or before it; at least one.
    private func count(upTo place: Int) -> Int {
        starts.dropFirst().partitioningIndex { $0 > place }
    }

    /// The end of the row that begins at a place, and the beginning of the next row.
    static func end(of characters: [Character], from start: Int, columns: Int) -> (end: Int, following: Int?) {
        var width = 0
        var place = start
        var lastBlank: Int?
        while place < characters.count, characters[place] != "\n" {
            let columnsOfThis = RowStarts.columns(of: characters[place])
            // The last column is kept free for the cursor.
            if width + columnsOfThis > columns - 1 || place - start >= longest, place > start {
                let split = lastBlank.map { $0 + 1 } ?? place
                return (split, split)
            }
            if characters[place].isWhitespace { lastBlank = place }
            width += columnsOfThis
            place += 1
        }
        return (place, place < characters.count ? place + 1 : nil)
    }

    static func columns(of character: Character) -> Int {
        // A character of one byte always has one column in these texts.
        character.utf8.count == 1 ? 1 : CleanText(String(character)).columns
    }
}

/// The size of a file or of a text, as shown to the user.
enum ByteCount {
    /// `1.2 kB`
    static func label(_ count: Int64) -> String {
        guard count >= 1_000 else { return "\(max(0, count)) B" }
        var value = count / 100
        for unit in ["kB", "MB", "GB"] {
            if value < 10_000 { return value < 100 ? "\(value / 10).\(value % 10) \(unit)" : "\(value / 10) \(unit)" }
            value /= 1_000
        }
        return "\(value / 10) TB"
    }
}

/// A time in a list: the clock for today, the day and month for this year, else the date.
enum When {
    static func columns(_ zone: Zone) -> Int { 7 + zone.clockColumns }

    static func label(_ moment: Timestamp, now: Timestamp, zone: Zone) -> CleanText {
        let civil = zone.civil(moment)
        let today = zone.civil(now).date
        if civil.date == today { return CleanText(zone.clock(civil)) }
        if civil.date.year == today.year { return CleanText("\(civil.date.dayAndMonth) \(zone.clock(civil))") }
        return CleanText(civil.date.short)
    }
}

extension Line {
    func centered(in columns: Int) -> Line {
        let line = truncated(to: columns)
        var centered: Line = [Span(CleanText.blanks((columns - line.columns) / 2))]
        centered.append(line)
        return centered
    }

    /// The line with `right` at the right end, cut if both do not fit.
    func justified(with right: Line, columns: Int) -> Line {
        let right = right.truncated(to: columns)
        var line = padded(to: columns - right.columns)
        line.append(right)
        return line
    }
}

extension CleanText {
    static func dashes(_ count: Int) -> CleanText { CleanText(String(repeating: "─", count: max(0, count))) }
}

extension Line {
    static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }
}

extension CleanText {
    /// The text with some ranges in their own styles, and the rest in another style.
    /// - Parameter ranges: UTF-8 offsets, sorted, between whole characters. If two overlap, the first counts.
    func styled(_ ranges: [(range: Range<Int>, style: Style)], otherwise style: Style) -> Line {
        guard !ranges.isEmpty else { return [Span(self, style)] }
        let bytes = string.utf8
        var spans: [Span] = []
        var start = 0
        func add(_ end: Int, _ style: Style) {
            guard end > start else { return }
            spans.append(Span(CleanText(Substring(bytes.prefix(end).dropFirst(start))), style))
            start = end
        }
        for (range, rangeStyle) in ranges where range.upperBound > start {
            add(max(start, range.lowerBound), style)
            add(min(range.upperBound, bytes.count), rangeStyle)
        }
        add(bytes.count, style)
        return Line(spans)
    }
}

extension String {
    /// The part of the text in a range of bytes, whose ends are moved to the beginnings of scalars.
    func whole(_ range: Range<Int>) -> (text: Substring, range: Range<Int>) {
        let start = scalarStart(range.lowerBound)
        let end = max(start, scalarStart(range.upperBound))
        return (
            self[start..<end],
            utf8.distance(from: startIndex, to: start)..<utf8.distance(from: startIndex, to: end)
        )
    }

    private func scalarStart(_ offset: Int) -> String.Index {
        var index = utf8.index(startIndex, offsetBy: min(max(0, offset), utf8.count))
        while index > startIndex, index < endIndex, index.samePosition(in: unicodeScalars) == nil {
            index = utf8.index(before: index)
        }
        return index
    }
}
