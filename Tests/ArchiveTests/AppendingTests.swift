import ArchiveFormat
import Files
import Foundation
import Glibc
import Logging
import Messages
import Testing

@testable import Archive

/// The state of the files after a writer has finished or was interrupted.
struct AppendingTests {
    private let line = String(
        decoding: RecordEncoder.line(post("p-1", .message(text: "a \"tide\" of 潮\n🌊}", replyTo: "m-1", thread: nil))),
        as: UTF8.self)

    @Test func `The first line creates the first segment`() async throws {
        let archive = try TemporaryArchive()
        try archive.write("conversations/general/conversation.json", "{}")
        let before = try archive.files()
        try await archive.open(index: nil).send(post("p-1"), to: general)
        let written = String(decoding: RecordEncoder.line(post("p-1")), as: UTF8.self)
        #expect(try archive.files() == before.merging(["/" + firstSegment: Data(written.utf8)]) { $1 })
    }

    @Test func `Appending removes an incomplete last line and terminates a complete one`()
        async throws
    {
        let old = message("m-1") + "\n"
        let bytes = Array(line.utf8)
        let next = String(decoding: RecordEncoder.line(post("p-2")), as: UTF8.self)
        for count in 0...bytes.count {
            let archive = try TemporaryArchive()
            try archive.write(firstSegment, Data(old.utf8) + bytes[..<count])
            try await archive.open(index: nil).send(post("p-2"), to: general)
            // The line is complete even if only its line feed is missing.
            let kept = count >= bytes.count - 1 ? line : ""
            #expect(try archive.log() == old + kept + next, "\(count) of \(bytes.count) bytes")
        }
    }

    @Test(arguments: [
        ("{\"type\":\"poll\",\"of a\":\"later version\"}", true), ("{\"no\":\"record\"}", true), ("[1,2]", true),
        (#"{"type":"message","id":"x","at":"2025-03-01T09:12:33Z","from":nan}"#, true),
        (#"{"type":"message","from":n"#, false), (#"{"type":"message","from":nul}"#, true),
        (#"{"type":"message","text":"a}","from":n"#, false), (#"{"type":"message","text":"\"}"#, false),
        (#"{"text":"","list":[{"a":1},{"#, false), (#"{"text":"","list":[{"a":1},{]}}"#, true),
        ("{\"type\":\"message\"} {", false), ("\0\0\0\0\0\0", false), ("   ", false),
        ("\u{FEFF}{\"type\":\"message\",", false), (String(repeating: "x", count: 10_000), false),
    ])
    func `Appending repairs only the end of the log and changes nothing before it`(
        tail: String, isKept: Bool
    ) async throws {
        for old in ["", "not a record\r\n\n" + message("m-1") + "\n"] {
            let archive = try TemporaryArchive()
            try archive.write(firstSegment, old + tail)
            try await archive.open(index: nil).send(post("p-2"), to: general)
            let next = String(decoding: RecordEncoder.line(post("p-2")), as: UTF8.self)
            #expect(try archive.log() == old + (isKept ? tail + "\n" : "") + next)
        }
    }

    @Test func `A segment of 8 MiB is full, and the next line starts a new one`() async throws {
        let archive = try TemporaryArchive()
        let filler = message("m-1", String(repeating: "x", count: Int(SegmentFile.full) - 200)) + "\n"
        let rest = Int(SegmentFile.full) - filler.utf8.count
        let last = message("m-2") + String(repeating: " ", count: rest - message("m-2").utf8.count - 2)
        try archive.write(firstSegment, filler + last + "\n")
        chmod(archive.path + "/" + firstSegment, 0o600)
        let store = try archive.open(index: nil)
        // One byte below the limit.
        try await store.send(post("p-1"), to: general)
        #expect(try archive.segments() == ["messages-000001.jsonl"])
        try await store.send(post("p-2"), to: general)
        try await store.send(post("p-3"), to: general)
        #expect(try archive.segments() == ["messages-000001.jsonl", "messages-000002.jsonl"])
        let second = String(decoding: RecordEncoder.line(post("p-2")) + RecordEncoder.line(post("p-3")), as: UTF8.self)
        #expect(try archive.log(2) == second)
        #expect(try await store.allIDs() == ["m-1", "m-2", "p-1", "p-2", "p-3"])
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: archive.path + "/conversations/general/messages-000002.jsonl")[.posixPermissions] as? Int
        #expect(mode == 0o600, "nobody reads the new one who may not read the old one")
        // A retry finds its line in any segment.
        for id in ["m-1", "p-1", "p-3"] { try await store.send(post(id), to: general, isRetry: true) }
        #expect(try await store.allIDs() == ["m-1", "m-2", "p-1", "p-2", "p-3"])
    }

    @Test(arguments: [(0, 2), (1, 1)])
    func `A segment is full with its last byte and not before`(missing: Int, segments: Int) async throws {
        let archive = try TemporaryArchive()
        let frame = message("m-1", "").utf8.count + 1
        let text = String(repeating: "x", count: Int(SegmentFile.full) - frame - missing)
        try archive.write(firstSegment, message("m-1", text) + "\n")
        try await archive.open(index: nil).send(post("p-1"), to: general)
        #expect(try archive.segments().count == segments)
    }

    @Test func `The end of a full segment is repaired before a new one begins`() async throws {
        let archive = try TemporaryArchive()
        let old = message("m-1", String(repeating: "x", count: Int(SegmentFile.full))) + "\n"
        try archive.write(firstSegment, old + "{\"type\":\"mess")
        try await archive.open(index: nil).send(post("p-1"), to: general)
        #expect(try archive.log() == old)
        #expect(try archive.log(2) == String(decoding: RecordEncoder.line(post("p-1")), as: UTF8.self))
    }

    @Test func `If no name sorts after the last one, its segment grows`() async throws {
        let archive = try TemporaryArchive()
        let old = message("m-1", String(repeating: "x", count: Int(SegmentFile.full))) + "\n"
        try archive.write("conversations/general/messages-999999.jsonl", old)
        try await archive.open(index: nil).send(post("p-1"), to: general)
        #expect(try archive.segments() == ["messages-999999.jsonl"])
        #expect(try await archive.open(index: nil).allIDs() == ["m-1", "p-1"])
    }

    @Test func `A folder in place of the next segment is left alone`() async throws {
        let archive = try TemporaryArchive(message("m-1", String(repeating: "x", count: Int(SegmentFile.full))))
        let path = archive.path + "/conversations/general/messages-000002.jsonl"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let store = try archive.open(index: nil)
        let reason = "\(path): is in the place of the next file; move it away and send again"
        await #expect(throws: StoreError.notSent(reason)) { try await store.send(post("p-1"), to: general) }
        #expect(try await store.ids() == ["m-1"])
    }

    @Test func `A retry writes its post only if it is not in the log yet`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let store = try archive.open(index: nil)
        // Other lines that mention an ID do not count as a message with that ID.
        try archive.append(firstSegment, message("m-2", #"\"id\":\"p-1\""#, more: #","replyTo":"p-1""#) + "\n")
        try await store.send(post("p-1"), to: general, isRetry: true)
        let before = try archive.files()
        for _ in 0..<3 { try await store.send(post("p-1"), to: general, isRetry: true) }
        #expect(try archive.files() == before)
        #expect(try await store.ids() == ["m-1", "m-2", "p-1"])
    }

    @Test func `A retry replaces the incomplete line of the first try`() async throws {
        let bytes = RecordEncoder.line(post("p-1"))
        for count in 0...bytes.count {
            let archive = try TemporaryArchive()
            try archive.write(firstSegment, Data(bytes[..<count]))
            try await archive.open(index: nil).send(post("p-1"), to: general, isRetry: true)
            #expect(try archive.log() == String(decoding: bytes, as: UTF8.self), "\(count)")
        }
    }

    @Test func `Concurrent writers lose and duplicate nothing`() async throws {
        // An incomplete line must be removed first, then a new segment started.
        let archive = try TemporaryArchive()
        let full = message("m-1", String(repeating: "x", count: Int(SegmentFile.full)))
        try archive.write(firstSegment, full + "\n{\"type\":")
        let stores = try (0..<4).map { _ in try archive.open(index: nil) }
        try await withThrowingTaskGroup { group in
            for (writer, store) in stores.enumerated() {
                group.addTask {
                    for number in 0..<25 {
                        let own = post("w\(writer)-\(number)")
                        try await store.send(own, to: general)
                        if number.isMultiple(of: 5) { try await store.send(own, to: general, isRetry: true) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let ids = try await stores[0].allIDs()
        #expect(ids.count == 101)
        #expect(Set(ids).count == 101)
        for writer in 0..<4 {
            #expect(ids.filter { $0.hasPrefix("w\(writer)-") } == (0..<25).map { "w\(writer)-\($0)" })
        }
        #expect(await stores[0].problems() == [])
    }

    /// The writer never gives up here, since a busy machine may take minutes to come to the question.
    @Test(arguments: [0, 1, 2])
    func `A writer that waits for a lock delays no page and writes when the lock is released`(question: Int)
        async throws
    {
        let archive = try TemporaryArchive(message("m-1"))
        var pace = SettlingPace.quick
        pace.lock = .seconds(3_600)
        let store = try archive.open(index: nil, pace: pace)
        // The first page makes the lazy preparations.
        #expect(try await store.ids() == ["m-1"])
        let folder = open(archive.path + "/conversations/general", O_RDONLY | O_DIRECTORY)
        #expect(flock(folder, LOCK_EX) == 0)
        async let sent: Void = store.send(post("p-1"), to: general)
        switch question {
        case 0: #expect(try await store.ids() == ["m-1"])
        case 1: #expect(await store.obstacle(in: general) == nil)
        default: #expect(try await store.ids(.latest) == ["m-1"])
        }
        close(folder)
        try await sent
        #expect(try await store.ids() == ["m-1", "p-1"])
    }

    @Test(arguments: [LOCK_EX, LOCK_SH])
    func `A lock that is never released makes sending fail, even if it is shared`(lock: Int32) async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let path = archive.path + "/conversations/general"
        let folder = open(path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        #expect(flock(folder, lock) == 0)
        let before = try archive.files()
        let writer = try ArchiveWriter(index: nil, patience: .milliseconds(30))
        let holder = try #require(LockHolder(process: getpid())).description
        #expect(holder.hasPrefix("process \(getpid()) ("))
        let reason = "\(path): locked for 0 s by \(holder); send again when that is done"
        await #expect(throws: StoreError.notSent(reason)) {
            try await writer.send(post("p-1"), to: general, in: path, isRetry: false)
        }
        #expect(try archive.files() == before)
    }

    @Test func `Nothing is written into the archive of an account, since it would reach nobody`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        try archive.write("archive.json", #"{"format":"kedge","version":1,"me":"ana","server":"matrix"}"#)
        let store = try archive.open(index: nil)
        let reason =
            "\(archive.path): mirrors the account of a server, where rooms are made; `kedge-matrix join` joins one"
        #expect(await store.obstacle(in: general) == reason)
        let before = try archive.files()
        await #expect(throws: StoreError.notSent(reason)) {
            try await store.send(post("p-1"), to: general, isRetry: false)
        }
        #expect(throws: StoreError.notSent(reason)) {
            try NewConversation.make(title: "New", topic: nil, in: archive.path)
        }
        #expect(try archive.files() == before)
    }

    @Test(arguments: [
        ("???", "\"???\" has no letter or digit to make an ID of"),
        ("..", "\"..\" has no letter or digit to make an ID of"),
    ])
    func `A title without an ID is refused with the reason`(title: String, reason: String) throws {
        let archive = try TemporaryArchive(message("m-1"))
        #expect(throws: StoreError.notSent(reason)) {
            try NewConversation.make(title: title, topic: nil, in: archive.path)
        }
    }

    @Test func `The ID of a long title is cut, and the title is not`() throws {
        let archive = try TemporaryArchive(message("m-1"))
        let title = String(repeating: "नमस्ते ", count: 17)
        let id = try NewConversation.make(title: title, topic: nil, in: archive.path)
        #expect(id.rawValue.utf8.count <= 120 && title.replacing(" ", with: "-").hasPrefix(id.rawValue))
        let file = try archive.files()["/conversations/\(id)/conversation.json"] ?? Data()
        #expect(String(decoding: file, as: UTF8.self).contains(title))
    }

    @Test func `The obstacle to writing is reported before sending`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        #expect(try await archive.open(index: nil).obstacle(in: general) == nil)
        let unknown = try await archive.open(index: nil).obstacle(in: "genral")
        #expect(unknown?.hasPrefix("there is no conversation \"genral\"") == true)
        try archive.write("archive.json", #"{"format":"kedge","version":1}"#)
        #expect(try await archive.open(index: nil).obstacle(in: general) == Post.withoutSender)
        let named = try JSONArchive.open(path: archive.path, me: .person("ben"), logger: .init(label: "test"))
        #expect(await named.obstacle(in: general) == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everything"))
    func `A file without write permission is reported and stays unchanged`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let store = try archive.open(index: nil)
        let before = try archive.files()
        for path in ["/" + firstSegment, "/conversations/general", ""] {
            chmod(archive.path + path, path.hasSuffix("jsonl") ? 0o400 : 0o500)
            defer { chmod(archive.path + path, path.hasSuffix("jsonl") ? 0o600 : 0o700) }
            let reason = "\(archive.path)\(path): may not be written (permission denied); check its permissions"
            #expect(await store.obstacle(in: general) == reason)
            await #expect(throws: StoreError.notSent(reason)) { try await store.send(post("p-1"), to: general) }
        }
        #expect(try archive.files() == before)
    }

    @Test func `A read-only file system is an obstacle for the superuser too`() throws {
        // Most systems mount at least one of their kernel file systems read-only.
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).split(separator: "\n")
        let readOnly = mounts.map { $0.split(separator: " ") }.first { fields in
            fields.count > 3 && fields[3].split(separator: ",").contains("ro") && access(String(fields[1]), F_OK) == 0
        }
        guard let path = readOnly.map({ String($0[1]) }) else { return }
        #expect(
            WriteFailure.obstacle(["/tmp", path])
                == "\(path): is on a read-only file system; write to a copy of the archive")
    }
}
