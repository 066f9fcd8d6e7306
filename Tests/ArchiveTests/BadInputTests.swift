import Files
import Foundation
import Messages
import Synchronization
import TestSupport
import Testing

@testable import Archive

struct BadInputTests {
    static let badLines: [(String, String)] = [
        ("{", "not valid JSON"), ("garbage", "not valid JSON"), (#"{"type":"message"} {}"#, "not valid JSON"),
        (#"{"type":"message"} x"#, "not valid JSON"), (#"{"type":"message","id":12x}"#, "not valid JSON"),
        (#"{"type":"message","id":"a","text":"\q"}"#, "not valid JSON"), ("\u{0}", "not valid JSON"),
        (#"["type"]"#, "not a JSON object"), ("42", "not a JSON object"), (#""text""#, "not a JSON object"),
        ("{}", #"no "type""#), (#"{"type":1}"#, #""type" has a value of the wrong type"#),
        (#"{"type":"message","at":"2025-03-01T09:12:33Z"}"#, #"no "id""#),
        (#"{"type":"message","id":"","at":"2025-03-01T09:12:33Z"}"#, #"no "id""#),
        (#"{"type":"message","id":7,"at":"2025-03-01T09:12:33Z"}"#, #""id" has a value of the wrong type"#),
        (#"{"type":"message","id":"x"}"#, #"no "at""#),
        (#"{"type":"message","id":"x","at":"today"}"#, #""at" is not a time such as 2025-03-01T09:12:33Z"#),
        (
            #"{"type":"message","id":"x","at":"2025-02-30T09:12:33Z"}"#,
            #""at" is not a time such as 2025-03-01T09:12:33Z"#
        ),
        (#"{"type":"message","id":"x","at":1740000000}"#, #""at" has a value of the wrong type"#),
        (message("x", more: #","thread":1"#), #""thread" has a value of the wrong type"#),
        (message("x", more: #","replyTo":{}"#), #""replyTo" has a value of the wrong type"#),
        (message("x", more: #","broadcast":"yes""#), #""broadcast" has a value of the wrong type"#),
        (message("x", more: #","attachments":{}"#), #""attachments" has a value of the wrong type"#),
        (message("x", more: #","edited":1"#), #""edited" has a value of the wrong type"#),
        (message("x", more: #","deleted":"yes""#), #""deleted" has a value of the wrong type"#),
        (message("x", more: #","reactions":{"👍":2}"#), #""reactions" has a value of the wrong type"#),
        (record("delete", "x", on: "m1", more: #","by":true"#), #""by" has a value of the wrong type"#),
        (message("x", more: #","presence":true"#), #""presence" has a value of the wrong type"#),
        (message("x", more: #","kind":[]"#), #""kind" has a value of the wrong type"#),
        (message("x", more: #","text":5"#), #""text" has a value of the wrong type"#),
        (message("x", more: #","from":false"#), #""from" has a value of the wrong type"#),
        (record("edit", "x", on: "m1"), #"no "text""#),
        (record("edit", "x", on: "m1", more: #","text":null"#), #""text" has a value of the wrong type"#),
        (record("delete", "x", on: ""), #"no "target""#), (record("reaction", "x", on: "m1"), #"no "emoji""#),
        (
            record("reaction", "x", on: "m1", more: #","emoji":"👍","removed":1"#),
            #""removed" has a value of the wrong type"#
        ), (message("m1"), #"repeats the ID "m1""#), (record("delete", "m1", on: "m1"), #"repeats the ID "m1""#),
    ]

    @Test(arguments: badLines)
    func `A bad line is reported with its place and skipped`(line: String, reason: String) async throws {
        let archive = try TemporaryArchive(message("m1"), line, message("m2"))
        let store = try archive.open()
        #expect(try await store.ids() == ["m1", "m2"])
        #expect(
            await store.problems() == ["general/messages-000001.jsonl:2: \(reason); the line is skipped"])
        #expect(try await store.summary(of: general).count == 2)
    }

    @Test(arguments: [
        #"{"type":"poll","id":"p"}"#, #"{"type":"poll"}"#, "", "  \t", "\r",
        #"{"type":"topic","id":"m1","at":"2025-03-01T09:12:33Z"}"#,
    ])
    func `Blank lines and unknown types and fields are skipped silently`(line: String) async throws {
        let archive = try TemporaryArchive(message("m1"), line, message("m2", more: #","mood":{"a":[1,"}"]}"#))
        let store = try archive.open()
        #expect(try await store.ids() == ["m1", "m2"])
        #expect(await store.problems() == [])
    }

    @Test(arguments: [
        (#"a\ud800b"#, "a\u{FFFD}b"), (#"\udc00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\ude00"#, "😀"),
        (#"\\ud800 \uD800"#, "\\ud800 \u{FFFD}"), (#"\u0000"#, "\u{0}"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
    ])
    func `Odd text is repaired instead of being refused`(json: String, text: String) async throws {
        let archive = try TemporaryArchive(message("m1", json), message("m2"))
        let store = try archive.open()
        #expect(try await store.first()?.text == text)
        #expect(try await store.ids() == ["m1", "m2"])
        #expect(await store.problems() == [])
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF5, 0x80], [0xE9],
            [0xF4, 0x90, 0x80, 0x80], [0x80, 0xC3, 0xA9, 0xC3],
        ] as [[UInt8]])
    func `Invalid UTF-8 is decoded as Swift decodes it`(bytes: [UInt8]) async throws {
        let archive = try TemporaryArchive(message("m1", "x§y"), message("m2"))
        let data = try Data(contentsOf: URL(fileURLWithPath: archive.path + "/" + firstSegment))
        let mark = try #require(data.range(of: Data("§".utf8)))
        try archive.write(firstSegment, data[..<mark.lowerBound] + Data(bytes) + data[mark.upperBound...])
        let store = try archive.open()
        #expect(
            try await store.first()?.text == String(decoding: Array("x".utf8) + bytes + Array("y".utf8), as: UTF8.self))
        #expect(try await store.ids() == ["m1", "m2"])
    }

    @Test func `A byte order mark and CRLF line ends are accepted`() async throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, "\u{FEFF}" + message("m1") + "\r\n\r\n" + message("m2") + "\r\n")
        let store = try archive.open()
        #expect(try await store.ids() == ["m1", "m2"])
        #expect(try await store.ids(.after(try #require(store.first()).cursor)) == ["m2"])
        #expect(await store.problems() == [])
    }

    @Test func `An incomplete last line is neither shown nor reported, wherever it was cut`() async throws {
        let whole = message("m2", "ä😀")
        for length in 1..<whole.utf8.count {
            let archive = try TemporaryArchive(message("m1"))
            let data = Data(message("m1").utf8) + Data([0x0A]) + Data(whole.utf8.prefix(length))
            try archive.write(firstSegment, data)
            let store = try archive.open()
            #expect(try await store.ids() == ["m1"], "torn after \(length) bytes")
            #expect(await store.problems() == [], "torn after \(length) bytes")
        }
    }

    @Test func `A complete last line without a line feed is shown`() async throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, message("m1") + "\n" + message("m2"))
        #expect(try await archive.open().ids() == ["m1", "m2"])
    }

    @Test func `An incomplete line in an earlier segment is reported`() async throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, message("m1") + "\n{\"type\"")
        try archive.write("conversations/general/messages-000002.jsonl", message("m2") + "\n")
        let store = try archive.open()
        #expect(try await store.ids() == ["m1", "m2"])
        #expect(
            await store.problems() == ["general/messages-000001.jsonl:2: not valid JSON; the line is skipped"])
    }

    @Test func `After a hundred bad lines the others are only counted`() async throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, String(repeating: "x\n", count: 130))
        let store = try archive.open()
        #expect(try await store.ids() == [])
        let problems = await store.problems()
        #expect(problems.count == 101 && problems.last == "general: 30 more lines are skipped")
        try archive.append(firstSegment, "\n")
        _ = try await store.ids()
        #expect(await store.problems() == problems)
        #expect(archive.logged.withLock { $0 } == problems.map { "warning: \($0)" }, "each is logged once")
    }

    @Test func `Control characters from a file never appear in a problem`() async throws {
        let archive = try TemporaryArchive(message(#"a\u001b[2J"#), message(#"a\u001b[2J"#))
        let store = try archive.open()
        _ = try await store.ids()
        #expect(
            await store.problems() == [
                "general/messages-000001.jsonl:2: repeats the ID \"a\u{FFFD}[2J\"; the line is skipped"
            ])
    }

    @Test func `A line that is too long is reported and its neighbours are read, at any buffer size`() throws {
        let archive = try TemporaryArchive("one", String(repeating: "x", count: 5_000), "", "three")
        let path = archive.path + "/" + firstSegment
        let size = try #require(try FileStamp.of(path)).size
        for chunk in [1, 2, 7, 64, 10_000] {
            var lines = LineScanner(try File(path), size: size, chunk: chunk, longest: 1_000)
            var seen: [String] = []
            while let line = try lines.next() {
                let text = line.content.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "too long"
                seen.append("\(lines.number) \(line.offset) \(line.length) \(line.isTerminated) \(text.prefix(8))")
            }
            let long = chunk == 10_000 ? "2 4 5001 true xxxxxxxx" : "2 4 5001 true too long"
            #expect(seen == ["1 0 4 true one", long, "3 5005 1 true ", "4 5006 6 true three"], "buffer of \(chunk)")
        }
    }

    @Test func `Random bytes never crash the reader`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let base = Array((message("m1", #"a\ud83d\ude00"#, more: #","attachments":[{"name":"n"}]"#) + "\n").utf8)
        for _ in 0..<300 {
            var bytes = base + base + base
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let archive = try TemporaryArchive()
            try archive.write(firstSegment, Data(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
            let store = try archive.open()
            #expect(try await store.ids().count <= 3, "seed \(seed)")
        }
    }
}
