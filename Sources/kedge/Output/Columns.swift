import Display

/// Columns that are as wide as their widest cell so far: rows may come in batches.
struct Columns {
    private var widths: [Int] = []

    mutating func aligned(_ rows: [[Cell]], hasColor: Bool) -> [String] {
        let clean = rows.map { row in row.map(Columns.pieces) }
        for row in clean {
            for (column, pieces) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], pieces.reduce(0) { $0 + $1.text.columns })
            }
        }
        return clean.map { row in
            row.enumerated().map { column, pieces in
                let columns = pieces.reduce(0) { $0 + $1.text.columns }
                let blanks = CleanText.blanks(column == row.count - 1 ? 0 : widths[column] - columns).string
                let text = pieces.map { hasColor ? Columns.colored($0.text.string, $0.role) : $0.text.string }.joined()
                let isRight = pieces.first.map { [.number, .headingOfNumbers].contains($0.role) } ?? false
                return isRight ? blanks + text : text + blanks
            }.joined(separator: "  ")
        }
    }

    /// The scrubbed text of a cell, cut at the edges of its hits.
    private static func pieces(of cell: Cell) -> [(text: CleanText, role: Cell.Role)] {
        var pieces: [(text: CleanText, role: Cell.Role)] = []
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
