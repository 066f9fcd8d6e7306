import Foundation
import TestSupport
import Testing

@testable import Index

/// A folder for one test, removed at its end.
final class TemporaryFolder {
    let path: String
    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "kedge-index-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

struct IndexFilesTests {
    /// An index of several parts, and what it must answer.
    private func index(_ folder: TemporaryFolder, _ random: inout SeededGenerator) throws -> PlainIndex {
        var plain = PlainIndex()
        for _ in 0..<10 {
            var builder = PartBuilder()
            plain.change(&builder, &random)
            try IndexFiles(folder.path).commit(builder)
        }
        return plain
    }

    @Test(arguments: 0..<20) func `Fifty of a thousand random damages give no wrong answer and no crash`(seed: Int)
        throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let plain = try index(folder, &random)
        var noticed = 0
        for round in 0..<50 {
            let name = try #require(folder.names.randomElement(using: &random))
            let file = URL(filePath: folder.path + "/" + name)
            let whole = try Data(contentsOf: file)
            try Data(damaged([UInt8](whole), &random)).write(to: file)
            do throws(IndexFault) {
                let index = try IndexFiles(folder.path).snapshot()
                for _ in 0..<10 {
                    let difference = try index.map { (index) throws(IndexFault) in
                        try plain.difference(from: index, &random)
                    }
                    #expect(difference == .some(nil), "seed \(seed), round \(round), \(name)")
                }
            } catch {
                if case .damaged = error {
                    noticed += 1
                } else {
                    Issue.record("seed \(seed), round \(round): \(error)")
                }
            }
            try whole.write(to: file)
        }
        // A few damages change nothing, for example zeros that become zeros, or blocks that no question reads.
        #expect(noticed > 40)
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes += [0]
        case 2: for index in place..<min(bytes.count, place + 4_096) { bytes[index] = 0 }
        case 3: bytes = bytes.shuffled(using: &random)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        return bytes
    }

    @Test(arguments: 0..<50) func `A file that is cut off while it is open ends nothing and is noticed`(seed: Int)
        throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let plain = try index(folder, &random)
        let index = try #require(try IndexFiles(folder.path).snapshot())
        for name in folder.names where name != "manifest" { truncate(folder.path + "/" + name, 0) }
        do throws(IndexFault) {
            for _ in 0..<20 {
                let difference = try plain.difference(from: index, &random)
                try index.checkLosses()
                #expect(difference == nil, "seed \(seed)")
            }
            Issue.record("seed \(seed): nothing was noticed")
        } catch {
            guard case .damaged = error else { throw error }
        }
    }

    @Test(arguments: 0..<20) func `An open generation answers as before after many others`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let plain = try index(folder, &random)
        let old = try #require(try IndexFiles(folder.path).snapshot())
        var newer = plain
        for _ in 0..<10 {
            var builder = PartBuilder()
            newer.change(&builder, &random)
            try IndexFiles(folder.path).commit(builder)
        }
        for _ in 0..<40 { #expect(try plain.difference(from: old, &random) == nil, "seed \(seed)") }
    }

    @Test(arguments: 0..<40) func `A merge of all parts has the bytes of one part with all records`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var plain = PlainIndex()
        var parts: [Part] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            var builder = PartBuilder()
            plain.change(&builder, &random)
            parts.append(builder.part())
        }
        let folder = try TemporaryFolder()
        let path = folder.path + "/merged"
        var merge = try PartMerge(parts, isOldest: true)
        let size = Int(try merge.write(to: NewFile(path)).size)
        var builder = PartBuilder()
        for (row, record) in plain.records.shuffled(using: &random) { builder.add(record, at: row) }
        for (table, entries) in plain.entries { for (key, value) in entries { builder.set(key, in: table, to: value) } }
        _ = try NewFile(folder.path + "/built").finish(builder.part().bytes)
        let merged = try Data(contentsOf: URL(filePath: path))
        #expect(merged.count == size)
        #expect(try merged == Data(contentsOf: URL(filePath: folder.path + "/built")), "seed \(seed)")
    }

    @Test(arguments: 0..<20) func `Parts of a new index become one part that answers as they do`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let files = IndexFiles(folder.path)
        var plain = PlainIndex()
        for _ in 0..<6 {
            var builder = PartBuilder()
            plain.change(&builder, &random)
            try files.commit(builder, isMerging: false)
        }
        #expect(folder.names.count == 7)
        for isMerged in [false, true] {
            if isMerged { try files.merge() }
            let index = try #require(try files.snapshot())
            for _ in 0..<40 {
                let difference = try plain.difference(from: index, &random)
                #expect(difference == nil, "seed \(seed)")
            }
        }
        #expect(folder.names.count == 2)
    }

    @Test func `A writer that is killed leaves the generation before, and its file is removed`() throws {
        var random = SeededGenerator(seed: 3)
        let folder = try TemporaryFolder()
        let plain = try index(folder, &random)
        let names = folder.names
        // Killed within a part, between a part and the manifest, and within the manifest.
        for name in ["part-900.new", "part-901", "manifest.new"] {
            try Data("torn".utf8).write(to: URL(filePath: folder.path + "/" + name))
        }
        let files = IndexFiles(folder.path)
        let index = try #require(try files.snapshot())
        for _ in 0..<40 { #expect(try plain.difference(from: index, &random) == nil) }
        try files.removeStrays()
        #expect(folder.names == names)
    }

    @Test func `A part that cannot be written leaves the generation before`() throws {
        var random = SeededGenerator(seed: 4)
        let folder = try TemporaryFolder()
        let plain = try index(folder, &random)
        let files = IndexFiles(folder.path)
        // A folder stands where the manifest's new file is to be written. Kedge removes it, but for a name that is not UTF-8.
        try FileManager.default.createDirectory(
            atPath: folder.path + "/manifest.new", withIntermediateDirectories: true)
        try #require(mkdir(Array((folder.path + "/manifest.new/").utf8CString.dropLast()) + [-1, 0], 0o700) == 0)
        defer { rmdir(Array((folder.path + "/manifest.new/").utf8CString.dropLast()) + [-1, 0]) }
        let names = folder.names
        var builder = PartBuilder()
        var other = plain
        other.change(&builder, &random)
        #expect(throws: IndexFault.self) { try files.commit(builder) }
        #expect(folder.names == names)
        let index = try #require(try files.snapshot())
        for _ in 0..<40 { #expect(try plain.difference(from: index, &random) == nil) }
    }

    @Test func `A folder without an index has none, and a removed index is gone`() throws {
        let folder = try TemporaryFolder()
        let files = IndexFiles(folder.path)
        #expect(try files.snapshot() == nil)
        var random = SeededGenerator(seed: 5)
        _ = try index(folder, &random)
        files.removeAll()
        #expect(folder.names.isEmpty)
        #expect(try files.snapshot() == nil)
    }

    @Test func `A part of another index is noticed, even if it has the same size and sits at the same place`() throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        for (number, folder) in folders.enumerated() {
            var builder = PartBuilder()
            builder.set([1], in: 1, to: [UInt8(number)])
            try IndexFiles(folder.path).commit(builder)
        }
        let parts = try folders.map { folder in
            folder.path + "/" + (try #require(folder.names.first { $0.hasPrefix("part-") }))
        }
        let bytes = try parts.map { try Data(contentsOf: URL(filePath: $0)) }
        try #require(bytes[0].count == bytes[1].count && bytes[0] != bytes[1])
        #expect(try IndexFiles(folders[0].path).snapshot()?.value(of: [1], in: 1) == [0])
        try bytes[1].write(to: URL(filePath: parts[0]))
        #expect { _ = try IndexFiles(folders[0].path).snapshot() } throws: { error in
            if case .damaged = error as? IndexFault { true } else { false }
        }
    }

    @Test(arguments: [false, true])
    func `A writer adds nothing to an index that took the place of its own`(isMade: Bool) throws {
        let folder = try TemporaryFolder()
        let files = IndexFiles(folder.path)
        let writer = try IndexWriter(files)
        writer.part.set([1], in: 1, to: [1])
        try writer.commit(isMerging: true)
        files.removeAll()
        if isMade {
            var builder = PartBuilder()
            builder.set([2], in: 1, to: [2])
            try files.commit(builder)
        }
        let names = folder.names
        writer.part.set([3], in: 1, to: [3])
        for work in [{ try writer.commit(isMerging: true) }, { try writer.merge() }] {
            #expect { try work() } throws: { error in
                if case .system(_, ESTALE) = error as? IndexFault { true } else { false }
            }
        }
        #expect(folder.names == names)
    }

    @Test func `Parts and words are committed by two threads, and none of them is lost`() async throws {
        let folder = try TemporaryFolder()
        let files = IndexFiles(folder.path)
        var builder = PartBuilder()
        builder.set([0], in: 1, to: [0])
        try files.commit(builder)
        let identity = try #require(try files.readManifest()).identity
        async let parts: Void = Task.detached {
            for number in 1...100 as ClosedRange<UInt8> {
                var builder = PartBuilder()
                builder.set([number], in: 1, to: [number])
                try files.commit(builder, to: identity)
            }
        }.value
        async let words: Void = Task.detached {
            for number in 1...100 as ClosedRange<UInt64> {
                let file = try NewFile(files.words(number), number: number).finish([])
                try files.commit(words: [file], to: identity)
            }
        }.value
        _ = try await (parts, words)
        let index = try #require(try files.snapshot())
        for number in 0...100 as ClosedRange<UInt8> { #expect(try index.value(of: [number], in: 1) == [number]) }
        #expect(index.words.map(\.number) == [100])
        #expect(folder.names.filter { $0.hasPrefix("words") } == ["words-100"])
        try files.check()
    }

    @Test func `A manifest whose numbers leave no room for the next ones is damaged`() throws {
        var manifest = IndexManifest()
        #expect(IndexManifest(manifest.bytes[...]) == manifest)
        manifest.generation = .max
        #expect(IndexManifest(manifest.bytes[...]) == nil)
        (manifest.generation, manifest.next) = (1, .max)
        #expect(IndexManifest(manifest.bytes[...]) == nil)
    }
}
