/// Finds the rows for `wrap` in one pass over the clusters.
struct WordWrapper {
    /// A place in the current row: an offset in the text, and the columns from the row's start to it.
    private struct Place {
        var offset: Int
        var columns: Int
    }

    private let text: CleanText
    private let limit: Int
    private var rows: [WrappedRow] = []
    private var rowStart = 0
    /// The columns of the row so far, with blanks at its end, which may exceed the limit.
    private var columns = 0
    /// The end of the last word of the row; nil when it has none yet.
    private var drawn: Place?
    /// The last place to break between words: where the row would end, and where the next one would start.
    private var candidate: (end: Place, resume: Place)?
    /// The last good place to break within a word.
    private var soft: Place?
    private var previous: Cluster?

    static func rows(_ text: CleanText, _ limit: Int) -> [WrappedRow] {
        var wrapper = WordWrapper(text, limit)
        for cluster in Clusters(text) { wrapper.add(cluster) }
        return wrapper.finish()
    }

    private init(_ text: CleanText, _ limit: Int) {
        self.text = text
        self.limit = limit
    }

    private mutating func add(_ cluster: Cluster) {
        if !Self.isBlank(cluster) {
            let place = Place(offset: cluster.bytes.lowerBound, columns: columns)
            noteBreak(before: cluster, at: place)
            makeRoom(for: cluster, at: place.offset)
            drawn = Place(offset: cluster.bytes.upperBound, columns: columns + cluster.columns)
            if Self.allowsBreakAfter(cluster.base) { soft = drawn }
        }
        columns += cluster.columns
        previous = cluster
    }

    private mutating func noteBreak(before cluster: Cluster, at place: Place) {
        guard let previous else { return }
        guard let drawn else {
            // Blanks before the first word stay in its row, unless they fill it.
            if columns >= limit {
                rows.append(WrappedRow(text: text.prefix(columns: limit), start: 0))
                startRow(at: place)
            }
            return
        }
        if Self.isBlank(previous) {
            candidate = (drawn, place)
        } else if Self.canBreak(between: previous, cluster) {
            candidate = (place, place)
        }
    }

    /// Ends rows until the cluster fits, or has one to itself.
    private mutating func makeRoom(for cluster: Cluster, at offset: Int) {
        while columns + cluster.columns > limit && offset > rowStart {
            if let (end, resume) = candidate {
                endRow(at: end, resume: resume)
            } else if let soft, soft.columns * 2 > limit {
                endRow(at: soft, resume: soft)
            } else {
                let place = Place(offset: offset, columns: columns)
                endRow(at: place, resume: place)
            }
        }
    }

    private mutating func endRow(at end: Place, resume: Place) {
        rows.append(row(of: text, rowStart..<end.offset, end.columns, limit))
        startRow(at: resume)
    }

    private mutating func startRow(at place: Place) {
        rowStart = place.offset
        columns -= place.columns
        candidate = nil
        if let end = soft, end.offset > place.offset {
            soft = Place(offset: end.offset, columns: end.columns - place.columns)
        } else {
            soft = nil
        }
    }

    private mutating func finish() -> [WrappedRow] {
        let bytes = text.string.utf8.count
        if columns <= limit || drawn == nil {
            let rest = text.slice(rowStart..<bytes, columns: columns)
            rows.append(WrappedRow(text: rest.prefix(columns: limit), start: rowStart))
        } else if let drawn {
            rows.append(row(of: text, rowStart..<drawn.offset, drawn.columns, limit))
        }
        return rows
    }
}
