import Display
import Messages
import Search

extension Entry {
    /// Bytes that are looked at on either side of what is to be drawn: words and phrases that are cut there are out of
    /// sight.
    private static let reach = 2_048

    /// What a query speaks of in a part of the text: for each line UTF-8 offsets in it. What is drawn with a text but is not
    /// said in it (who acts, that it was edited) is not looked at, as the store does not look at it.
    /// - Parameter part: in bytes of the body, as the places of rows are.
    func hits(_ query: ResolvedQuery, in part: Range<Int>) -> [Int: [Range<Int>]] {
        guard !query.query.required.isEmpty, query.accepts(message) else { return [:] }
        let part = max(0, part.lowerBound - Entry.reach)..<part.upperBound + Entry.reach
        var text = ""
        var spans: [(line: Int, start: Int, range: Range<Int>)] = []
        for (index, line) in body.lines.enumerated() where line.start < part.upperBound {
            let bytes = line.text.string.utf8.count
            let said = line.nameEnd..<max(line.nameEnd, line.markStart ?? bytes)
            let range = said.clamped(to: part.lowerBound - line.start..<part.upperBound - line.start)
            guard !range.isEmpty else { continue }
            let piece = line.text.spelled.whole(range)
            spans.append((index, text.utf8.count, piece.range))
            text += piece.text + "\n"
        }
        return Dictionary(uniqueKeysWithValues: Entry.lines(query.query.occurrences(in: text), spans))
    }

    /// Gives each line its part of the hits; both are sorted.
    private static func lines(
        _ hits: [Range<Int>], _ spans: [(line: Int, start: Int, range: Range<Int>)]
    ) -> [(Int, [Range<Int>])] {
        var next = 0
        return spans.map { line, start, range in
            let place = start..<start + range.count
            while next < hits.count, hits[next].upperBound <= place.lowerBound { next += 1 }
            // A phrase may go on in the line below, where it is met again.
            let inLine = hits[next...].prefix { $0.lowerBound < place.upperBound }
            return (
                line,
                inLine.map { hit in
                    let cut = hit.clamped(to: place)
                    return cut.lowerBound - start + range.lowerBound..<cut.upperBound - start + range.lowerBound
                }
            )
        }
    }
}

extension String {
    /// A part, given in bytes, from and to the beginnings of scalars.
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
}
