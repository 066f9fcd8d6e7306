import Formats
import Foundation
import Logging
import Messages
import Testing

@testable import Mirror

struct MirrorTests {
    private static func lines(_ range: Range<Int>, _ text: String = "hello") -> String {
        range.map { "m\($0) \(text)\n" }.joined()
    }

    private static func ids(_ range: Range<Int>) -> [String] { range.map { "m\($0)" } }

    @Test func `an export is shown whole, and its files stay as they are`() async throws {
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        let before = try Data(contentsOf: URL(fileURLWithPath: export.source + "/general.lines"))
        #expect(try await export.messages("general") == MirrorTests.ids(0..<10))
        #expect(try Data(contentsOf: URL(fileURLWithPath: export.source + "/general.lines")) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: export.source) == ["general.lines"])
    }

    @Test func `a mirror is closed to others`() async throws {
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        let all = try #require(FileManager.default.enumerator(atPath: export.files.root))
        for case let path as String in all {
            let mode = try FileManager.default.attributesOfItem(atPath: export.files.root + "/" + path)[
                .posixPermissions]
            #expect((mode as? Int ?? 0o777) & 0o077 == 0, "\(path)")
        }
    }

    @Test func `a large file becomes pieces, of which the last one alone gives the newest page`() async throws {
        let text = String(repeating: "x", count: 200)
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<40_000, text)])
        let store = try export.open(first: "general")
        let page = try await store.page(
            PageRequest(conversation: ConversationID("general"), position: .latest, limit: 50))
        #expect(page.messages.map(\.id.rawValue) == MirrorTests.ids(39_950..<40_000))
        try await store.settle()
        #expect(try await TestExport.ids(of: store, "general") == MirrorTests.ids(0..<40_000))
        #expect(export.segments("general").count > 2)
    }

    @Test func `a message in the middle of a large file is shown between its neighbours`() async throws {
        let text = String(repeating: "x", count: 200)
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<40_000, text)])
        let store = try export.open(first: "general", message: "m20000")
        let page = try await store.page(
            PageRequest(conversation: ConversationID("general"), position: .message(MessageID("m20000")), limit: 20))
        #expect(page.focus == MessageID("m20000"))
        #expect(page.messages.map(\.id.rawValue) == MirrorTests.ids(19_990..<20_010))
        guard case .more(let older, _) = page.older, case .more(let newer, _) = page.newer else {
            Issue.record("the page ends the conversation")
            return
        }
        let before = try await store.page(
            PageRequest(conversation: ConversationID("general"), position: .before(older), limit: 20))
        let after = try await store.page(
            PageRequest(conversation: ConversationID("general"), position: .after(newer), limit: 20))
        #expect(before.messages.last?.id == MessageID("m19989"))
        #expect(after.messages.first?.id == MessageID("m20010"))
    }

    @Test func `a file that has grown is read from its old end`() async throws {
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        let segment = export.files.segment(1, of: "general")
        let inode = try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int
        try export.append(MirrorTests.lines(10..<15), to: "general.lines")
        #expect(try await export.messages("general") == MirrorTests.ids(0..<15))
        #expect(try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int == inode)
        #expect(ConversationBuilder.state(of: "general", in: export.files)?.tail?.converter == "15")
    }

    @Test func `an incomplete last line waits for its rest`() async throws {
        let export = try TestExport(["general.lines": "m0 a\nm1 b"])
        #expect(try await export.messages("general") == ["m0"])
        try export.append("c\nm2 d\n", to: "general.lines")
        #expect(try await export.messages("general") == ["m0", "m1", "m2"])
    }

    @Test func `a file that was replaced is read anew`() async throws {
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        try export.write(MirrorTests.lines(5..<20), to: "general.lines")
        #expect(try await export.messages("general") == MirrorTests.ids(5..<20))
    }

    @Test func `a conversation that the export no longer holds is gone`() async throws {
        let export = try TestExport(["a.lines": "m0 x\n", "b.lines": "m1 y\n"])
        _ = try await export.messages("a")
        try FileManager.default.removeItem(atPath: export.source + "/b.lines")
        let store = try export.open()
        try await store.settle()
        #expect(try await store.conversations().map(\.id.rawValue) == ["a"])
    }

    @Test func `another zone changes times, and neither IDs nor places`() async throws {
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        let zone = Zone(secondsEast: 3_600)
        let store = try export.open(first: "general", zone: zone)
        try await store.settle()
        let message = try await store.message(MessageID("m4"), in: ConversationID("general"))
        #expect(message.at.milliseconds == 4_000 - 3_600_000)
        #expect(try await TestExport.ids(of: store, "general") == MirrorTests.ids(0..<10))
    }

    @Test func `records of overlapping files are ordered by their keys, and the newest file wins`() async throws {
        let export = try TestExport(["a.1.keyed": "m3 old\nm1 one\n", "a.2.keyed": "m4 four\nm3 new\nm2 two\n"])
        let store = try export.open(first: "a")
        try await store.settle()
        #expect(try await TestExport.ids(of: store, "a") == ["m1", "m2", "m3", "m4"])
        #expect(try await store.message(MessageID("m3"), in: ConversationID("a")).text == "new")
    }

    @Test func `a conversation is found by another ID of its service`() async throws {
        let export = try TestExport(["general.lines": "m0 x\n"])
        let store = try export.open()
        #expect(store.resolved(Link("alias-general/m0")) == Link("general/m0"))
        #expect(store.resolved(Link("general/m0")) == Link("general/m0"))
    }

    @Test func `thousands of conversations of one name get IDs of their own`() {
        let all =
            (0..<5_000).map { _ in ForeignConversation(id: "one", feeds: []) }
            + [ForeignConversation(id: "one-7", feeds: [])]
        let ids = ConversationNames.unique(all).map(\.id)
        #expect(Set(ids).count == all.count)
        #expect(ids[..<3] == ["one", "one-2", "one-3"] && ids[4_999] == "one-5000")
    }

    @Test func `a folder of very many folders is left before all of them are looked at`() throws {
        let export = try TestExport()
        for number in 0...DiskSource.manyEntries {
            try FileManager.default.createDirectory(
                atPath: "\(export.source)/\(number)", withIntermediateDirectories: false)
        }
        try export.write("m0 x\n", to: "7/general.lines")
        #expect {
            try export.open()
        } throws: { error in
            "\(error)".contains("holds more than 20000 files and folders, and none at its top belongs to an export")
        }
    }

    @Test func `a folder of very many files is left where its first levels hold no export`() throws {
        let export = try TestExport()
        for number in 0...20_000 {
            _ = FileManager.default.createFile(atPath: "\(export.source)/\(number).png", contents: nil)
        }
        try export.write("m0 x\n", to: "deep/er/general.lines")
        #expect {
            try export.open()
        } throws: { error in
            "\(error)".contains(
                "holds more than 20000 files and folders, and none at its top belongs to an export that Kedge reads"
            )
        }
        // What a format knows is read whole, however many pictures lie beside it.
        try export.write("m0 x\n", to: "general.lines")
        #expect(try export.open().onlyConversation == ConversationID("general"))
    }

    @Test func `nothing can be written`() async throws {
        let export = try TestExport(["general.lines": "m0 x\n"])
        let store = try export.open()
        let obstacle = await store.obstacle(in: ConversationID("general"))
        #expect(obstacle == "read-only export; kedge import makes an archive to write in")
        #expect(store.advice.contains("`kedge import \(export.source) FOLDER`"))
    }

    @Test func `a mirror that was cut off anywhere goes on`() async throws {
        let text = String(repeating: "x", count: 200)
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<40_000, text)])
        _ = try await export.messages("general")
        let whole = try #require(ConversationBuilder.state(of: "general", in: export.files))
        for count in 0..<whole.pieces.count {
            // As if only the last pieces had been made.
            var state = whole
            for index in 0..<whole.pieces.count - count {
                state.pieces[index].size = nil
                unlink(export.files.segment(whole.pieces[index].segment, of: "general"))
            }
            if count == 0 { state.tail = nil }
            try MirrorFiles.replace(export.files.state(of: "general"), by: state.text(of: "general"))
            var header = try #require(MirrorFiles.text(export.files.source).flatMap(MirrorHeader.init(text:)))
            header.listing = nil
            try MirrorFiles.replace(export.files.source, by: header.text)
            #expect(try await export.messages("general") == MirrorTests.ids(0..<40_000))
        }
    }

    @Test func `lines after what the state tells are written once`() async throws {
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        // As if a process had been killed between the segment and the state.
        let state = try #require(MirrorFiles.text(export.files.state(of: "general")))
        try export.append(MirrorTests.lines(10..<15), to: "general.lines")
        _ = try await export.messages("general")
        try MirrorFiles.replace(export.files.state(of: "general"), by: state)
        try export.append(MirrorTests.lines(15..<16), to: "general.lines")
        #expect(try await export.messages("general") == MirrorTests.ids(0..<16))
    }

    @Test func `a large addition that was cut off is written once`() async throws {
        let text = String(repeating: "x", count: 200)
        let export = try TestExport(["general.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        try export.append(MirrorTests.lines(10..<60_000, text), to: "general.lines")
        let old = try #require(MirrorFiles.text(export.files.state(of: "general")))
        _ = try await export.messages("general")
        // As if a process had been killed before it saved the state, after it had begun another segment.
        try MirrorFiles.replace(export.files.state(of: "general"), by: old)
        try MirrorFiles.replace(export.files.segment(2, of: "general"), by: "{}\n")
        var header = try #require(MirrorFiles.text(export.files.source).flatMap(MirrorHeader.init(text:)))
        header.listing = nil
        try MirrorFiles.replace(export.files.source, by: header.text)
        #expect(try await export.messages("general") == MirrorTests.ids(0..<60_000))
        #expect(export.segments("general") == ["messages-000001.jsonl"])
    }

    @Test func `a log that is renamed and begun anew goes on in the same conversation`() async throws {
        let export = try TestExport(["general.2.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        let segment = export.files.segment(1, of: "general")
        let inode = try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int
        try export.append("m10 late\n", to: "general.2.lines")
        try FileManager.default.moveItem(
            atPath: export.source + "/general.2.lines", toPath: export.source + "/general.1.lines")
        try export.write(MirrorTests.lines(11..<15), to: "general.2.lines")
        #expect(try await export.messages("general") == MirrorTests.ids(0..<15))
        #expect(try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int == inode)
    }

    @Test func `a new file of a known conversation is read by a command that does not stay`() async throws {
        let export = try TestExport(["general.1.lines": MirrorTests.lines(0..<10)])
        _ = try await export.messages("general")
        try export.write(MirrorTests.lines(10..<15), to: "general.2.lines")
        let id = ConversationID("general")
        #expect(try await export.open().summary(of: id).count == 15)
        try export.write(MirrorTests.lines(15..<20), to: "general.3.lines")
        #expect(try await TestExport.ids(of: export.open(), "general") == MirrorTests.ids(0..<20))
    }

    @Test func `what no format recognises is told with the formats that there are`() throws {
        let export = try TestExport(["notes.doc": "nothing"])
        #expect { try export.open() } throws: { error in "\(error)".contains("lines") }
    }

    /// A zip of files that are not compressed.
    static func zip(_ files: [(name: String, text: String)]) -> Data {
        zip(files.map { ($0.name, Array($0.text.utf8)) })
    }

    static func zip(_ files: [(name: String, bytes: [UInt8])]) -> Data {
        func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
        func check(_ bytes: [UInt8]) -> Int {
            var sum: UInt32 = ~0
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
            return Int(~sum)
        }
        var (body, list): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in files {
            let sizes = number(check(bytes), 4) + number(bytes.count, 4) + number(bytes.count, 4)
            let head = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 4) + sizes
            let names = number(name.utf8.count, 2) + number(0, 2)
            list += [0x50, 0x4B, 1, 2] + number(20, 2) + head + names + number(0, 10) + number(body.count, 4)
            list += Array(name.utf8)
            body += [0x50, 0x4B, 3, 4] + head + names + Array(name.utf8) + bytes
        }
        let end = number(0, 4) + number(files.count, 2) + number(files.count, 2) + number(list.count, 4)
        return Data(body + list + [0x50, 0x4B, 5, 6] + end + number(body.count, 4) + number(0, 2))
    }

    static func open(_ bytes: Data) throws -> (export: TestExport, store: MirroredStore) {
        let export = try TestExport()
        let path = export.root + "/chats.zip"
        try bytes.write(to: URL(fileURLWithPath: path))
        let store = try Export.open(
            path: path, index: export.index, zone: .utc, keepsIndex: false, formats: Formats.all,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return (export, store)
    }

    @Test(arguments: ["talk.irc", "talk.log.1", "talk.2024-01-01", "talk"])
    func `a zip is read like a folder, whatever the endings of its files`(name: String) async throws {
        let log = (10..<60).map { "[2024-01-01 10:\($0):00] <ana> message \($0)\n" }.joined()
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0, 0]
        let (export, store) = try Self.open(
            Self.zip([(name, Array(log.utf8)), ("a.raw", picture), ("empty.raw", [])]))
        try await store.settle()
        #expect(try await store.conversations().count == 1)
        #expect(try await TestExport.ids(of: store, store.conversations()[0].id.rawValue).count == 50)
        #expect(await store.problems() == [])
        withExtendedLifetime(export) {}
    }

    @Test(arguments: [0, 10, 60, 120, 2_000]) func `a zip that is cut off says so, and shows what is left`(
        missing: Int
    ) async throws {
        let log = (10..<60).map { "[2024-01-01 10:\($0):00] <ana> message \($0)\n" }.joined()
        let bytes = Self.zip([("a.log", log), ("b.log", log), ("c.log", log)])
        let (export, store) = try Self.open(bytes.dropLast(missing))
        try await store.settle()
        let problems = await store.problems()
        #expect(
            problems.contains { $0.hasPrefix("chats.zip: is cut off or damaged (") } == (missing > 0), "\(problems)")
        #expect(try await store.conversations().count == (missing == 2_000 ? 2 : 3))
        withExtendedLifetime(export) {}
    }

    @Test(arguments: [
        (0, "chats.zip: the file is empty"), (2, "is not a zip file"), (60, "is cut off or damaged"),
    ])
    func `a zip of which hardly anything is left says so`(size: Int, words: String) throws {
        let bytes = Self.zip([("a.json", "[]"), ("b.log", String(repeating: "x", count: 99))])
        #expect { try Self.open(bytes.prefix(size)) } throws: { error in "\(error)".contains(words) }
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C], "cannot be unpacked (truncated gzip input)"),
            ([], "cannot be unpacked (it is empty)"),
            (Array("m1 x\n".utf8), "cannot be unpacked (it is not compressed)"),
        ] as [([UInt8], String)])
    func `a folder of a broken compressed log alone is not called empty`(bytes: [UInt8], words: String) throws {
        let export = try TestExport()
        try Data(bytes).write(to: URL(fileURLWithPath: export.source + "/a.lines.gz"))
        #expect(throws: StoreError.unreadable("\(export.source): a.lines.gz: \(words); copy or download it again")) {
            try export.open()
        }
    }

    @Test func `a folder in which no name is UTF-8 says so`() throws {
        let export = try TestExport()
        let path = Array(export.source.utf8CString.dropLast()) + [0x2F, 0x61, -1, 0]
        #expect(mkdir(path, 0o700) == 0)
        defer { rmdir(path) }
        #expect { try export.open() } throws: { error in "\(error)".contains("its name is not UTF-8; rename it") }
    }

    @Test func `thousands of compressed files beside thousands of others are told apart at once`() throws {
        let names = (0..<20_000).flatMap { ["page number \($0).gz", "page number \($0).txt"] }
        let source = Source(Dictionary(uniqueKeysWithValues: names.map { ($0, [UInt8]()) }))
        let export = try TestExport()
        var problems: [ForeignProblem] = []
        let time = try ContinuousClock().measure {
            let found = try Unpacked.source(source, at: export.source, files: export.files, &problems)
            #expect(found.files.count == 20_000)
        }
        #expect(time < .seconds(10))
    }

    @Test func `compressed logs of a folder are read beside the others, and a broken one hides none`() async throws {
        let export = try TestExport(["b.lines": "m3 x\n"])
        for (name, text) in [("a.lines", "m1 x\nm2 y\n"), ("c.lines", "m5 x\n")] {
            try export.write(text, to: name)
            let gzip = Process()
            gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
            gzip.arguments = [export.source + "/" + name]
            try gzip.run()
            gzip.waitUntilExit()
        }
        let bzip2 = "QlpoOTFBWSZTWXtM9L4AAAHZgAAQQAAAgAACAEAgADDNAMGhjHF3JFOFCQe0z0vg"
        try #require(Data(base64Encoded: bzip2)).write(to: URL(fileURLWithPath: export.source + "/d.lines.bz2"))
        let packed = try Data(contentsOf: URL(fileURLWithPath: export.source + "/c.lines.gz"))
        try packed.prefix(12).write(to: URL(fileURLWithPath: export.source + "/c.lines.gz"))
        #expect(try await export.messages("a") == ["m1", "m2"])
        #expect(try await export.messages("b") == ["m3"])
        #expect(try await export.messages("d") == ["m7"])
    }
}
