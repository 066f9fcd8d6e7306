import Foundation
import Messages
import Search
import Synchronization
import TestSupport
import Testing

@testable import Archive

struct IndexTests {
    /// Seeds that once failed: the first found an incomplete line that continues after the next segment was removed,
    /// the second a message with the ID of an edit.
    static let seeds: [UInt64] =
        [15_693_739_269_613_933_421, 2_493_019_031_141_246_189] + (0..<7).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `The index follows the files through any change and any interruption`(seed: UInt64) async throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        var writer = Writer(archive)
        try writer.append(count: 20, toNew: true, &random)
        for step in 0..<12 {
            try writer.change(&random)
            if Bool.random(using: &random) { try cutOff(archive, after: Int.random(in: 0..<4, using: &random)) }
            try archive.makeIndex()
            try await expectTruth(archive, "seed \(seed), step \(step)")
            try IndexCheckTests.expectRight(archive, "seed \(seed), step \(step)")
        }
    }

    /// Interrupts the build of an index after a number of reports.
    private func cutOff(_ archive: TemporaryArchive, after reports: Int) throws {
        let count = Mutex(0)
        let control = Mutex<IndexControl?>(nil)
        let made = IndexControl { _ in
            let isOver = count.withLock { count in
                count += 1
                return count > reports
            }
            if isOver { control.withLock { $0 }?.cancel() }
        }
        control.withLock { $0 = made }
        defer { control.withLock { $0 = nil } }
        let builder = IndexBuilder(catalogue: Catalogue(archive: archive.path), folder: archive.index, control: made)
        do { _ = try builder.run() } catch is CancellationError {}
    }

    @Test func `An interrupted build has ended to write words when it returns`() throws {
        let archive = try TemporaryArchive()
        // So many different words that they are written while more are read.
        let texts = (0..<9_000).map { row in (0..<48).map { "w\(row * 48 + $0)" }.joined(separator: " ") }
        try archive.write(firstSegment, texts.enumerated().map { message("m\($0)", $1) + "\n" }.joined())
        let control = Mutex<IndexControl?>(nil)
        let made = IndexControl { if $0.words > $0.recordsTotal * 2 / 3 { control.withLock { $0 }?.cancel() } }
        control.withLock { $0 = made }
        defer { control.withLock { $0 = nil } }
        let builder = IndexBuilder(catalogue: Catalogue(archive: archive.path), folder: archive.index, control: made)
        #expect(throws: CancellationError.self) { try builder.run() }
        let files = archive.words
        #expect(files.count == 1 && files.allSatisfy { !$0.hasSuffix(".new") }, "\(files)")
    }

    /// Compares pages, positions, counts and hits with those of a plain reader.
    private func expectTruth(_ archive: TemporaryArchive, _ label: String) async throws {
        let plain = try NaiveConversation(folder: archive.path + "/conversations/general", names: [:])
        let mains = plain.mains
        let store = try archive.open(index: archive.index)
        let page = try await store.page(.latest, mains.count + 1)
        let plainly = plain.page(0..<mains.count, of: mains)
        #expect(
            page.messages == plainly.messages && page.older == plainly.older && page.newer == plainly.newer, "\(label)")
        #expect(page.place == plainly.place, "\(label)")
        for (index, message) in mains.enumerated() {
            let place = try await store.place(of: message.cursor, in: general)
            #expect(place == Place(index: index, total: mains.count), "\(label)")
        }
        try await #expect(store.summary(of: general).count == plain.all.count, "\(label)")
        for word in ["red", "green", "edited", "nothing"] {
            let expected = plain.all.filter { PlainSearch.words($0.text).contains(word) }.reversed().map(\.id)
            let hits = try await store.hits(SearchRequest(Query(word), in: general)).map(\.message)
            #expect(hits == expected, "\(label): \(word)")
        }
    }

    /// Changes a conversation in the ways of people, scripts and accidents.
    private struct Writer {
        private let archive: TemporaryArchive
        /// The numbers in the file names, rising.
        private var segments: [Int] = []
        private var count = 0

        init(_ archive: TemporaryArchive) { self.archive = archive }

        mutating func change(_ random: inout SeededGenerator) throws {
            let segment = Int.random(in: segments.indices, using: &random)
            let last = segments.count - 1
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try append(count: Int.random(in: 1...9, using: &random), toNew: false, &random)
            case 1: try append(count: Int.random(in: 0...9, using: &random), toNew: true, &random)
            case 2: try replace(segment, by: lines(6, &random))
            case 3: try archive.write(path(last), String(text(last).prefix(text(last).utf8.count / 2)))
            case 4 where segments.count > 1: try remove(last)
            case 5: try archive.write(path(segment), text(segment).replacing("red", with: "gnu"))
            case 6, 7: try insert(before: segment, &random)
            case 8 where segments.count > 1: try remove(segment)
            case 9: try archive.append(path(segment), lines(3, &random))
            default: break
            }
        }

        mutating func append(count: Int, toNew: Bool, _ random: inout SeededGenerator) throws {
            if toNew {
                segments.append((segments.last ?? 400_000) + 1_000)
                try archive.write(path(segments.count - 1), lines(count, &random))
            } else {
                try archive.append(path(segments.count - 1), lines(count, &random))
            }
        }

        /// Adds a segment before or between others.
        private mutating func insert(before segment: Int, _ random: inout SeededGenerator) throws {
            let next = segments[segment]
            let number = segment == 0 ? next - 1_000 : (segments[segment - 1] + next) / 2
            if segments.contains(number) { return }
            segments.insert(number, at: segment)
            try archive.write(path(segment), lines(Int.random(in: 0...9, using: &random), &random))
        }

        private mutating func remove(_ segment: Int) throws {
            try FileManager.default.removeItem(atPath: archive.path + "/" + path(segment))
            segments.remove(at: segment)
        }

        /// Replaces the file by another one, as editors do.
        private func replace(_ segment: Int, by text: String) throws {
            try FileManager.default.removeItem(atPath: archive.path + "/" + path(segment))
            try archive.write(path(segment), text)
        }

        private func path(_ segment: Int) -> String { "conversations/general/messages-\(segments[segment]).jsonl" }

        private func text(_ segment: Int) throws -> String {
            try String(contentsOfFile: archive.path + "/" + path(segment), encoding: .utf8)
        }

        private mutating func lines(_ number: Int, _ random: inout SeededGenerator) -> String {
            var text = ""
            for _ in 0..<number {
                count += 1
                let known = "m\(Int.random(in: 0...count, using: &random))"
                let word = ["red", "green", "blue"][Int.random(in: 0..<3, using: &random)]
                let (start, from) = (#"{"at":"\#(time(count))""#, #""from":"ana""#)
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    text +=
                        start
                        + #","type":"edit","id":"e\#(count)",\#(from),"target":"\#(known)","text":"edited \#(word)"}"#
                case 1: text += start + #","type":"delete","id":"d\#(count)",\#(from),"target":"\#(known)"}"#
                case 2: text += start + #","type":"message","id":"\#(known)",\#(from),"text":"again \#(word)"}"#
                case 3: text += "no JSON"
                default:
                    let thread = Int.random(in: 0..<4, using: &random) == 0 ? #","thread":"\#(known)""# : ""
                    text +=
                        start + #","type":"message","id":"m\#(count)",\#(from),"text":"\#(word) \#(count)"\#(thread)}"#
                }
                text += "\n"
            }
            return text
        }
    }

    /// 600,000 words: more than twice as many as are kept in memory before they are written.
    @Test func `The words of long texts are written before the texts of a whole batch are read`() throws {
        let lines = (1...12).map { message("m\($0)", String(repeating: "word\($0) ", count: 50_000)) + "\n" }
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.joined())
        try archive.makeIndex()
        #expect(archive.words.count >= 2)
        try IndexCheckTests.expectRight(archive, "")
    }

    /// Each edit is longer than what a quote shows.
    @Test(arguments: [true, false])
    func `A quote has the beginning of the quoted message's current text, and the message all of it`(
        isIndexed: Bool
    ) async throws {
        let (old, new) = (String(repeating: "é", count: 3_000), String(repeating: "ü", count: 4_000))
        let archive = try TemporaryArchive(
            message("m1", old), message("m2", old), record("edit", "e1", on: "m1", more: ",\"text\":\"\(new)\""),
            message("m3", more: #","replyTo":"m1""#), message("m4", more: #","replyTo":"m2""#))
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        let page = try await store.page(PageRequest(conversation: general, position: .latest, limit: 2))
        let quoted = page.messages.map { message in
            if case .message(_, let text)? = message.quote?.content { text } else { "none" }
        }
        #expect(quoted == [new.beginning(Quote.longestText), old.beginning(Quote.longestText)])
        #expect(try await store.message(MessageID("m1"), in: general).text == new)
    }

    /// More than the places that are in memory at once.
    @Test func `A word that a text has very often keeps all its places`() async throws {
        let archive = try TemporaryArchive(
            message("m1", "first"), message("m2", String(repeating: "ab ", count: 300_000) + "cd ab"),
            message("m3", "ab cd"))
        try archive.makeIndex()
        try IndexCheckTests.expectRight(archive, "")
        let hits = try await archive.open().hits(SearchRequest(Query("\"ab cd ab\"")))
        #expect(hits.map(\.message) == ["m2"])
    }
}
