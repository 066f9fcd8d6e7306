/// A row of wrapped text.
package struct WrappedRow: Hashable, Sendable {
    package var text: CleanText
    /// The UTF-8 offset of the row's first byte in the `string` of the text that was wrapped.
    package var start: Int
    /// Blank columns before it, which are no part of the text.
    package var indent: Int

    package init(text: CleanText, start: Int, indent: Int = 0) {
        self.text = text
        self.start = start
        self.indent = indent
    }

    /// Those of the text and of what stands before it.
    package var columns: Int { indent + text.columns }
}

/// Breaks a line between words into rows of at most `columns` (less than one is taken as one). Never empty.
///
/// Blanks at a break are not drawn; those before the first word are kept. Words wider than a row are broken between
/// clusters, after punctuation if that leaves more than half a row filled. Each other cluster is drawn exactly once,
/// in order, and `start` rises strictly from 0. A cluster of two columns that is given one becomes "?".
package func wrap(_ text: CleanText, columns: Int) -> [WrappedRow] {
    let limit = max(1, columns)
    if text.columns <= limit { return [WrappedRow(text: text, start: 0)] }
    return text.isASCII ? WordWrapper.rowsOfASCII(text, limit) : WordWrapper.rows(text, limit)
}

/// Breaks a line of code into rows of at most `columns` (less than one is taken as one): anywhere between clusters,
/// keeping all blanks. Never empty. A cluster of two columns that is given one becomes "?".
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

/// A row; only a single cluster of two columns in a row of one can be too wide.
func row(of text: CleanText, _ bytes: Range<Int>, _ columns: Int, _ limit: Int) -> WrappedRow {
    WrappedRow(text: columns > limit ? "?" : text.slice(bytes, columns: columns), start: bytes.lowerBound)
}
