import Display
import Markup

/// Ranges of a text with styles: UTF-8 offsets, sorted, without overlaps.
typealias StyledRanges = [(range: Range<Int>, style: Style)]

extension Body.Line {
    /// The styles of a row: the sender of an action, marks, the words about an edit, and above all of them the hits.
    /// - Parameters:
    ///   - base: the style of plain text.
    ///   - upper: ranges that cover all others, as offsets in the line: hits of a query, or numbers of links.
    func styles(of row: WrappedRow, base: Style, name: Style, upper: StyledRanges) -> StyledRanges {
        let part = row.start..<row.start + row.text.string.utf8.count
        var ranges: StyledRanges = [(0..<nameEnd, name)]
        for piece in markup.pieces(in: part) { ranges.append((piece.range, piece.look.style(on: base))) }
        if let markStart { ranges.append((markStart..<Int.max, Style(.standard, .dim))) }
        let upper = upper.filter { $0.range.overlaps(part) }
        var styles: StyledRanges = []
        for (range, style) in ranges.flatMap({ Body.Line.uncovered($0, by: upper) }) + upper {
            let cut = range.clamped(to: part)
            if !cut.isEmpty { styles.append((cut.lowerBound - row.start..<cut.upperBound - row.start, style)) }
        }
        return styles.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The parts of a range that the others do not cover.
    private static func uncovered(_ lower: (range: Range<Int>, style: Style), by upper: StyledRanges) -> StyledRanges {
        var left: StyledRanges = []
        var start = lower.range.lowerBound
        for range in upper.map(\.range) where range.overlaps(start..<max(start, lower.range.upperBound)) {
            if range.lowerBound > start { left.append((start..<range.lowerBound, lower.style)) }
            start = range.upperBound
        }
        if start < lower.range.upperBound { left.append((start..<lower.range.upperBound, lower.style)) }
        return left
    }
}

extension Markup.Look {
    /// The marks set weight and slant. Code has a colour, since it may be bold or italic too.
    func style(on base: Style) -> Style {
        if contains(.mark) || contains(.address) { return Style(.standard, .dim) }
        if contains(.code) { return Style(.code, base.attributes) }
        var style = base
        if contains(.bold) { style.attributes.insert(.bold) }
        if contains(.italic) { style.attributes.insert(.italic) }
        if contains(.struck) { style.attributes.insert(.dim) }
        if contains(.link) {
            style.attributes.insert(.underline)
            if style.color == .standard, !style.attributes.contains(.dim) { style.color = .accent }
        }
        return style
    }
}
