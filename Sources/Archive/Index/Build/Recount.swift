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
        let table = RecordTable(database)
        try table.forEach(in: RecordRow.all(of: conversation, segment: segment.number)) { row, record in
            var record = record
            let main = counts.mainCount
            counts.add(record.kind, at: record.at)
            let peak = counts.peak == record.at ? nil : counts.peak
            if record.main == main, record.peak == peak { return true }
            (record.main, record.peak) = (main, peak)
            try table.replace(record, at: row)
            return true
        }
        try table.flush()
        segment.counts = counts
        try segment.save(of: conversation, to: database)
    }
}
