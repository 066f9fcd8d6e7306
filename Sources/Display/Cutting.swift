extension CleanText {
    /// The first `limit` columns. Never splits a cluster, so it may be one column short.
    package func prefix(columns limit: Int) -> CleanText {
        guard columns > limit else { return self }
        guard limit > 0 else { return .empty }
        if isASCII { return slice(0..<limit, columns: limit) }
        var end = 0
        var width = 0
        for cluster in Clusters(self) {
            guard width + cluster.columns <= limit else { break }
            width += cluster.columns
            end = cluster.bytes.upperBound
        }
        return slice(0..<end, columns: width)
    }

    /// The last `limit` columns. Never splits a cluster, so it may be some columns short.
    package func suffix(columns limit: Int) -> CleanText {
        guard columns > limit else { return self }
        guard limit > 0 else { return .empty }
        if isASCII { return slice(columns - limit..<columns, columns: limit) }
        var start = 0
        var width = columns
        for cluster in Clusters(self) {
            guard width > limit else { break }
            width -= cluster.columns
            start = cluster.bytes.upperBound
        }
        return slice(start..<string.utf8.count, columns: width)
    }

    /// At most `limit` columns. When something is cut, "…" takes its place.
    package func truncated(to limit: Int) -> CleanText {
        guard columns > limit else { return self }
        guard limit > 0 else { return .empty }
        let ellipsis: CleanText = "…"
        return prefix(columns: limit - ellipsis.columns) + ellipsis
    }

    /// Exactly `limit` columns: truncated, or followed by spaces. Empty when `limit` is negative.
    package func padded(to limit: Int) -> CleanText {
        let text = truncated(to: limit)
        return text.columns < limit ? text + .blanks(limit - text.columns) : text
    }

    /// A number of spaces; none when `count` is negative.
    package static func blanks(_ count: Int) -> CleanText {
        count > 0 ? CleanText(scrubbed: String(repeating: " ", count: count), columns: count) : .empty
    }

    /// The clusters within a range of UTF-8 offsets, which must lie between clusters.
    func slice(_ bytes: Range<Int>, columns: Int) -> CleanText {
        let utf8 = string.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: bytes.lowerBound)
        let end = utf8.index(start, offsetBy: bytes.count)
        return CleanText(scrubbed: String(string[start..<end]), columns: columns)
    }
}
