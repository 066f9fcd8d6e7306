import Algorithms

/// The rows of the scroll bar that have hits.
struct HitMarks: Hashable {
    private(set) var rows: Set<Int> = []

    /// Takes a few steps for each row, for any number of hits.
    /// - Parameters: rows of the column, and the number of messages.
    init(of places: HitPlaces, height: Int, total: Int) {
        guard height > 0, total > 0 else { return }
        var index = 0
        while let hit = places.firstShown(from: index), hit < total {
            let row = ScrollBar.row(of: hit, height: height, total: total)
            rows.insert(row)
            // The first message below that row.
            index = (hit + 1..<total).partitioningIndex { ScrollBar.row(of: $0, height: height, total: total) > row }
        }
    }
}
