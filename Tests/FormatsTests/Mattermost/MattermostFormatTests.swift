import TestSupport
import Testing

@testable import Formats

struct MattermostFormatTests {
    private let format = MattermostFormat()

    private static let lines = [
        #"{"type":"version","version":1,"info":{"generator":"x"}}"#,
        #"{"type":"team","team":{"name":"club","display_name":"The Club"}}"#,
        #"{"type":"channel","channel":{"team":"club","name":"town","display_name":"Town Square","type":"O","header":"","purpose":"all"}}"#,
        #"{"type":"channel","channel":{"team":"other","name":"town","display_name":"Town"}}"#,
        #"{"type":"user","user":{"username":"ana","email":"ana@example.org","nickname":"","first_name":"Ana","last_name":"Petrova"}}"#,
        #"{"type":"post","post":{"team":"club","channel":"town","user":"ana","message":"later :+1: x:+1: `:+1:`","create_at":1714550500000,"edit_at":1714550600000}}"#,
        #"{"type":"post","post":{"team":"other","channel":"town","user":"ana","message":"elsewhere","create_at":1714550400500}}"#,
        #"{"type":"post","post":{"team":"club","channel":"town","user":"ana","message":"**first**","create_at":1714550400000,"reactions":[{"user":"ben","emoji_name":"tada","create_at":1},{"user":"ana","emoji_name":"tada","create_at":2},{"user":"ana","emoji_name":"ours","create_at":3}],"replies":[{"user":"ben","message":"reply","create_at":1714550400001}],"attachments":[{"path":"2024/a.png"},{"path":"data/b.png"},{"path":"../../c"}]}}"#,
        #"{"type":"post","post":{"team":"club","channel":"town","user":"ana","type":"system_join_channel","message":"ana joined","create_at":1714550399000}}"#,
        #"{"type":"direct_channel","direct_channel":{"members":["ben","ana"],"header":""}}"#,
        #"{"type":"direct_post","direct_post":{"channel_members":["ana","ben"],"user":"ben","message":"psst","create_at":1714550400000}}"#,
    ]

    private static func source(_ text: String = lines.joined(separator: "\n") + "\n") -> Source {
        Source(name: "x", ["x/import.jsonl": Array(text.utf8)])
    }

    @Test func `an export is recognised by its first line`() {
        #expect(format.recognise(Self.source()) == .certain)
        #expect(format.recognise(Self.source("{\"type\":\"post\"}")) == .no)
        #expect(format.recognise(Source(name: "x", ["x.json": Array(Self.lines[0].utf8)])) == .no)
    }

    @Test func `channels, direct channels and people are listed`() throws {
        let archive = try format.archive(in: Self.source())
        #expect(archive.name == "The Club")
        #expect(archive.conversations.map(\.id) == ["town", "other-town", "ana-ben"])
        #expect(archive.conversations.map(\.title) == ["#Town Square", "#Town", "Ana Petrova, ben"])
        #expect(archive.conversations.first?.topic == "all")
        #expect(archive.people == [ForeignPerson(id: "ana", name: "Ana Petrova")])
        #expect(archive.problems.isEmpty)
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `each conversation has its own posts, in the order of their times`(chunk: Int) throws {
        let converted = try Converted(Self.source(), by: format, chunk: chunk)
        let town = converted.records["town"] ?? []
        #expect(town.map { $0["text"] as? String } == ["ana joined", "**first**", "reply", "later 👍 x:+1: `:+1:`"])
        #expect(town.map { $0["from"] as? String } == ["ana", "ana", "ben", "ana"])
        #expect(town[1]["at"] as? String == "2024-05-01T08:00:00Z")
        #expect(town[2]["thread"] as? String == town[1]["id"] as? String)
        #expect(town.map { $0["edited"] as? Bool } == [nil, nil, nil, true])
        #expect(town[0]["kind"] as? String == "system")
        #expect(town[0]["presence"] as? String == "join")
        #expect(converted.records["other-town"]?.map { $0["text"] as? String } == ["elsewhere"])
        #expect(converted.records["ana-ben"]?.map { $0["text"] as? String } == ["psst"])
        #expect(converted.problems.isEmpty)
    }

    @Test func `reactions are counted, and files lie in the folder of data`() throws {
        let post = try #require(try Converted(Self.source(), by: format).records["town"]?[1])
        let reactions = try #require(post["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["emoji"] as? String } == ["🎉", ":ours:"])
        #expect(reactions.map { $0["count"] as? Int } == [2, 1])
        let files = try #require(post["attachments"] as? [[String: Any]])
        #expect(files.map { $0["path"] as? String } == ["x/data/2024/a.png", "x/data/b.png", nil])
    }

    @Test func `IDs do not change with the place of a post in the file`() throws {
        let turned = Self.lines[..<5] + Self.lines[5..<9].reversed() + Self.lines[9...]
        let texts = [Self.lines, Array(turned)].map { $0.joined(separator: "\r\n") }
        let ids = try texts.map { text in
            try Converted(Self.source(text), by: format).records["town"]?.map { $0["id"] as? String }
        }
        #expect(ids[0] == ids[1])
        #expect(Set(ids[0] ?? []).count == 4)
    }

    @Test(arguments: [1, 64, 1 << 20])
    func `broken lines hide no others`(chunk: Int) throws {
        var lines = Self.lines
        lines.insert(#"{"type":"post","post":{"team":"club","channel":"town","user":tru"#, at: 6)
        lines.insert(#"{"type":"post","post":{"team":"club","channel":"town","user":"ana","message":"x"}}"#, at: 7)
        let converted = try Converted(Self.source(lines.joined(separator: "\n")), by: format, chunk: chunk)
        #expect(converted.records["town"]?.count == 4)
        #expect(Set(converted.problems.map(\.kind)) == ["line is not valid JSON", "post without a time"])
    }

    @Test func `posts whose conversation is not known, and lines of other kinds, are reported`() throws {
        let lines = [
            #"{"type":"post","post":{"team":"club","user":"ana","message":"x","create_at":1714550400000}}"#,
            #"{"type":"direct_post","direct_post":{"user":"ana","message":"x","create_at":1714550400000}}"#,
            #"{"type":"scheduled_post","scheduled_post":{"user":"ana","message":"x","create_at":1714550400000}}"#,
            #"{"type":"emoji","emoji":{"name":"boat"}}"#,
        ]
        let converted = try Converted(Self.source((lines + Self.lines).joined(separator: "\n")), by: format)
        #expect(converted.archive.conversations.map(\.id) == ["town", "other-town", "ana-ben"])
        #expect(
            converted.problems.map(\.kind) == [
                "post without a channel", "direct post without the members of its channel",
                "line of a kind that Kedge does not read: scheduled_post",
            ])
        #expect(format.recognise(Self.source((lines.suffix(2) + Self.lines).joined(separator: "\n"))) == .certain)
    }

    @Test func `a byte order mark is no problem, but a time beyond all years is`() throws {
        let post =
            #"{"type":"post","post":{"team":"club","channel":"town","user":"ana","message":"x","create_at":9223372036854775807}}"#
        let converted = try Converted(
            Self.source("\u{FEFF}" + (Self.lines + [post]).joined(separator: "\n")), by: format)
        #expect(converted.records["town"]?.count == 4)
        #expect(converted.problems.map(\.kind) == ["post without a time"])
    }

    @Test func `any bytes are read without a crash`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let file = Array(Self.lines.joined(separator: "\n").utf8)
        for _ in 0..<200 {
            var bytes = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
            for _ in 0..<4 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let source = Source(name: "x", ["import.jsonl": bytes])
            _ = format.recognise(source)
            let converted = try Converted(source, by: format, chunk: 64)
            // Each damaged byte can name another channel.
            #expect(converted.archive.conversations.count <= 8, "seed \(seed)")
        }
    }
}
