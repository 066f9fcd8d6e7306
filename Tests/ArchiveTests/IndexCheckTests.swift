import Files
import Foundation
import Index
import Messages
import Synchronization
import TestSupport
import Testing
import Words

@testable import Archive

struct IndexCheckTests {
    private static func check(_ archive: TemporaryArchive) throws -> [ConversationCheck] {
        guard case .compared(let checks) = try ArchiveIndex(archive: archive.path, in: archive.index).check() else {
            Issue.record("there is nothing to compare")
            return []
        }
        return checks
    }

    private static func faults(_ archive: TemporaryArchive) throws -> [String] {
        try check(archive).flatMap(\.faults.lines)
    }

    static func expectRight(_ archive: TemporaryArchive, _ label: String) throws {
        let faults = try faults(archive)
        #expect(faults == [], "\(label): \(faults)")
    }

    /// Rows 1 to 8, the last one in a second file; line 5 of the first file is bad.
    private static func archive() throws -> TemporaryArchive {
        let archive = try TemporaryArchive(
            message("m1", "hello world"),
            message("m2", from: "ben", minute: 9, "second text", more: #","replyTo":"m1""#),
            record("edit", "e1", on: "m1", more: #","text":"edited words""#),
            message("m3", minute: 3, "in the thread", more: #","thread":"m1""#), "broken",
            message("m2", minute: 20, "a repeat"), record("reaction", "r1", on: "m2", more: #","emoji":"👍""#),
            record("delete", "d1", on: "m3"))
        try archive.write(
            "conversations/general/messages-000002.jsonl", message("m4", minute: 4, "the last one") + "\n")
        try archive.makeIndex()
        return archive
    }

    @Test func `The progress of a check never falls`() throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, (0..<10_000).map { message("m\($0)", "red word\($0)") + "\n" }.joined())
        try archive.makeIndex()
        let seen = Mutex<[Double]>([])
        _ = try ArchiveIndex(archive: archive.path, in: archive.index).check { done, total in
            seen.withLock { $0.append(Double(done) / Double(total)) }
        }
        let shares = seen.withLock { $0 }
        #expect(shares == shares.sorted() && shares.allSatisfy { (0...1).contains($0) }, "\(shares)")
        #expect(shares.count { $0 < 1 } > 1, "\(shares)")
    }

    @Test(arguments: [5672368615217028479 as UInt64]
    )
    func `A new index has no fault, whatever the archive`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        try RandomArchiveTests.write(
            archive, count: Int.random(in: 0...300, using: &random), padding: 4_000, &random)
        let plain = try NaiveConversation(folder: archive.path + "/conversations/general", names: [:])
        try RandomArchiveTests.index(archive, .part, &random)
        try Self.expectRight(archive, "seed \(seed)")
        try archive.makeIndex()
        try Self.expectRight(archive, "seed \(seed)")
        let check = try #require(try Self.check(archive).first)
        #expect(check.messages == plain.all.count, "seed \(seed)")
        #expect(check.missingBytes == 0, "seed \(seed)")
        // One file in the middle is replaced.
        let folder = archive.path + "/conversations/general"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let name = names[Int.random(in: names.indices, using: &random)]
        try archive.write("conversations/general/" + name, message("new", "another text") + "\nbroken\n")
        try archive.makeIndex()
        let faults = try Self.faults(archive)
        #expect(faults == [], "seed \(seed): \(faults)")
        try archive.makeIndex(isRebuilding: true)
        try Self.expectRight(archive, "seed \(seed)")
    }

    @Test(arguments: ["edit", "delete"])
    func `An index has no fault after the file of an edit or a deletion was removed`(type: String) throws {
        let archive = try TemporaryArchive(message("m1", "hello"))
        let file = "conversations/general/messages-000002.jsonl"
        try archive.write(file, record(type, "e1", on: "m1", more: #","text":"edited""#) + "\n")
        try archive.makeIndex()
        try FileManager.default.removeItem(atPath: archive.path + "/" + file)
        try archive.makeIndex()
        let faults = try Self.faults(archive)
        #expect(faults == [], "\(faults)")
    }

    @Test func `A check misses nothing if the build of the index was interrupted and continued`() throws {
        let archive = try TemporaryArchive()
        // Text for two batches.
        let text = String(repeating: "long ", count: 10_000)
        try archive.write(firstSegment, (0..<240).map { message("m\($0)", text) + "\n" }.joined())
        let control = Mutex<IndexControl?>(nil)
        let stopping = IndexControl { if $0.records > 0 { control.withLock { $0 }?.cancel() } }
        control.withLock { $0 = stopping }
        let builder = IndexBuilder(
            catalogue: Catalogue(archive: archive.path), folder: archive.index, control: stopping)
        #expect(throws: CancellationError.self) { try builder.run() }
        control.withLock { $0 = nil }
        try archive.makeIndex()
        let check = try #require(try Self.check(archive).first)
        #expect(check.missingBytes == 0 && check.messages == 240 && check.isRight)
    }

    @Test func `A check misses nothing if a segment that ends within a line is followed by another one`() throws {
        let archive = try TemporaryArchive(message("m1"))
        try archive.append(firstSegment, message("m2"))
        try archive.makeIndex()
        #expect(try Self.check(archive).first?.messages == 1)
        try archive.write("conversations/general/messages-000002.jsonl", message("m3") + "\n")
        try archive.makeIndex()
        let check = try #require(try Self.check(archive).first)
        #expect(check.messages == 3 && check.missingBytes == 0 && check.isRight)
    }

    @Test func `An index of hundreds of bad lines and repeats has no fault`() throws {
        let lines = (0..<400).map { $0 % 2 == 0 ? message("m\($0 % 150)", minute: $0) : "bad" }
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.prefix(300).map { $0 + "\n" }.joined())
        try archive.makeIndex()
        try archive.append(firstSegment, lines.dropFirst(300).map { $0 + "\n" }.joined())
        try archive.makeIndex()
        try Self.expectRight(archive, "")
    }

    @Test(arguments: [
        (
            RecordDamage.change(1) { $0.kind = RecordKind(code: $0.kind.code | RecordKind.attachments) },
            "general/messages-000001.jsonl at byte 0: kind: the index says text, main, files, the file says text, main"
        ),
        (
            .change(5) { $0.kind = $0.kind.asFirst },
            "kind: the index says text, main, the file says text, main, repeated"
        ),
        (
            .change(2) { $0.kind = $0.kind.asRepeat },
            "text, main, repeated, a reply, the file says text, main, a reply"
        ),
        (
            .change(2) { $0 = $0.with(offset: 3) },
            "general/messages-000001.jsonl at byte 3: the index has a record, the file has none there"
        ),
        (
            .change(2) { $0 = $0.with(offset: 3) },
            "general/messages-000001.jsonl at byte 91: the file has a record, the index has none"
        ),
        (
            .change(3) { $0.length += 1 },
            "length: the index says "
        ),
        (
            .change(4) { $0.at += 1 },
            "time: the index says 1740000180001, the file says 1740000180000"
        ),
        (
            .change(2) { $0.sender = 0 },
            "sender: the index says nobody, the file says ben"
        ),
        (
            .change(2) { $0.sender = 77 },
            "sender: the index says a person it does not know"
        ),
        (.set(IndexTable.key(2), .peopleIDs, to: "bob"), "sender: the index says bob, the file says ben"),
        (
            .change(1) { $0.hash = 7 },
            "hash of its ID: the index says 7"
        ),
        (
            .change(3) { $0.target = 0 },
            "target: the index says 0"
        ),
        (
            .remove(4),
            "the file has a record, the index has none"
        ),
        (.segment(1) { $0.problems = 9 }, "lines skipped: the index says 9, the file says 2"),
        (.segment(1) { $0.lines = 2 }, "general/messages-000001.jsonl: lines: the index says 2, the file says 8"),
        (.segment(2) { $0.tail = 2 }, "general/messages-000002.jsonl: hash of its end: the index says 2"),
        (
            .segment(1) { $0.stamp = FileStamp(size: 1, inode: 1, seconds: 0, nanoseconds: 0) },
            "another state of it: 1 bytes"
        ),
        (.segment(2) { $0.size = 10_000_000 }, "another state of it"),
        (
            .set(IndexTable.key(1, 32_768, 5), .problems, to: "fine"),
            "messages-000001.jsonl:5: fine: recorded in the index, but not found in the file"
        ),
        (
            .set(IndexTable.key(1, 32_768, 5), .problems, to: nil),
            "messages-000001.jsonl:5: not valid JSON; the line is skipped: found in the file, but not recorded in the index"
        ),
        (
            .set(Array("old".utf8), .conversations, to: "        "),
            "the index says there is such a conversation, the archive has none"
        ),
    ])
    func `Each difference of the records is found and named`(damage: RecordDamage, fault: String) throws {
        let archive = try Self.archive()
        try Self.expectRight(archive, "")
        try Self.damage(archive, damage)
        let faults = try Self.faults(archive)
        #expect(faults.contains { $0.contains(fault) }, "\(faults)")
        #expect(try Self.check(archive).allSatisfy { $0.isRight } == false)
    }

    /// A change to the records of `archive()`, by a writer that is wrong.
    enum RecordDamage: Sendable {
        /// Changes a record, 1 to 8.
        case change(Int64, @Sendable (inout IndexRecord) -> Void)
        case remove(Int64)
        /// Changes the entry of a segment, 1 or 2.
        case segment(Int64, @Sendable (inout IndexedSegment) -> Void)
        case set([UInt8], IndexTable, to: String?)
    }

    private static func damage(_ archive: TemporaryArchive, _ damage: RecordDamage) throws {
        try rewrite(archive) { records, writer in
            switch damage {
            case .change(let number, let change):
                var record = try #require(records[row(number)])
                change(&record)
                records[row(number)] = record
            case .remove(let number): records[row(number)] = nil
            case .segment(let number, let change):
                let known = IndexTable.key(1, 32_764 + 4 * number)
                let value = try #require(try writer.value(of: known, in: .segments))
                var segment = value.withUnsafeBytes { IndexedSegment(number: 32_764 + 4 * number, $0) }
                change(&segment)
                segment.save(of: 1, to: writer)
            case .set(let key, let table, let value):
                writer.set(key, in: table, to: value.map { Array($0.utf8) })
            }
        }
    }

    /// Makes the index anew with other records or entries.
    private static func rewrite(
        _ archive: TemporaryArchive, _ change: (inout [Int64: IndexRecord], IndexWriter) throws -> Void
    ) throws {
        let former = try #require(try archive.index.files.snapshot())
        archive.index.files.removeAll()
        let writer = try IndexWriter(archive.index.files)
        for table in UInt8(1)...10 {
            try former.forEachEntry(of: table) { key, value in
                writer.part.set(Array(key), in: table, to: Array(value))
                return true
            }
        }
        var records: [Int64: IndexRecord] = [:]
        try former.forEach(in: 0..<Int64.max) { row, record in
            records[row] = record
            return true
        }
        try change(&records, writer)
        for (row, record) in records.sorted(by: { $0.key < $1.key }) { writer.part.add(record, at: row) }
        try writer.commit(isMerging: true)
    }

    /// A change to the words of `archive()`.
    enum Damage: Sendable {
        /// Additional words for the last message.
        case besides(String)
        /// Other words instead of those of the last message.
        case instead(String)
        /// Sets the record whose text is the current one of a message; nil for a deleted message.
        case amendment(Int64, text: Int64?)
    }

    /// - Parameter record: 1 to 7 in the first file, 8 in the second.
    private static func row(_ record: Int64) -> Int64 {
        record < 8
            ? RecordRow(conversation: 1, segment: 32_768, sequence: record).number
            : RecordRow(conversation: 1, segment: 32_772, sequence: record - 7).number
    }

    /// The progress of both files.
    private static func progress(_ progress: (_ last: Int64) -> WordProgress) -> [Int64: WordProgress] {
        Dictionary(uniqueKeysWithValues: [row(7), row(8)].map { (RecordRow($0).segmentKey, progress($0)) })
    }

    private static func damage(_ archive: TemporaryArchive, _ damage: Damage) throws {
        func add(_ text: String, row sequence: Int64, isEdit: Bool = false, to writer: WordWriter) {
            var text = text
            text.withUTF8 { writer.add(UnsafeRawBufferPointer($0), row: row(sequence), isEdit: isEdit) }
        }
        switch damage {
        case .besides(let text):
            let writer = try WordWriter(archive.index.files)
            add(text, row: 8, to: writer)
            try writer.commit([:])
        case .instead(let text):
            try archive.removeWords()
            let writer = try WordWriter(archive.index.files)
            add("hello world", row: 1, to: writer)
            add("second text", row: 2, to: writer)
            add("edited words", row: 3, isEdit: true, to: writer)
            add("in the thread", row: 4, to: writer)
            if !text.isEmpty { add(text, row: 8, to: writer) }
            writer.amend(row(1), text: row(3))
            writer.amend(row(4), text: nil)
            try writer.commit(progress { WordProgress(messages: $0, edits: $0) })
        case .amendment(let message, let text):
            let writer = try WordWriter(archive.index.files)
            writer.amend(row(message), text: text.map(row))
            try writer.commit([:])
        }
    }

    private static let last = "messages-000002.jsonl at byte 0: "

    @Test(arguments: [
        (Damage.besides("besides"), last + "the index has other words than the file"),
        (.instead(""), last + "the index has other words than the file"),
        (.instead("the one last"), last + "the index has other words than the file"),
        (.amendment(8, text: nil), last + "the index says it is deleted, the file says it is not"),
        (.amendment(8, text: 3), last + "the index has the words of another version than the file"),
        // The text of the first message before its edit.
        (.amendment(1, text: 1), "messages-000001.jsonl at byte 0: the index has the words of another version"),
        (.amendment(4, text: 4), "the index has words of it, the file says it is deleted"),
    ])
    func `Each damage to the words is found, and the message is named`(damage: Damage, fault: String) throws {
        let archive = try Self.archive()
        try Self.expectRight(archive, "")
        #expect(try Self.check(archive).first?.missingWords == 0)
        try Self.damage(archive, .instead("the last one"))
        try Self.expectRight(archive, "")
        try Self.damage(archive, damage)
        let faults = try Self.faults(archive)
        #expect(faults.count == 1, "\(faults)")
        #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    }

    @Test func `Words that are not indexed yet are no fault`() throws {
        let archive = try Self.archive()
        let writer = try WordWriter(archive.index.files)
        try writer.commit(Self.progress { WordProgress(messages: $0, edits: 0) })
        try Self.expectRight(archive, "")
        #expect(try Self.check(archive).first?.missingWords == 2)
        try writer.commit(Self.progress { _ in WordProgress() })
        try Self.expectRight(archive, "")
        #expect(try Self.check(archive).first?.missingWords == 4)
        try archive.removeWords()
        try Self.expectRight(archive, "")
        #expect(try Self.check(archive).first?.missingWords == 4)
    }

    @Test func `Files that have grown are no fault, replaced files are`() throws {
        let archive = try Self.archive()
        let last = "conversations/general/messages-000002.jsonl"
        let line = message("m5") + "\n"
        try archive.append(last, line)
        try archive.write("conversations/general/messages-000003.jsonl", line)
        try archive.write("conversations/new/messages-000001.jsonl", line)
        let checks = try Self.check(archive)
        #expect(checks.map(\.faults.lines) == [[], []])
        #expect(checks.map(\.missingBytes) == [Int64(2 * line.utf8.count), Int64(line.utf8.count)])
        #expect(checks.map(\.isUnknown) == [false, true])
        // An incomplete line does not count as missing.
        try archive.makeIndex()
        try archive.append("conversations/new/messages-000001.jsonl", #"{"type":"mess"#)
        #expect(try Self.check(archive).map(\.missingBytes) == [0, 0])
        try archive.write(last, message("m6") + "\n")
        #expect(
            try Self.faults(archive).contains {
                $0.contains("general/messages-000002.jsonl: the index says it was another")
            })
        try FileManager.default.removeItem(atPath: archive.path + "/conversations/general/messages-000003.jsonl")
        try FileManager.default.removeItem(atPath: archive.path + "/" + last)
        #expect(
            try Self.faults(archive) == ["general/messages-000002.jsonl: the index has it, but the file does not exist"]
        )
    }

    @Test func `Many faults are listed in twenty lines and a number`() throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, (0..<100).map { message("m\($0)") + "\n" }.joined())
        try archive.makeIndex()
        try Self.rewrite(archive) { records, _ in
            for row in records.keys { records[row]?.length = 1 }
        }
        let check = try #require(try Self.check(archive).first)
        #expect(check.faults.lines.count == 20 && check.faults.more == 80)
    }

    @Test func `A missing, incomplete or broken index is reported`() throws {
        let archive = try TemporaryArchive(message("m1"))
        let index = ArchiveIndex(archive: archive.path, in: archive.index)
        func isMissing() throws -> Bool { if case .missing = try index.check() { true } else { false } }
        #expect(try isMissing())
        #expect(!FileManager.default.fileExists(atPath: archive.index.path), "nothing is made by it")
        try archive.makeIndex()
        try Self.rewrite(archive) { _, writer in
            var state = try #require(try IndexState(writer.value(of: [], in: .state) ?? []))
            state.isReady = false
            writer.set([], in: .state, to: state.bytes)
        }
        #expect(try isMissing())
        try Self.rewrite(archive) { _, writer in writer.set([], in: .state, to: entry(99)) }
        #expect(try isMissing())
        for name in ["words", "manifest"] {
            try archive.makeIndex(isRebuilding: true)
            let path = try name == "words" ? #require(archive.words.first) : archive.index.path + "/" + name
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in stride(from: 5, to: data.count, by: 97) { data[index] ^= 0x5A }
            try data.write(to: URL(fileURLWithPath: path))
            guard case .broken(let reason) = try index.check() else {
                Issue.record("\(name) is not broken")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }

    @Test func `Each changed byte of a part is noticed`() throws {
        let archive = try Self.archive()
        let index = ArchiveIndex(archive: archive.path, in: archive.index)
        let names = try FileManager.default.contentsOfDirectory(atPath: archive.index.path)
        let path = archive.index.path + "/" + (try #require(names.first { $0.hasPrefix("part-") }))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for offset in stride(from: 0, to: whole.count, by: 13) {
            var data = whole
            data[offset] ^= 0x10
            try data.write(to: URL(fileURLWithPath: path))
            guard case .broken = try index.check() else {
                Issue.record("byte \(offset)")
                continue
            }
        }
    }
}

extension IndexRecord {
    fileprivate func with(offset: Int64) -> IndexRecord {
        IndexRecord(kind: kind, hash: hash, target: target, at: at, offset: offset, length: length, sender: sender)
    }
}
