import Foundation
import Index
import Synchronization
import TestSupport
import Testing

@testable import Words

/// Words that a thread of its own writes.
struct WritingThreadTests {
    private static let vocabulary =
        (0..<500).map { String($0 * 7_919, radix: 36) } + ["été", "水", "internationalisation"]

    private static func found(_ word: String, _ words: TemporaryWords) throws -> [Int64] {
        let reader = WordReader(words.index)
        try words.refresh(reader)
        return try words.found(.phrases([[Array(word.utf8)]]), reader)
    }

    /// Writes seven files, so that another one is merged with them.
    private static func writeSeven(_ words: TemporaryWords, _ writer: WordWriter) throws {
        for row in 1...7 as ClosedRange<Int64> {
            words.add(["tide"], row: row, to: writer)
            try writer.commit([1: WordProgress(messages: row, edits: row)])
        }
    }

    /// Writes the same texts, and returns the bytes of the files that hold them.
    private static func written(
        seed: UInt64, _ commit: (WordWriter, [Int64: WordProgress]) throws -> Void
    ) throws -> [Data] {
        var random = SeededGenerator(seed: seed)
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        for row in 1...Int64.random(in: 1...3_000, using: &random) {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                vocabulary.randomElement(using: &random) ?? ""
            }
            words.add(text, row: row, isEdit: row % 7 == 0, to: writer)
            if row % 11 == 0 { words.amend(row, text: row - 1, in: writer) }
            if Int.random(in: 0..<60, using: &random) == 0 {
                try commit(writer, [1: WordProgress(messages: row, edits: row)])
            }
        }
        try writer.commit([:])
        let files = words.files.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        return try files.map { try Data(contentsOf: URL(fileURLWithPath: words.index.folder + "/" + $0)) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `The thread writes the same files as a writer that waits`(seed: UInt64) throws {
        let here = try Self.written(seed: seed) { try $0.commit($1) }
        let there = try Self.written(seed: seed) { try $0.beginCommit($1) }
        #expect(here == there, "seed \(seed)")
    }

    @Test func `While words are written, more are added, and readers see the former ones`() throws {
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        try Self.writeSeven(words, writer)
        let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isHeld = Mutex(true)
        words.add(["tide"], row: 8, to: writer)
        try writer.beginCommit([1: WordProgress(messages: 8, edits: 8)]) {
            let waits = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            guard waits else { return }
            begun.signal()
            goesOn.wait()
        }
        try #require(begun.wait(timeout: .now() + 60) == .success, "no files are merged")
        #expect(writer.texts == 8 && writer.progress(of: 1) == WordProgress(messages: 8, edits: 8))
        words.add(["tide"], row: 9, to: writer)
        #expect(writer.texts == 9)
        #expect(try Self.found("tide", words) == (1...7).reversed().map(Int64.init))
        goesOn.signal()
        writer.close()
        #expect(try Self.found("tide", words) == (1...8).reversed().map(Int64.init))
        try writer.commit([1: WordProgress(messages: 9, edits: 9)])
        #expect(try Self.found("tide", words) == (1...9).reversed().map(Int64.init))
    }

    private struct Stop: Error {}

    @Test(arguments: [true, false])
    func `A failure of the thread is thrown by all later commits, and the former words stay`(begins: Bool) throws {
        let words = try TemporaryWords()
        let writer = try WordWriter(words.index)
        try Self.writeSeven(words, writer)
        words.add(["tide"], row: 8, to: writer)
        try writer.beginCommit([1: WordProgress(messages: 8, edits: 8)]) { throw Stop() }
        for row in 9...10 as ClosedRange<Int64> {
            words.add(["tide"], row: row, to: writer)
            let done: [Int64: WordProgress] = [1: WordProgress(messages: row, edits: row)]
            #expect(throws: Stop.self) { begins ? try writer.beginCommit(done) : try writer.commit(done) }
        }
        #expect(try Self.found("tide", words) == (1...7).reversed().map(Int64.init))
        let next = try WordWriter(words.index)
        #expect(next.texts == 7 && next.progress(of: 1) == WordProgress(messages: 7, edits: 7))
        #expect(words.files.count == 7, "\(words.files)")
    }
}
