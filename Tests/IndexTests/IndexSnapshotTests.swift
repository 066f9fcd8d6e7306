import TestSupport
import Testing

@testable import Index

struct IndexSnapshotTests {
    @Test(arguments: 0..<60) func `Parts on disk and in memory answer as a plain list of records does`(seed: Int) throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let files = IndexFiles(folder.path)
        var plain = PlainIndex()
        for step in 0..<12 {
            var builder = PartBuilder()
            plain.change(&builder, &random)
            try files.commit(builder)
            // Changes that no file has yet are a part in memory.
            var (tail, ahead) = (PartBuilder(), plain)
            ahead.change(&tail, &random)
            let disk = try #require(try files.snapshot())
            let both = try IndexSnapshot(disk.parts + [tail.part()])
            for _ in 0..<12 {
                let (first, second) = try (plain.difference(from: disk, &random), ahead.difference(from: both, &random))
                #expect(first == nil, "seed \(seed), step \(step), files")
                #expect(second == nil, "seed \(seed), step \(step), memory")
            }
        }
        // Each part is larger than the next one, so there are few.
        #expect(folder.names.count <= 8)
    }

    @Test func `A hundred thousand records of one ID are found in any part of the rows`() throws {
        var builder = PartBuilder()
        for row in 0..<100_000 {
            builder.add(
                IndexRecord(kind: RecordKind(code: RecordKind.main), hash: 7, at: Int64(row), offset: 0, length: 1),
                at: Int64(row) << 24)
        }
        let index = try IndexSnapshot([builder.part()])
        #expect(try index.records(ofID: 7, in: 5 << 24..<8 << 24).map(\.row) == [5, 6, 7].map { $0 << 24 })
        #expect(try index.records(ofID: 6, in: 0..<Int64.max).isEmpty)
        #expect(try index.main(at: 99_999, in: 0..<Int64.max) == 99_999 << 24)
    }

    @Test func `Values in memory have the sizes that they have in files`() {
        #expect(MemoryLayout<IndexRecord>.stride == IndexRecord.size)
        #expect(MemoryLayout<RecordRun>.stride == RecordRun.size)
        #expect(MemoryLayout<RecordMark>.stride == RecordMark.size)
        #expect(MemoryLayout<KindOverride>.stride == KindOverride.size)
        #expect(MemoryLayout<RowRange>.stride == RowRange.size)
        #expect(MemoryLayout<EntryPlace>.stride == EntryPlace.size)
    }

    @Test func `An empty index answers nothing`() throws {
        let index = try IndexSnapshot([PartBuilder().part()])
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 { #expect(try PlainIndex().difference(from: index, &random) == nil) }
    }
}
