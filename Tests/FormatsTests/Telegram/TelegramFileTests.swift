import Dates
import JSON
import Testing

@testable import Formats

struct TelegramFileTests {
    private let format = TelegramFormat()

    private func ids(_ converted: Converted, _ conversation: String) -> [String] {
        (converted.records[conversation] ?? []).compactMap { $0["id"] as? String }
    }

    // MARK: - Recognition

    @Test func `an export of one chat, and one of all chats, are recognised by their contents`() {
        #expect(format.recognise(TelegramExport.source(TelegramExport.chat([]), at: "some.txt")) == .certain)
        #expect(format.recognise(TelegramExport.source(TelegramExport.all([TelegramExport.chat([])]))) == .certain)
        let byteOrderMark = Source(["result.json": [0xEF, 0xBB, 0xBF] + Array(TelegramExport.chat([]).utf8)])
        #expect(format.recognise(byteOrderMark) == .certain)
    }

    @Test(arguments: [
        "", "{", "[]", "{\"messages\":[]}", #"{"guild":{},"channel":{"id":"1","type":"GuildTextChat"},"messages":[]}"#,
        #"{"about": "a page", "messages": 5}"#, "not JSON",
    ])
    func `other files are not recognised`(text: String) {
        #expect(format.recognise(TelegramExport.source(text)) == .no)
    }

    @Test func `all data without chats are not quite an export`() {
        let text = #"{ "about": "Here is the data", "contacts": { "list": [] } }"#
        #expect(format.recognise(TelegramExport.source(text)) == .unsure("a Telegram export without chats"))
    }

    // MARK: - Chats

    @Test func `all chats and left chats are found, and nothing else of the file`() throws {
        let text = TelegramExport.all(
            [
                TelegramExport.chat([TelegramExport.message(1)], name: #""A \"{[ \\""#, type: "private_group", id: 5),
                TelegramExport.chat([TelegramExport.message(2, #"\"messages\": ["#)]),
            ], left: [TelegramExport.chat([TelegramExport.message(3)], name: "\"Old\"", type: "public_channel", id: 6)])
        let converted = try TelegramExport.converted(TelegramExport.source(text))
        #expect(converted.archive.conversations.map(\.id) == ["a", "ana", "old"])
        #expect(
            converted.archive.conversations.map(\.aliases) == [
                ["5", "private_group-5"], ["7", "personal_chat-7"], ["6", "public_channel-6"],
            ])
        #expect(["a", "ana", "old"].map { ids(converted, $0) } == [["1"], ["2"], ["3"]])
        #expect(converted.archive.me == "user1" && converted.people["user1"] == "Mia Me")
        #expect(converted.archive.conversations.dropFirst().first?.members == ["user1", "user7"])
        #expect(converted.problems == [])
        #expect(!"\(converted.archive) \(converted.records)".contains("170 0000000"))
        #expect(!"\(converted.archive) \(converted.records)".contains("192.0.2.77"))
    }

    @Test func `a chat without a name is named by its kind`() throws {
        let text = TelegramExport.all([
            TelegramExport.chat([], name: "null"), TelegramExport.chat([], name: "null", type: "saved_messages", id: 1),
        ])
        let archive = try format.archive(in: TelegramExport.source(text))
        #expect(archive.conversations.map(\.id) == ["deleted-account", "saved-messages"])
        #expect(archive.conversations.map(\.title) == ["Deleted Account", "Saved Messages"])
    }

    @Test func `chats of one name carry their IDs, in any order`() throws {
        let chats = [
            TelegramExport.chat([], id: 7), TelegramExport.chat([], id: 8),
            TelegramExport.chat([], name: "\"ana!\"", id: 9),
        ]
        for chats in [chats, chats.reversed()] {
            let archive = try format.archive(in: TelegramExport.source(TelegramExport.all(chats)))
            #expect(Set(archive.conversations.map(\.id)) == ["ana-7", "ana-8", "ana-9"])
        }
    }

    @Test func `several exports of one chat make one conversation, in which the newest counts`() throws {
        let source = Source([
            "ChatExport_1/result.json": Array(
                TelegramExport.chat([-999_999_999, 1, 2].map { TelegramExport.message($0, "old") }).utf8),
            "ChatExport_2/result.json": Array(
                TelegramExport.chat([2, 3].map { TelegramExport.message($0, "new") }, name: "\"Ana B\"").utf8),
        ])
        let converted = try TelegramExport.converted(source)
        #expect(converted.archive.conversations.map(\.id) == ["ana-b"])
        #expect(converted.archive.conversations.first?.order == .byKey)
        #expect(ids(converted, "ana-b") == ["-999999999", "1", "2", "3"])
        #expect(converted.records["ana-b"]?.map { $0["text"] as? String } == ["old", "old", "new", "new"])
    }

    @Test func `an export that somebody sent to a chat is no export of this person`() throws {
        let source = Source([
            "ChatExport_1/result.json": Array(TelegramExport.chat([TelegramExport.message(1)]).utf8),
            "ChatExport_1/files/result.json": Array(TelegramExport.chat([], name: "\"Evil\"", id: 9).utf8),
            "files/result.json": Array(TelegramExport.chat([], name: "\"Ben\"", id: 8).utf8),
        ])
        #expect(try format.archive(in: source).conversations.map(\.id) == ["ana", "ben"])
    }

    @Test func `exports of any names are read from a folder`() throws {
        var files: [String: [UInt8]] = [:]
        for id in 10..<40 { files["chat\(id).json"] = Array(TelegramExport.chat([], name: "\"c\(id)\"", id: id).utf8) }
        #expect(try format.archive(in: Source(files)).conversations.count == 30)
    }

    @Test func `a message keeps its place in the file whatever its time`() throws {
        let messages = [(-999_999_999, 9), (1, 5), (2, 7)].map { id, time in
            #""id": \#(id), "type": "message", "date_unixtime": "\#(time)", "text": "x""#
        }
        let converted = try TelegramExport.converted(TelegramExport.source(TelegramExport.chat(messages)))
        #expect(ids(converted, "ana") == ["-999999999", "1", "2"])
    }

    // MARK: - Forums

    @Test func `messages of a topic are its thread, and replies belong to the topic of their target`() throws {
        let messages = [
            TelegramExport.service(1, "create_channel", #""title": "G""#), TelegramExport.message(2, "general"),
            TelegramExport.service(3, "topic_created", #""title": "T""#),
            TelegramExport.message(4, "in the topic", #""reply_to_message_id": 3"#),
            TelegramExport.message(5, "a reply", #""reply_to_message_id": 4"#),
            TelegramExport.message(6, "a reply to the reply", #""reply_to_message_id": 5"#),
            TelegramExport.message(7, "in general", #""reply_to_message_id": 2"#),
        ]
        let records = try TelegramExport.records(TelegramExport.chat(messages, type: "public_supergroup"))
        #expect(records.map { $0["thread"] as? String } == [nil, nil, nil, "3", "3", "3", nil])
        #expect(records.map { $0["replyTo"] as? String } == [nil, nil, nil, nil, "4", "5", "2"])
    }

    @Test func `a forum is converted from its beginning`() throws {
        let messages = [TelegramExport.service(3, "topic_created"), TelegramExport.message(4)]
        let text = TelegramExport.chat(messages, type: "public_supergroup")
        let archive = try format.archive(in: TelegramExport.source(text))
        let feed = try #require(archive.conversations.first?.feeds.first)
        #expect(Array(text.utf8).withUnsafeBytes { format.cut($0, of: feed) } == nil)
    }

    @Test func `a topic that was not foreseen asks for a converter that knows topics`() throws {
        let feed = Feed(file: "result.json", setting: "public_supergroup 7 spaced")
        let converter = format.converter(
            for: feed, of: ForeignConversation(id: "g"), names: ForeignNames(), state: nil, zone: .utc)
        var writer = RecordWriter()
        let text = Array("{\(TelegramExport.service(3, "topic_created"))}".utf8) + [UInt8](repeating: 0, count: 64)
        _ = text.withUnsafeBytes {
            converter.convert(Bytes(rebasing: $0.dropLast(64)), at: 0, isEnd: true, into: &writer)
        }
        #expect(writer.betterSetting == "public_supergroup 7 forum spaced")
    }

    // MARK: - Places

    @Test func `the end of a chat can be converted without its beginning`() throws {
        let messages = (1...30).map { TelegramExport.message($0, #"{\n  {\n   \"id\": 5, \"type\": \"message\""#) }
        let text = Array(TelegramExport.chat(messages).utf8)
        let source = Source(["result.json": text])
        let archive = try format.archive(in: source)
        let feed = try #require(archive.conversations.first?.feeds.first)
        let whole = try TelegramExport.converted(source).records["ana"] ?? []
        for start in stride(from: Int(feed.start), to: text.count, by: 11) {
            let cut = text[start...].withUnsafeBytes { format.cut($0, of: feed) }
            guard let cut else { continue }
            var (first, last) = (feed, feed)
            first.end = Int64(start + cut)
            last.start = Int64(start + cut)
            var ids: [String] = []
            for part in [first, last] {
                var conversation = try #require(archive.conversations.first)
                conversation.feeds = [part]
                var writer = RecordWriter()
                let converter = format.converter(
                    for: part, of: conversation, names: ForeignNames(), state: nil, zone: .utc)
                var reader = FeedReader(source, source.files[0], from: part.start, by: converter, chunk: 64)
                while try reader.step(to: part.end ?? Int64(text.count), isWhole: true, into: &writer) {}
                #expect(writer.problems.isEmpty)
                ids += try Converted.lines(writer.lines).compactMap { $0["id"] as? String }
            }
            #expect(ids == whole.compactMap { $0["id"] as? String })
        }
    }

    @Test func `a message without a date is no place to begin`() throws {
        let text = Array(#"[{"id": 1, "type": "unsupported"}, {"id": 2, "type": "message", "date": "x"}]"#.utf8)
        #expect(text.withUnsafeBytes { format.cut($0, of: Feed(file: "")) } == 35)
    }

    @Test func `a message is found by its ID, however the file is spaced`() throws {
        for text in [
            TelegramExport.chat([TelegramExport.message(12)]),
            #"{"name":"A","type":"personal_chat","id":7,"messages":[{"id":12,"type":"message"}]}"#,
        ] {
            let archive = try format.archive(in: TelegramExport.source(text))
            let feed = try #require(archive.conversations.first?.feeds.first)
            let needle = try #require(format.needle(of: "12", in: feed))
            #expect(text.contains(String(decoding: needle, as: UTF8.self)))
            #expect(format.needle(of: "x", in: feed) == nil)
        }
    }
}
