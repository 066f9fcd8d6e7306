import Display

/// Columns that are as wide as their widest cell so far: rows may come in batches.
struct Columns {
    private typealias Pieces = [(text: CleanText, role: Cell.Role)]

    private var widths: [Int] = []

    /// - Parameter limit: the columns in which the last cells are wrapped between words; nil leaves them as they are.
    mutating func aligned(_ rows: [[Cell]], hasColor: Bool, limit: Int? = nil) -> [String] {
        let clean = rows.map { row in row.map(Columns.pieces) }
        for row in clean {
            for (column, pieces) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], pieces.reduce(0) { $0 + $1.text.columns })
            }
        }
        return clean.map { row in
            let cells = row.enumerated().map { column, pieces in
                let columns = pieces.reduce(0) { $0 + $1.text.columns }
                let blanks = CleanText.blanks(column == row.count - 1 ? 0 : widths[column] - columns).string
                let text = Columns.text(of: pieces, hasColor: hasColor)
                let isRight = pieces.first.map { [.number, .headingOfNumbers].contains($0.role) } ?? false
                return isRight ? blanks + text : text + blanks
            }
            guard let limit, let last = row.last else { return cells.joined(separator: "  ") }
            return cells.dropLast().map { $0 + "  " }.joined() + wrapped(last, hasColor: hasColor, limit: limit)
        }
    }

    private static func text(of pieces: Pieces, hasColor: Bool) -> String {
        pieces.map { hasColor ? colored($0.text.string, $0.role) : $0.text.string }.joined()
    }

    /// The last cell in rows: beside the other cells, or below them where they leave little room.
    private func wrapped(_ pieces: Pieces, hasColor: Bool, limit: Int) -> String {
        let whole = pieces.reduce(CleanText.empty) { $0 + $1.text }
        let start = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        if start + whole.columns <= limit { return Columns.text(of: pieces, hasColor: hasColor) }
        let isBeside = limit - start >= Columns.leastBeside
        let indent = isBeside ? start : Columns.indentBelow
        let rows = wrap(whole, columns: max(Columns.leastBeside, limit - indent)).map { row in
            let end = row.start + row.text.string.utf8.count
            return Columns.text(of: Columns.cut(pieces, to: row.start..<end), hasColor: hasColor)
        }
        let gap = "\n" + CleanText.blanks(indent).string
        return (isBeside ? "" : gap) + rows.joined(separator: gap)
    }

    private static let leastBeside = 24
    private static let indentBelow = 4

    /// The parts of the pieces within a range of UTF-8 offsets in all of them.
    private static func cut(_ pieces: Pieces, to range: Range<Int>) -> Pieces {
        var start = 0
        return pieces.compactMap { text, role in
            let bytes = text.string.utf8
            defer { start += bytes.count }
            let part = range.clamped(to: start..<start + bytes.count)
            guard !part.isEmpty else { return nil }
            return (CleanText(Substring(bytes.dropFirst(part.lowerBound - start).prefix(part.count))), role)
        }
    }

    /// The scrubbed text of a cell, cut at the edges of its hits.
    private static func pieces(of cell: Cell) -> Pieces {
        var pieces: Pieces = []
        let utf8 = cell.text.utf8
        var start = utf8.startIndex
        for hit in cell.hits {
            let lower = utf8.index(utf8.startIndex, offsetBy: hit.lowerBound)
            let upper = utf8.index(lower, offsetBy: hit.count)
            if start < lower { pieces.append((CleanText(cell.text[start..<lower]), cell.role)) }
            pieces.append((CleanText(cell.text[lower..<upper]), .hit))
            start = upper
        }
        if start < utf8.endIndex || pieces.isEmpty { pieces.append((CleanText(cell.text[start...]), cell.role)) }
        return pieces
    }

    private static func colored(_ text: String, _ role: Cell.Role) -> String {
        switch role {
        case .text, .number: text
        case .name: "\u{1B}[36m\(text)\u{1B}[0m"
        case .time, .heading, .headingOfNumbers: "\u{1B}[2m\(text)\u{1B}[0m"
        case .target: "\u{1B}[1m\(text)\u{1B}[0m"
        case .hit: "\u{1B}[1;36m\(text)\u{1B}[0m"
        }
    }
}
