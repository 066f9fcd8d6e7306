/// A row of wrapped text.
package struct WrappedRow: Hashable, Sendable {
    package var text: CleanText
    /// The UTF-8 offset of the row's first byte in the `string` of the wrapped text.
    package var start: Int
    /// Blank columns before the text, which are no part of it.
    package var indent: Int

    package init(text: CleanText, start: Int, indent: Int = 0) {
        self.text = text
        self.start = start
        self.indent = indent
    }

    /// The columns of the text and its indent.
    package var columns: Int { indent + text.columns }
}

/// Wraps a line into rows of at most `columns`, between words (less than one counts as one). Never empty.
///
/// Blanks at a break are not drawn; those before the first word are kept. A word wider than a row is broken between
/// clusters, after punctuation if that fills more than half of the row. Every other cluster is drawn exactly once, in
/// order, and `start` rises strictly from 0. A cluster of two columns becomes "?" in a row of one.
package func wrap(_ text: CleanText, columns: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    if text.columns <= limit { return [WrappedRow(text: text, start: 0)] }
    return text.isASCII ? WordWrapper.rowsOfASCII(text, limit) : WordWrapper.rows(text, limit)
}

/// Wraps a line of code into rows of at most `columns` (less than one counts as one): anywhere between clusters,
/// keeping all blanks. Never empty. A cluster of two columns becomes "?" in a row of one.
package func hardWrap(_ text: CleanText, columns: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    if text.columns <= limit { return [WrappedRow(text: text, start: 0)] }
    var rows: [WrappedRow] = []
    if text.isASCII {
        for start in stride(from: 0, to: text.columns, by: limit) {
            let end = min(start + limit, text.columns)
            rows.append(WrappedRow(text: text.slice(start..<end, columns: end - start), start: start))
        }
        return rows
    }
    var start = 0
    var end = 0
    var width = 0
    func finishRow() {
        if end > start { rows.append(row(of: text, start..<end, width, limit)) }
        start = end
        width = 0
    }
    for cluster in Clusters(text) {
        if width + cluster.columns > limit { finishRow() }
        width += cluster.columns
        end = cluster.bytes.upperBound
    }
    finishRow()
    return rows
}

/// A row of the text; only a single cluster of two columns, in a row of one, can be too wide.
func row(of text: CleanText, _ bytes: Range<Int>, _ columns: Int, _ limit: Int) -> WrappedRow {
    WrappedRow(text: columns > limit ? "?" : text.slice(bytes, columns: columns), start: bytes.lowerBound)
}
