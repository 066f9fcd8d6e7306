import SQLite
import TestSupport
import Testing

@testable import Archive

struct RecordTableTests {
    /// A record with values from few hashes, so that several records share them.
    private static func record(_ random: inout SeededGenerator) -> PackedRecord {
        let kinds = [0x10, 0x11, 0x00, 0x04, 0x05, 0x06, 0x230] as [Int64]
        let kind = RecordKind(code: kinds.randomElement(using: &random) ?? 0)
        // The hashes spread over all numbers, as those of IDs do, but some have the same first bits.
        func hash(_ random: inout SeededGenerator) -> Int64 {
            Int64.random(in: 0..<20, using: &random) &* 0x1E37_79B9_7F4A_7C15 &+ Int64.random(in: 0..<3, using: &random)
        }
        let hasTarget = !kind.isMain || Bool.random(using: &random)
        return PackedRecord(
            kind: kind, offset: .random(in: 0...1 << 40, using: &random),
            length: .random(in: 1...90_000, using: &random),
            at: .random(in: .min ... .max, using: &random),
            peak: Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : nil,
            sender: Bool.random(using: &random) ? .random(in: 0...100_000, using: &random) : nil,
            main: .random(in: 0...1 << 27, using: &random), hash: hash(&random),
            target: hasTarget ? hash(&random) : nil, reply: Bool.random(using: &random) ? hash(&random) : nil)
    }

    /// The records of some segments, each with successive rows.
    private static func records(_ random: inout SeededGenerator) -> [Int64: PackedRecord] {
        var records: [Int64: PackedRecord] = [:]
        for segment in 1...Int64.random(in: 1...5, using: &random) {
            let start = RecordRow(conversation: segment / 3, segment: segment, sequence: 1).number
            for row in start..<start + Int64.random(in: 0...400, using: &random) { records[row] = record(&random) }
        }
        return records
    }

    private static func read(_ table: RecordTable, _ rows: Range<Int64>) throws -> [Int64] {
        var found: [Int64] = []
        try table.forEach(in: rows) { row, _ in
            found.append(row)
            return true
        }
        var backwards: [Int64] = []
        try table.forEachBackwards(in: rows) { row, _ in
            backwards.append(row)
            return true
        }
        #expect(found == backwards.reversed())
        return found
    }

    @Test(arguments: (0..<20).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `A record is read as it was written`(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: PackedRecord.size, alignment: 1)
        defer { bytes.deallocate() }
        let record = Self.record(&random)
        record.write(to: bytes)
        #expect(PackedRecord(UnsafeRawBufferPointer(bytes)) == record)
    }

    @Test(arguments: (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `Records are found by row, by ID and by target, however they were added and removed`(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let database = try Database.ofRecords()
        var records = Self.records(&random)
        var table = RecordTable(database)
        let wait = Int.random(in: 1...300, using: &random)
        for (count, (row, record)) in records.sorted(by: { $0.key < $1.key }).enumerated() {
            try table.append(record, at: row)
            try table.link(record, at: row)
            if count % wait == 0 { try Self.expect(table, records.filter { $0.key <= row }, &random) }
            if count % wait == wait / 2 { try table.flush() }
            if count % 150 == 0 {
                try table.flush()
                table = RecordTable(database)
            }
        }
        for (row, record) in records where Int.random(in: 0..<4, using: &random) == 0 {
            let kind = Bool.random(using: &random) ? record.kind.repeated : record.kind
            records[row]?.kind = kind
            try table.set(kind, of: record, at: row)
        }
        try Self.expect(table, records, &random)
        try table.flush()
        #expect(try LookupCheck(database).faults() == [])
        let gone = RecordRow.all(of: 0, segment: 2)
        try table.remove(gone, isLinked: true)
        records = records.filter { !gone.contains($0.key) }
        try Self.expect(table, records, &random)
        try table.flush()
        try Self.expect(RecordTable(database), records, &random)
        #expect(try LookupCheck(database).faults() == [])
    }

    private static func expect(
        _ table: RecordTable, _ records: [Int64: PackedRecord], _ random: inout SeededGenerator
    ) throws {
        let rows = records.keys.sorted()
        let (first, last) = (rows.first ?? 0, rows.last ?? 0)
        let start = Int64.random(in: first - 1...last, using: &random)
        let range = start..<Int64.random(in: start...last + 2, using: &random)
        #expect(try read(table, range) == rows.filter { range.contains($0) })
        let row = rows.randomElement(using: &random) ?? 0
        #expect(try table.record(at: row) == records[row])
        #expect(try table.record(at: last + 1) == nil)
        let hash = records[row]?.hash ?? 0
        let same = rows.filter { records[$0]?.hash == hash && range.contains($0) }
        #expect(try table.ids.rows(of: hash, in: range) == same)
        let about = rows.filter { records[$0]?.target == hash && range.contains($0) }
        let changes = about.filter { records[$0]?.kind.isAnyMessage == false }
        #expect(try table.changes.rows(of: hash, in: range) == changes)
        let replies = about.filter { records[$0]?.kind.isMessage == true }
        #expect(try table.replies.rows(of: hash, in: range) == replies)
        #expect(try table.replies.count(of: hash, in: range) == replies.count)
        #expect(
            try table.repeated(in: range) == rows.filter { range.contains($0) && records[$0]?.kind.isRepeated == true })
    }

    @Test(arguments: (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `Look-ups that are made at once are those that are made record by record`(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let database = try Database.ofRecords()
        let records = Self.records(&random)
        let table = RecordTable(database)
        for (row, record) in records.sorted(by: { $0.key < $1.key }) { try table.append(record, at: row) }
        try table.flush()
        let builder = LookupBuilder(database, part: .random(in: 1...1_000, using: &random))
        try builder.run(records: records.count)
        #expect(try LookupCheck(database).faults() == [])
        // What the builder has found besides.
        let groups = Dictionary(grouping: records.keys) { RecordRow($0).conversation }
        for (conversation, rows) in groups {
            let counts = Dictionary(grouping: rows) { records[$0]?.hash ?? 0 }.filter { $1.count > 1 }
            #expect(builder.shared[conversation] ?? [] == Set(counts.keys))
        }
        let roots = Dictionary(grouping: records.keys.filter { records[$0]?.kind.isMessage == true }) {
            [RecordRow($0).conversation, records[$0]?.hash ?? 0]
        }
        let loose = records.filter { row, record in
            guard record.kind.isHiddenReply, let target = record.target else { return false }
            return !(roots[[RecordRow(row).conversation, target]] ?? []).contains { $0 < row }
        }
        #expect(builder.loose.sorted() == loose.keys.sorted())
        let targets = Set(records.values.compactMap(\.target))
        for (row, record) in records {
            let bits = try QuietRows(database: database).bits(ofWord: QuietRows.word(of: row)) ?? 0
            #expect((bits & QuietRows.bit(of: row) != 0) == !targets.contains(record.hash))
        }
    }

    @Test func `The last conversation that has a number has rows`() {
        let rows = RecordRow.all(of: RecordRow.mostConversations - 1)
        #expect(RecordRow(rows.upperBound - 1).conversation == RecordRow.mostConversations - 1)
    }

    @Test func `Removing records removes the marks of repeats that were noted before an error`() throws {
        let database = try Database.ofRecords()
        var random = SeededGenerator(seed: 4)
        let records = RecordTable(database)
        var record = Self.record(&random)
        record.kind = RecordKind(code: RecordKind.main)
        for row in 1...3 as ClosedRange<Int64> {
            try records.append(record, at: row)
            try records.link(record, at: row)
        }
        try records.flush()
        try RecordTable(database).set(record.kind.repeated, of: record, at: 2)
        let other = RecordTable(database)
        try other.remove(0..<10, isLinked: true)
        try other.flush()
        #expect(try LookupCheck(database).faults() == [])
    }

    @Test(arguments: ["page", "id"], 0..<8) func `A blob with a changed bit is not read`(table: String, bit: Int) throws
    {
        let database = try Database.ofRecords()
        var random = SeededGenerator(seed: 3)
        let records = RecordTable(database)
        for row in 1...20 as ClosedRange<Int64> {
            let record = Self.record(&random)
            try records.append(record, at: row)
            try records.link(record, at: row)
        }
        try records.flush()
        let column = table == "page" ? "records" : "entries"
        let bytes = try database.rows("SELECT \(column) FROM \(table)") { Array($0.bytes(0)) }
        var blob = try #require(bytes.first)
        blob[.random(in: blob.indices, using: &random)] ^= 1 << UInt8(bit)
        let update = try database.statement("UPDATE \(table) SET \(column) = ?")
        try blob.withUnsafeBytes { bytes in
            update.bind(1, blob: bytes)
            try update.run()
        }
        #expect(throws: DatabaseError.self) {
            let records = RecordTable(database)
            _ = table == "page" ? try records.record(at: 5) != nil : try records.ids.isAny(of: 7, in: 0..<9)
        }
    }
}
