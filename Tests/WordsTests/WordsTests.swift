import Foundation
import Index
import Search
import TestSupport
import Testing

@testable import Words

/// Words of known texts, in a folder of its own.
final class TemporaryWords {
    let index: IndexFiles
    /// The words of each row, and whether it is an edit.
    private(set) var texts: [Int64: (words: [String], isEdit: Bool)] = [:]
    /// The row whose text counts for a message; 0 for none.
    private(set) var amendments: [Int64: Int64] = [:]

    init() throws {
        let path = NSTemporaryDirectory() + "/kedge-words-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        index = IndexFiles(path)
        try makeIndex()
    }

    deinit { try? FileManager.default.removeItem(atPath: index.folder) }

    /// Begins an index, to which words can be added.
    func makeIndex() throws {
        var builder = PartBuilder()
        builder.set([], in: 1, to: [])
        try index.commit(builder)
    }

    /// Opens the current words. Returns true if they have changed.
    @discardableResult func refresh(_ reader: WordReader) throws -> Bool {
        try reader.open(#require(try index.snapshot()))
    }

    func add(_ words: [String], row: Int64, isEdit: Bool = false, to writer: WordWriter) {
        var text = words.joined(separator: " ")
        text.withUTF8 { writer.add(UnsafeRawBufferPointer($0), row: row, isEdit: isEdit) }
        texts[row] = (words, isEdit)
    }

    func amend(_ message: Int64, text: Int64?, in writer: WordWriter) {
        writer.amend(message, text: text)
        amendments[message] = text ?? 0
    }

    /// The names of the files of words.
    var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: index.folder).sorted()) ?? []
        return names.filter { $0.hasPrefix("words") }
    }

    /// The rows that a reader must find.
    func expected(where matches: ([String]) -> Bool) -> [Int64] {
        texts.filter { !$0.value.isEdit }.keys.filter { row in
            let text = amendments[row] ?? row
            return text != 0 && matches(texts[text]?.words ?? [])
        }.sorted(by: >)
    }

    func found(_ condition: WordCondition, _ reader: WordReader) throws -> [Int64] {
        try reader.rows(condition, isCurrent: true).rows(in: 0..<Int64.max, limit: .max)
    }
}

struct WordsTests {
    private static let vocabulary = ["tide", "tidal", "neap", "the", "then", "anchor", "ebb", "a", "été", "水", "x9"]

    private static func bytes(_ word: String) -> [UInt8] {
        var word = word
        return word.withUTF8 { text in
            var tokenizer = Tokenizer(text)
            return tokenizer.next() ? tokenizer.folded : []
        }
    }

    private static func phrase(_ words: [String]) -> [[UInt8]] { words.map(bytes) }

    private static func holds(_ text: [String], _ phrase: [String]) -> Bool {
        text.indices.contains { text[$0...].prefix(phrase.count).elementsEqual(phrase) }
    }

    /// Writes random texts, edits and deletions, in several commits and by several writers.
    private static func fill(_ words: TemporaryWords, _ random: inout SeededGenerator) throws {
        var row = Int64.random(in: 1...1 << 40, using: &random)
        var messages: [Int64] = []
        var writer = try WordWriter(words.index, capacity: 64)
        for _ in 0..<Int.random(in: 1...600, using: &random) {
            row += [1, 1, 1, 5, 1 << 36].randomElement(using: &random) ?? 1
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                vocabulary.randomElement(using: &random) ?? ""
            }
            if Int.random(in: 0..<6, using: &random) == 0, let message = messages.randomElement(using: &random) {
                words.add(text, row: row, isEdit: true, to: writer)
                let counts = Bool.random(using: &random)
                if counts { words.amend(message, text: Bool.random(using: &random) ? row : nil, in: writer) }
            } else {
                words.add(text, row: row, to: writer)
                messages.append(row)
            }
            if Int.random(in: 0..<40, using: &random) == 0, let message = messages.randomElement(using: &random) {
                words.amend(message, text: message, in: writer)
            }
            if writer.isFull || Int.random(in: 0..<20, using: &random) == 0 {
                try writer.commit([1: WordProgress(messages: row, edits: row)])
                if Bool.random(using: &random) { writer = try WordWriter(words.index, capacity: 64) }
            }
        }
        try writer.commit([1: WordProgress(messages: row, edits: row)])
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `A reader finds the texts that contain all phrases in their current form`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = try TemporaryWords()
        try Self.fill(words, &random)
        let reader = WordReader(words.index)
        #expect(try words.refresh(reader))
        #expect(try !words.refresh(reader))
        for _ in 0..<40 {
            let phrases = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (Self.vocabulary + ["nobody"]).randomElement(using: &random) ?? ""
                }
            }
            let expected = words.expected { text in phrases.allSatisfy { Self.holds(text, $0) } }
            let found = try words.found(.phrases(phrases.map(Self.phrase)), reader)
            #expect(found == expected, "seed \(seed), \(phrases)")
        }
        for beginning in ["t", "ti", "tida", "the", "e", "水", "zz", "a"] {
            let expected = words.expected { $0.contains { Self.bytes($0).starts(with: Self.bytes(beginning)) } }
            #expect(
                try words.found(.beginning(Self.bytes(beginning)), reader) == expected, "seed \(seed), \(beginning)")
        }
        let any = try reader.rows(.phrases([Self.phrase(["tide"])]), isCurrent: false)
        let now = words.expected { $0.contains("tide") }
        #expect(now.allSatisfy(any.contains), "seed \(seed)")
    }

    @Test func `Files are merged so that they stay few, and the former ones are removed`() throws {
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        for row in 1...200 as ClosedRange<Int64> {
            words.add(["tide", "number\(row)"], row: row, to: writer)
            try writer.commit([1: WordProgress(messages: row, edits: row)])
            #expect(words.files.count <= 8, "\(words.files)")
        }
        let reader = WordReader(words.index)
        try words.refresh(reader)
        #expect(try words.found(.phrases([Self.phrase(["tide"])]), reader) == (1...200).reversed().map(Int64.init))
        #expect(try words.found(.phrases([Self.phrase(["number77"])]), reader) == [77])
        #expect(writer.texts == 200)
    }

    @Test func `A very long word is cut, and equals no other word`() throws {
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        let long = String(repeating: "a", count: 1_024)
        words.add([long], row: 1, to: writer)
        words.add([long + "b"], row: 2, to: writer)
        words.add([long + "c"], row: 3, to: writer)
        try writer.commit([:])
        let reader = WordReader(words.index)
        try words.refresh(reader)
        func found(_ word: String) throws -> [Int64] {
            try words.found(.phrases([[WordTerm.stored(Array(word.utf8))]]), reader)
        }
        #expect(try found(long) == [1])
        #expect(try found(long + "b") == [3, 2])
    }

    @Test func `A reader sees one state until it refreshes, even when files are merged meanwhile`() throws {
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        words.add(["tide"], row: 1, to: writer)
        try writer.commit([1: WordProgress(messages: 1, edits: 1)])
        let reader = WordReader(words.index)
        try words.refresh(reader)
        for row in 2...30 as ClosedRange<Int64> {
            words.add(["tide"], row: row, to: writer)
            try writer.commit([1: WordProgress(messages: row, edits: row)])
        }
        #expect(try words.found(.phrases([Self.phrase(["tide"])]), reader) == [1])
        #expect(reader.progress(of: 1) == WordProgress(messages: 1, edits: 1))
        #expect(try words.refresh(reader))
        #expect(try words.found(.phrases([Self.phrase(["tide"])]), reader).count == 30)
        #expect(reader.progress(of: 1) == WordProgress(messages: 30, edits: 30))
    }

    @Test func `A writer adds nothing to an index that took the place of its own`() throws {
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        words.add(["tide"], row: 1, to: writer)
        try writer.commit([1: WordProgress(messages: 1, edits: 1)], stale: 3)
        let reader = WordReader(words.index)
        try words.refresh(reader)
        #expect(reader.stale == 3 && reader.progress(of: 1) == WordProgress(messages: 1, edits: 1))
        words.index.removeAll()
        #expect(words.files == [])
        words.add(["ebb"], row: 2, to: writer)
        func expectNothing() throws {
            #expect { try writer.commit([1: WordProgress(messages: 2, edits: 2)]) } throws: { error in
                if case .system(_, ESTALE) = error as? IndexFault { true } else { false }
            }
        }
        try words.makeIndex()
        try expectNothing()
        try expectNothing()
        #expect(words.files.isEmpty)
        let other = try WordWriter(words.index)
        #expect(other.progress(of: 1) == WordProgress() && other.stale == 0)
        #expect(try words.refresh(reader))
        #expect(try words.found(.phrases([Self.phrase(["tide"])]), reader) == [])
    }

    @Test func `An older manifest finds its own words or none, never those that came since`() throws {
        let words = try TemporaryWords()
        let manifest = URL(filePath: words.index.manifest)
        let writer = try WordWriter(words.index)
        for row in 1...9 as ClosedRange<Int64> {
            words.add(["tide"], row: row, to: writer)
            try writer.commit([1: WordProgress(messages: row, edits: row)])
            if row == 5 { try FileManager.default.copyItem(at: manifest, to: URL(filePath: manifest.path + ".5")) }
            if row == 6 { try FileManager.default.copyItem(at: manifest, to: URL(filePath: manifest.path + ".6")) }
        }
        // The ninth commit left a merged file and another one: the manifest of the fifth names files that are gone.
        for row in [5, 6] as [Int64] {
            try Data(contentsOf: URL(filePath: manifest.path + ".\(row)")).write(to: manifest)
            #expect(throws: IndexFault.self) { try WordReader(words.index).refresh(from: IndexSource(words.index)) }
            #expect(throws: IndexFault.self) { try words.index.check() }
            #expect { _ = try WordWriter(words.index) } throws: { error in
                if case .damaged = error as? IndexFault { true } else { false }
            }
        }
    }

    @Test func `Words that were not committed are not found, and leave no file`() throws {
        let words = try TemporaryWords()
        var writer = try WordWriter(words.index)
        words.add(["tide"], row: 1, to: writer)
        try writer.commit([1: WordProgress(messages: 1, edits: 1)])
        let files = words.files
        struct Stop: Error {}
        for row in 2...8 as ClosedRange<Int64> {
            words.add(["ebb"], row: row, to: writer)
            if row < 8 { try writer.commit([:]) }
        }
        // The eighth file would be merged with the others.
        #expect(throws: Stop.self) { try writer.commit([:]) { throw Stop() } }
        writer = try WordWriter(words.index)
        let reader = WordReader(words.index)
        try words.refresh(reader)
        #expect(try words.found(.phrases([Self.phrase(["ebb"])]), reader) == (2...7).reversed().map(Int64.init))
        #expect(files.count == 1 && words.files.count == 7, "\(words.files)")
    }

    @Test(arguments: [true, false])
    func `Damage anywhere is reported or does no harm`(isTruncated: Bool) throws {
        var random = SeededGenerator(seed: 11)
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index, capacity: 1 << 20)
        for row in 1...60 as ClosedRange<Int64> {
            words.add(["tide", "number\(row)", row % 3 == 0 ? "red" : "blue"], row: row, to: writer)
        }
        words.add(["red"], row: 61, isEdit: true, to: writer)
        words.amend(1, text: 61, in: writer)
        try writer.commit([1: WordProgress(messages: 61, edits: 61)])
        let conditions: [WordCondition] = [
            .phrases([Self.phrase(["red"])]), .phrases([Self.phrase(["number60", "red"])]),
            .beginning(Array("num".utf8)),
        ]
        let reader = WordReader(words.index)
        try words.refresh(reader)
        let expected = try conditions.map { try words.found($0, reader) }
        #expect(expected.map(\.count) == [21, 1, 59])
        for name in words.files {
            let url = URL(fileURLWithPath: words.index.folder + "/" + name)
            let whole = try Data(contentsOf: url)
            for index in whole.indices {
                var damaged = whole
                if isTruncated {
                    damaged = whole[..<index]
                } else {
                    damaged[index] ^= UInt8.random(in: 1...255, using: &random)
                }
                try damaged.write(to: url)
                do {
                    let reader = WordReader(words.index)
                    try words.refresh(reader)
                    let found = try conditions.map { try words.found($0, reader) }
                    try reader.forEachWord { _, _, _ in }
                    #expect(found == expected && !isTruncated, "byte \(index) of \(name)")
                } catch IndexFault.damaged(let file, _) {
                    #expect(file == url.path, "byte \(index) of \(name)")
                }
            }
            try whole.write(to: url)
        }
    }
}
