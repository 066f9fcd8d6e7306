internal import SQLite

/// Updates the counts of segments after records were marked as repeats or moved into the main timeline, or the reverse.
struct Recount {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// - Parameter rows: the changed records.
    func run(_ rows: [Int64]) throws {
        let conversations = Dictionary(grouping: rows.map { RecordRow($0) }, by: \.conversation)
        for (number, rows) in conversations {
            guard let known = try IndexedConversation.find(number: number, in: database) else { continue }
            for segment in Set(rows.map(\.segment)).sorted() {
                guard let index = known.index(ofSegment: segment) else { continue }
                try recount(known.segments[index], of: number)
            }
        }
    }

    private func recount(_ known: IndexedSegment, of conversation: Int64) throws {
        var segment = known
        var counts = RecordCounts()
        // The number of skipped lines stays: the marking of repeats has updated it.
        counts.problems = segment.counts.problems
        let records = try database.statement(
            "SELECT row, kind, at, peak, main FROM record WHERE row >= ? AND row < ? ORDER BY row")
        let rows = RecordRow.all(of: conversation, segment: segment.number)
        records.bind(1, rows.lowerBound)
        records.bind(2, rows.upperBound)
        defer { records.reset() }
        let update = try database.statement("UPDATE record SET main = ?, peak = ? WHERE row = ?")
        while try records.step() {
            let (kind, at) = (RecordKind(code: records.integer(1)), records.integer(2))
            let main = Int64(counts.mainCount)
            counts.add(kind, at: at)
            let peak = counts.peak == at ? nil : counts.peak
            if records.integer(4) == main, records.optional(3) == peak { continue }
            update.bind(1, main)
            update.bind(2, peak)
            update.bind(3, records.integer(0))
            try update.run()
        }
        segment.counts = counts
        try segment.save(of: conversation, to: database)
    }
}
