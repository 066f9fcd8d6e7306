import SQLite
import TestSupport
import Testing

@testable import Archive

struct IDTableTests {
    private static func entries(_ database: Database) throws -> [[IDEntry]] {
        var blocks: [[IDEntry]] = []
        try IDTable(database).forEachBlock { _, entries in blocks.append(Array(entries)) }
        return blocks
    }

    @Test(arguments: (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `Entries are found until they are removed, however many share a hash`(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let database = try Database.ofRecords()
        var table = IDTable(database)
        let hashes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
            Int64.random(in: .min ... .max, using: &random)
        }
        var known: Set<IDEntry> = []
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            for _ in 0..<Int.random(in: 0...1_500, using: &random) {
                let entry = IDEntry(
                    hash: hashes.randomElement(using: &random) ?? 0, row: .random(in: 0..<9_000, using: &random))
                if known.insert(entry).inserted { table.insert(entry.hash, entry.row) }
            }
            // Sometimes all, or all of some hashes, so that blocks become empty.
            let share = ([0, 0.1, 1] as [Double]).randomElement(using: &random) ?? 0.0
            let some = Set(hashes.filter { _ in Bool.random(using: &random) })
            for entry in known where some.contains(entry.hash) && Double.random(in: 0..<1, using: &random) < share {
                known.remove(entry)
                table.remove(entry.hash, entry.row)
            }
            try Self.expect(table, known, hashes, &random)
            if Bool.random(using: &random) {
                try table.flush()
                if Bool.random(using: &random) { table = IDTable(database) }
                let blocks = try Self.entries(database)
                #expect(blocks.flatMap(\.self) == known.sorted())
                #expect(blocks.allSatisfy { (1...500).contains($0.count) })
                try Self.expect(table, known, hashes, &random)
            }
        }
    }

    private static func expect(
        _ table: IDTable, _ known: Set<IDEntry>, _ hashes: [Int64], _ random: inout SeededGenerator
    ) throws {
        for hash in hashes {
            let start = Int64.random(in: 0..<9_000, using: &random)
            let rows = start..<Int64.random(in: start..<9_002, using: &random)
            let all = known.filter { $0.hash == hash && rows.contains($0.row) }.map(\.row).sorted()
            #expect(try table.rows(of: hash, in: rows) == all)
            #expect(try table.isAny(of: hash, in: rows) == !all.isEmpty)
            let most = Int.random(in: 1...1_000, using: &random)
            var some: [Int64] = []
            try table.forEach(of: hash, in: rows) { row in
                some.append(row)
                return some.count < most
            }
            #expect(some == Array(all.prefix(most)))
        }
    }

    /// Blocks with two records, and what is wrong with them.
    private static let disorders: [(name: String, blocks: [(start: IDEntry, entries: [IDEntry])])] = [
        ("entries fall", [(.first, [entry(8), entry(3)])]),
        ("an entry is there twice", [(.first, [entry(3), entry(3), entry(8)])]),
        ("an entry stands before its block", [(entry(4), [entry(3), entry(8)])]),
        ("an entry belongs to the next block", [(.first, [entry(3), entry(8)]), (entry(6), [])]),
        ("an entry is missing", [(.first, [entry(3)])]),
    ]

    private static func entry(_ hash: Int64) -> IDEntry { IDEntry(hash: hash, row: hash) }

    @Test(arguments: disorders.indices) func `The check names entries that are not found`(index: Int) throws {
        let database = try Database.ofRecords()
        let table = RecordTable(database)
        for hash in [3, 8] as [Int64] {
            let record = PackedRecord(
                kind: RecordKind(code: RecordKind.main), offset: 0, length: 1, at: 0, main: 0, hash: hash)
            try table.append(record, at: hash)
            try table.link(record, at: hash)
        }
        try table.flush()
        #expect(try LookupCheck(database).faults() == [])
        try database.run("DELETE FROM id")
        let insert = try database.statement("INSERT INTO id VALUES (?, ?, ?, ?)")
        for (start, entries) in Self.disorders[index].blocks {
            try entries.withUnsafeBytes { bytes in
                insert.bind(1, start.hash)
                insert.bind(2, start.row)
                insert.bind(3, IDTable.sum(of: bytes, from: start))
                insert.bind(4, blob: bytes)
                try insert.run()
            }
        }
        #expect(
            try LookupCheck(database).faults() == ["the look-up of IDs does not match the records"],
            "\(Self.disorders[index].name)")
    }
}
