import Display

/// The rows of a text that is being written, around the cursor.
struct TextAreaRows {
    struct Row {
        let range: Range<Int>
        let text: CleanText
    }

    let rows: [Row]
    let cursor: (row: Int, column: Int)
    private let characters: [Character]

    /// - Parameters:
    ///   - cursor: the number of characters before the cursor.
    ///   - starts: known at least up to the row of the cursor.
    ///   - height: the most rows before and after that of the cursor.
    init(_ characters: [Character], cursor place: Int, starts: RowStarts, height: Int) {
        self.characters = characters
        let own = starts.row(of: place)
        let first = max(0, own - height)
        var rows: [Row] = []
        var start: Int? = starts.start(of: first)
        while let next = start, rows.count <= own - first + height {
            let (end, following) = RowStarts.end(of: characters, from: next, columns: starts.columns)
            rows.append(Row(range: next..<end, text: CleanText(String(characters[next..<end]))))
            start = following
        }
        let before = characters[starts.start(of: own)..<place]
        self.rows = rows
        cursor = (own - first, min(starts.columns - 1, CleanText(String(before)).columns))
    }

    /// The place of a column in a row; the end of the row if it is shorter.
    func place(row: Int, column: Int) -> Int {
        let range = rows[row].range
        var width = 0
        for place in range {
            width += RowStarts.columns(of: characters[place])
            if width > column { return place }
        }
        // The end of a wrapped row is already the beginning of the next one.
        let goesOn = row + 1 < rows.count && rows[row + 1].range.lowerBound == range.upperBound
        return goesOn ? max(range.lowerBound, range.upperBound - 1) : range.upperBound
    }
}
