import Dates
import JSON
import TestSupport
import Testing

@testable import Formats

struct ZulipFormatTests {
    private let format = ZulipFormat()

    // MARK: - Recognition

    @Test func `an archive is recognised by the messages of its topics`() {
        #expect(format.recognise(ZulipSource.source()) == .certain)
        #expect(format.recognise(ZulipSource.source([ZulipSource.message(1, "<p>a</p>")])) == .certain)
        let others = Formats.all.filter { $0.recognise(ZulipSource.source()) == .certain }
        #expect(others.map(\.id) == ["zulip"])
    }

    @Test(arguments: [
        ("12-general/a.json", #"{"content": "<p>a</p>", "id": 1, "sender_full_name": "Ana", "timestamp": 1}"#),
        ("12-general/a.json", #"[{"content": "<p>a</p>", "id": "1", "sender_full_name": "Ana", "timestamp": 1}]"#),
        ("12-general/a.json", #"[{"content": "<p>a</p>", "id": 1, "timestamp": 1}]"#),
        ("12-general/a.json", #"[{"content": "<p>a</p>", "id": 1, "sender_full_name": "Ana"}]"#),
        ("12-general/a.json", #"[{"id": 1, "sender_full_name": "Ana", "timestamp": 1}]"#),
        ("12-general/a.json", "[]"), ("12-general/a.json", ""), ("12-general/a.json", "["),
        ("12-general/a.txt", #"[{"content": "<p>a</p>", "id": 1, "sender_full_name": "Ana", "timestamp": 1}]"#),
        ("stream_index.json", #"{"streams": {}, "time": 1}"#),
    ])
    func `other files are no archive`(path: String, text: String) {
        #expect(format.recognise(Source(name: "x", [path: Array(text.utf8)])) == .no)
    }

    @Test func `an index without topics is reported`() {
        let source = Source(name: "x", ["stream_index.json": Array(ZulipSource.index.utf8)])
        #expect(format.recognise(source) == .unsure("a zulip-archive export without the messages of its topics"))
    }

    @Test func `a first message of 200 kB is recognised`() {
        let long = ZulipSource.message(1, "<p>" + String(repeating: "long ", count: 40_000) + "</p>")
        #expect(format.recognise(ZulipSource.source([long])) == .certain)
    }

    // MARK: - Channels

    @Test func `channels are named by the index, and known by their numbers`() throws {
        let archive = try format.archive(in: ZulipSource.source())
        #expect(archive.conversations.map(\.id) == ["general", "café-bar"])
        #expect(archive.conversations.map(\.title) == ["#general", "#Café & bar"])
        #expect(archive.conversations.map(\.aliases) == [["stream-12"], ["stream-13", "Café & bar"]])
        #expect(archive.problems.isEmpty)
    }

    @Test func `without an index the folders name the channels`() throws {
        let files = ZulipSource.files.filter { !$0.key.hasSuffix("stream_index.json") }
        let archive = try format.archive(in: Source(name: "json", files))
        #expect(archive.conversations.map(\.title) == ["#general", "#Café-&-bar"])
    }

    @Test func `channels whose names differ by signs alone get different IDs`() throws {
        let topic = ZulipSource.topic([ZulipSource.message(1, "<p>a</p>")])
        let files = ["12-a.21/t.json": topic, "13-a/t.json": topic, "14-.21/t.json": topic, "15-.3F/t.json": topic]
        let archive = try format.archive(in: Source(name: "x", files))
        #expect(archive.conversations.map(\.id) == ["a", "a-13", "channel-14", "channel-15"])
    }

    @Test func `a topic alone is a channel of the name of its folder or file`() throws {
        let topic = ZulipSource.topic([ZulipSource.message(1, "<p>a</p>")])
        #expect(
            try format.archive(in: Source(name: "x", ["general/t.json": topic])).conversations.map(\.id) == ["general"])
        #expect(
            try format.archive(in: Source(name: "t.json", ["t.json": topic], isFile: true)).conversations.map(\.id) == [
                "t-json"
            ])
    }

    @Test func `a broken index, and files that are no topics, are reported, and the rest is shown`() throws {
        let converted = try Converted(
            ZulipSource.source([
                "json/stream_index.json": Array(ZulipSource.index.dropLast(30).utf8),
                "json/12-general/x.json": Array("{}".utf8),
            ]), by: format)
        #expect(
            converted.problems.map(\.description) == [
                "json/stream_index.json: index is not valid JSON", "json/12-general/x.json: is not a Zulip topic",
            ])
        #expect(converted.records["general"]?.count == 6)
    }

    // MARK: - Messages

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `a channel has the messages of all topics once, by their IDs`(chunk: Int) throws {
        let converted = try Converted(ZulipSource.source(), by: format, chunk: chunk)
        let general = converted.records["general"] ?? []
        #expect(general.map { $0["id"] as? String } == ["101", "102", "103", "104", "105", "109"])
        #expect(
            general.map { $0["text"] as? String } == [
                "**hello**\nfirst", "**Is it 50%?**\nsecond", "third", "fourth", "fifth", "resolved",
            ])
        #expect(general.map { $0["thread"] as? String } == [nil, nil, "101", "102", "101", "102"])
        #expect(
            general.map { $0["from"] as? String } == [
                "Ana Ruiz", "Ana Ruiz", "Ben", "Ben", "Ana Ruiz", "Notification Bot",
            ])
        #expect(general.map { $0["kind"] as? String } == [nil, nil, nil, nil, nil, "system"])
        #expect(general[0]["at"] as? String == "2024-05-01T08:00:00Z")
        #expect(converted.records["café-bar"]?.map { $0["text"] as? String } == ["**a**\nnew", "newer"])
        #expect(converted.people["Ben"] == "Ben")
        #expect(converted.problems.isEmpty)
    }

    @Test func `the root of a topic in two files is the first message of both`() throws {
        let files = [
            "12-general/-x.json": ZulipSource.topic([ZulipSource.message(1, "<p>a</p>")]),
            "12-general/.E2.9C.94.20-x.json": ZulipSource.topic([ZulipSource.message(2, "<p>b</p>")]),
        ]
        let records = try Converted(Source(name: "x", files), by: format).records["general"] ?? []
        #expect(records.map { $0["thread"] as? String } == [nil, "1"])
    }

    @Test func `a topic without a name is the channel itself`() throws {
        let files = [
            "12-general/.json": ZulipSource.topic([
                ZulipSource.message(1, "<p>a</p>"), ZulipSource.message(2, "<p>b</p>"),
            ])
        ]
        let records = try Converted(Source(name: "x", files), by: format).records["general"] ?? []
        #expect(records.map { $0["text"] as? String } == ["a", "b"])
        #expect(records.map { $0["thread"] as? String } == [nil, nil])
    }

    @Test func `files of old versions name the topic in each message`() throws {
        let message =
            #"[{"id": 1, "sender_full_name": "Ana", "timestamp": 1, "subject": "Old times", "content": "<p>a</p>"}]"#
        let files = ["12general/12345Oldtimes.json": Array(message.utf8)]
        let converted = try Converted(Source(name: "x", files), by: format)
        #expect(converted.records["12general"]?.map { $0["text"] as? String } == ["**Old times**\na"])
    }

    @Test func `the root of a topic is known after a file has grown`() throws {
        let source = ZulipSource.source([ZulipSource.message(7, "<p>a</p>"), ZulipSource.message(8, "<p>b</p>")])
        let conversation = try #require(try format.archive(in: source).conversations.first)
        let feed = try #require(conversation.feeds.first)
        let converter = format.converter(for: feed, of: conversation, names: ForeignNames(), state: "7", zone: .utc)
        let bytes = Array(ZulipSource.message(9, "<p>c</p>").utf8) + [UInt8](repeating: 0, count: 64)
        var writer = RecordWriter()
        _ = bytes.withUnsafeBytes {
            converter.convert(Bytes(rebasing: $0[..<(bytes.count - 64)]), at: 500, isEnd: true, into: &writer)
        }
        #expect(converter.state == "7")
        #expect(try Converted.lines(writer.lines).first?["thread"] as? String == "7")
    }

    @Test func `a message is found in its file by its ID`() throws {
        #expect(format.needle(of: "105", in: Feed(file: "x")) == Array("105".utf8))
    }

    // MARK: - Damage

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `broken messages hide no others`(chunk: Int) throws {
        let long = ZulipSource.message(1 << 60, "<p>far</p>")
        let messages = [
            ZulipSource.message(1, "<p>a</p>"), "    {\n        \"content\": broken\n    }",
            "    {\n        \"content\": \"<p>b</p>\"\n    }",
            "    {\n        \"id\": 3,\n        \"timestamp\": 99999999999999\n    }",
            "    {\n        \"id\": 5,\n        \"content\": null,\n        \"sender_full_name\": null,\n        \"timestamp\": 0\n    }",
            "    {\n        \"id\": 99999999999999999999999,\n        \"timestamp\": 0\n    }", long,
        ]
        let converted = try Converted(ZulipSource.source(messages), by: format, chunk: chunk)
        let records = converted.records["general"] ?? []
        #expect(records.map { $0["id"] as? String } == ["1", "5", "1152921504606846976"])
        #expect(records.map { $0["text"] as? String } == ["**hello**\na", "(empty message)", "far"])
        #expect(
            converted.problems.map(\.kind) == [
                "record is not valid JSON", "message without an ID", "message without a time",
                "record is not valid JSON",
            ])
    }

    @Test(arguments: [1, 64, 1 << 20])
    func `a file that was cut has its whole messages`(chunk: Int) throws {
        let whole = ZulipSource.topic([ZulipSource.message(1, "<p>a</p>"), ZulipSource.message(2, "<p>b</p>")])
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF, 0x0D, 0x0A] + whole.dropLast(30)
        let converted = try Converted(Source(name: "x", ["12-general/t.json": marked]), by: format, chunk: chunk)
        #expect(converted.records["general"]?.map { $0["id"] as? String } == ["1"])
        #expect(converted.problems.map(\.kind) == ["the file ends within a record"])
    }

    @Test func `damaged files end`() throws {
        let whole = ZulipSource.files["json/12-general/hello.json"] ?? []
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
            let files = ZulipSource.files.merging(["json/12-general/hello.json": bytes]) { $1 }
            let chunk = [1, 7, 1 << 20].randomElement(using: &random) ?? 1
            let converted = try Converted(Source(name: "x", files), by: format, chunk: chunk)
            #expect((converted.records["general"]?.count ?? 0) >= 3, "seed \(seed)")
        }
    }
}
