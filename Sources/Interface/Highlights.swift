import Display
import Messages
import Search

extension Entry {
    /// What a query speaks of in each line of the text, as UTF-8 offsets in the line. What is drawn with a text but is
    /// not said in it (who acts, that it was edited) is not looked at, as the store does not look at it.
    func hits(_ query: Query) -> [[Range<Int>]] {
        guard !message.isDeleted, !query.isEmpty else { return [] }
        var text = ""
        var spans: [(start: Int, range: Range<Int>)] = []
        for line in body.lines {
            let bytes = line.text.string.utf8
            let range = line.nameEnd..<max(line.nameEnd, line.markStart ?? bytes.count)
            spans.append((text.utf8.count, range))
            text += String(Substring(bytes.prefix(range.upperBound).dropFirst(range.lowerBound))) + "\n"
        }
        let hits = query.hits(in: text)
        var next = 0
        return spans.map { start, range in
            let line = start..<start + range.count
            while next < hits.count, hits[next].upperBound <= line.lowerBound { next += 1 }
            // A phrase may go on in the line below, where it is met again.
            let inLine = hits[next...].prefix { $0.lowerBound < line.upperBound }
            return inLine.map { hit in
                let cut = hit.clamped(to: line)
                return cut.lowerBound - start + range.lowerBound..<cut.upperBound - start + range.lowerBound
            }
        }
    }
}

extension CleanText {
    /// Some ranges in styles of their own, everything between them in another.
    /// - Parameter ranges: UTF-8 offsets, sorted, between whole characters; of overlapping ones the first counts.
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

extension Line {
    static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }
}

/// What a list shows of a text: one row around the first hit.
struct Snippet {
    /// Bytes of the text that are looked at on either side of the first hit.
    private static let reach = 600

    private let before: CleanText
    private let rest: Line

    /// - Parameter hits: UTF-8 offsets in the text, sorted, between whole characters.
    init(_ text: String, hits: [Range<Int>], style: Style, hitStyle: Style) {
        let bytes = text.utf8
        func piece(_ range: Range<Int>) -> CleanText {
            // Cut inside a character, its rest is shown as what cannot be read.
            let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
            let end = bytes.index(start, offsetBy: range.count)
            return CleanText(text[Snippet.whole(start, in: text)..<Snippet.whole(end, in: text)])
        }
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

    /// Where the hit would stand beyond the middle, the beginning is left out.
    func line(columns: Int) -> Line {
        let room = before.columns + min(rest.columns, columns / 2) <= columns && !isCut ? before.columns : columns / 3
        guard before.columns > room else {
            return ([Span(before, style)] as Line) + rest.truncated(to: columns - before.columns)
        }
        let kept = "…" + Snippet.fromWord(before.suffix(columns: max(0, room - 1)))
        return ([Span(kept, style)] as Line) + rest.truncated(to: columns - kept.columns)
    }

    /// From the first whole word on, unless that is far.
    private static func fromWord(_ text: CleanText) -> CleanText {
        let bytes = text.string.utf8
        guard let blank = bytes.prefix(12).firstIndex(of: UInt8(ascii: " ")),
            blank < bytes.index(before: bytes.endIndex)
        else { return text }
        return CleanText(text.string[bytes.index(after: blank)...])
    }

    /// The start of the character that a place lies in.
    private static func whole(_ index: String.Index, in text: String) -> String.Index {
        var index = index
        while index > text.startIndex, index.samePosition(in: text.unicodeScalars) == nil {
            index = text.utf8.index(before: index)
        }
        return index
    }
}
