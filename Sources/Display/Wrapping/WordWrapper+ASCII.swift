extension WordWrapper {
    /// The hot path: it makes the same rows as for other text, but looks only at the words around the breaks.
    static func rowsOfASCII(_ text: CleanText, _ limit: Int) -> [WrappedRow] {
        let bytes = text.string.utf8.span
        var rows: [WrappedRow] = []
        rows.reserveCapacity(bytes.count / limit + 2)
        var start = 0
        // The row's first word. In the first row it may follow blanks, at which the row must not break.
        var word = afterBlanks(bytes, 0)
        while bytes.count - start > limit {
            let full = start + limit
            var end = full
            var resume: Int
            if word >= full {
                resume = word
            } else {
                while end > word && bytes[end] != blank { end -= 1 }
                if end > word {
                    resume = afterBlanks(bytes, end)
                    while bytes[end - 1] == blank { end -= 1 }
                } else {
                    end = softEnd(bytes, word, start, limit)
                    resume = end
                }
            }
            rows.append(WrappedRow(text: text.slice(start..<end, columns: end - start), start: start))
            if resume == bytes.count { return rows }
            start = resume
            word = resume
        }
        rows.append(WrappedRow(text: text.slice(start..<bytes.count, columns: bytes.count - start), start: start))
        return rows
    }

    private static var blank: UInt8 { UInt8(ascii: " ") }

    private static func afterBlanks(_ bytes: borrowing Swift.Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count && bytes[index] == blank { index += 1 }
        return index
    }

    /// Where to break a word that is wider than its row.
    private static func softEnd(
        _ bytes: borrowing Swift.Span<UInt8>, _ word: Int, _ start: Int, _ limit: Int
    ) -> Int {
        var end = start + limit
        while end > word && (end - start) * 2 > limit {
            if allowsBreakAfter(Unicode.Scalar(bytes[end - 1])) { return end }
            end -= 1
        }
        return start + limit
    }
}
