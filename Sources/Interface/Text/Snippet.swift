import Display

/// The part of a text in a list: one row around the first hit.
struct Snippet {
    /// The number of bytes on either side of the first hit that are looked at.
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

    /// Cuts the beginning if the hit would stand beyond the middle of the row.
    func line(columns: Int) -> Line {
        let room = before.columns + min(rest.columns, columns / 2) <= columns && !isCut ? before.columns : columns / 3
        guard before.columns > room else {
            return ([Span(before, style)] as Line) + rest.truncated(to: columns - before.columns)
        }
        let kept = "…" + Snippet.fromWord(before.suffix(columns: max(0, room - 1)))
        return ([Span(kept, style)] as Line) + rest.truncated(to: columns - kept.columns)
    }

    /// The text from its first whole word on, unless that word is far.
    private static func fromWord(_ text: CleanText) -> CleanText {
        let bytes = text.string.utf8
        guard let blank = bytes.prefix(12).firstIndex(of: UInt8(ascii: " ")),
            blank < bytes.index(before: bytes.endIndex)
        else { return text }
        return CleanText(text.string[bytes.index(after: blank)...])
    }
}
