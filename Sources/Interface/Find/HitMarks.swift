import Algorithms

/// The rows of the scroll bar at which hits of a search stand.
struct HitMarks: Hashable {
    private(set) var rows: Set<Int> = []

    /// Takes a few steps for each row, however many hits there are.
    /// - Parameters: rows of the column, and how many messages there are.
    init(of places: HitPlaces, height: Int, total: Int) {
        guard height > 0, total > 0 else { return }
        var index = 0
        while let hit = places.firstShown(from: index), hit < total {
            let row = ScrollBar.row(of: hit, height: height, total: total)
            rows.insert(row)
            // The first message that stands below that row.
            index = (hit + 1..<total).partitioningIndex { ScrollBar.row(of: $0, height: height, total: total) > row }
        }
    }
}
