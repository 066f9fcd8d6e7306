import Dates
import TestSupport
import Testing

@testable import Formats

struct DiscordFormatTests {
    private let format = DiscordFormat()
    private typealias Channel = DiscordSource.Channel

    private func texts(_ converted: Converted, _ id: String) -> [String] {
        converted.records[id]?.map { $0["text"] as? String ?? "" } ?? []
    }

    // MARK: - Recognition

    @Test func `contents decide, not names`() {
        let file = DiscordSource.file(Channel(), [])
        #expect(format.recognise(DiscordSource.source(["x.json": file])) == .certain)
        #expect(format.recognise(DiscordSource.source(["x.json": "\u{FEFF}" + file])) == .certain)
        #expect(format.recognise(DiscordSource.source(["x.txt": file])) == .no)
        #expect(
            format.recognise(DiscordSource.source(["G - general [100].json": #"{"messages": [], "guild": 1}"#])) == .no)
        #expect(
            format.recognise(DiscordSource.source(["x.json": #"{"guild": {"id": "1"}, "channel": {"id": "1", "na"#]))
                != .certain)
    }

    // MARK: - Conversations

    @Test func `a channel has its name, its server and its ID`() throws {
        let archive = try format.archive(
            in: DiscordSource.source(["x.json": DiscordSource.file(Channel(name: "General Chat"), [])]))
        #expect(archive.name == "Club")
        #expect(archive.conversations.map(\.id) == ["general-chat"])
        #expect(archive.conversations.first?.title == "#General Chat")
        #expect(archive.conversations.first?.aliases == ["100"])
    }

    @Test func `of channels with one name the older keeps it`() throws {
        let source = DiscordSource.source([
            "a.json": DiscordSource.file(Channel(id: "200"), []), "b.json": DiscordSource.file(Channel(id: "100"), []),
        ])
        let archive = try format.archive(in: source)
        #expect(archive.conversations.map(\.id) == ["general", "general-200"])
        #expect(archive.conversations.map(\.aliases) == [["100"], ["200"]])
    }

    @Test func `parts follow each other by their messages, whatever their names`() throws {
        let parts = (1...12).map { DiscordSource.file(Channel(), [DiscordSource.message($0 * 10, "\($0)")]) }
        var files = ["g [100].json": parts[0]]
        for number in 2...12 { files["g [100] [part \(number)].json"] = parts[number - 1] }
        let converted = try Converted(DiscordSource.source(files), by: format)
        #expect(converted.archive.conversations.first?.order == .sequence)
        #expect(texts(converted, "general") == (1...12).map(String.init))
    }

    @Test func `exports that overlap lose and double nothing, and the newest counts`() throws {
        let old = DiscordSource.file(
            Channel(exportedAt: "2026-01-01T23:00:00+00:00"),
            [DiscordSource.message(1, "one"), DiscordSource.message(2, "old")])
        let new = DiscordSource.file(
            Channel(exportedAt: "2026-01-02T00:00:00-03:00"),
            [DiscordSource.message(2, "new"), DiscordSource.message(3, "three")])
        for files in [["a.json": old, "b.json": new], ["b.json": old, "a.json": new]] {
            let converted = try Converted(DiscordSource.source(files), by: format)
            #expect(texts(converted, "general") == ["one", "new", "three"])
        }
    }

    @Test func `a reversed export is turned`() throws {
        let file = DiscordSource.file(Channel(), [3, 2, 1].map { DiscordSource.message($0, "\($0)") })
        let converted = try Converted(DiscordSource.source(["a.json": file]), by: format)
        #expect(texts(converted, "general") == ["1", "2", "3"])
    }

    @Test func `a thread joins the message that it began with`() throws {
        let thread = Channel(id: "20", type: "GuildPublicThread", name: "T", parent: ("100", "general"))
        let source = DiscordSource.source([
            "a.json": DiscordSource.file(Channel(), [10, 20, 30].map { DiscordSource.message($0, "\($0)") }),
            "t/b.json": DiscordSource.file(
                thread,
                [
                    DiscordSource.message(21, type: "21", ""), DiscordSource.message(22, "a"),
                    DiscordSource.message(35, "b"),
                ]),
        ])
        let converted = try Converted(source, by: format)
        #expect(converted.archive.conversations.map(\.id) == ["general"])
        #expect(converted.archive.conversations.first?.aliases == ["100", "20"])
        #expect(texts(converted, "general") == ["10", "20", "a", "30", "b"])
        #expect(converted.records["general"]?.map { $0["thread"] as? String } == [nil, nil, "20", nil, "20"])
    }

    @Test func `a thread without its channel is a conversation`() throws {
        let thread = Channel(id: "20", type: "GuildPublicThread", name: "T", parent: ("100", "general"))
        let converted = try Converted(
            DiscordSource.source(["b.json": DiscordSource.file(thread, [DiscordSource.message(21, "a")])]), by: format)
        #expect(texts(converted, "t") == ["a"])
        #expect(converted.records["t"]?.first?["thread"] == nil)
    }

    @Test func `the first line of a thread is kept where the message is missing with which it began`() throws {
        let thread = Channel(id: "20", type: "GuildPublicThread", name: "T", parent: ("100", "general"))
        let messages = [DiscordSource.message(21, type: "21", "first"), DiscordSource.message(22, "a")]
        let converted = try Converted(
            DiscordSource.source(["b.json": DiscordSource.file(thread, messages)]), by: format)
        #expect(texts(converted, "t") == ["first", "a"])
    }

    @Test func `the posts of a forum are threads of one conversation, each with its title`() throws {
        func post(_ id: Int, _ name: String) -> String {
            DiscordSource.file(
                Channel(id: "\(id)", type: "GuildPublicThread", name: name, parent: ("100", "help")),
                [DiscordSource.message(id, "question"), DiscordSource.message(id + 5, "answer")])
        }
        let converted = try Converted(
            DiscordSource.source(["a.json": post(20, "A"), "b.json": post(22, "B")]), by: format)
        #expect(texts(converted, "help") == ["**A**\nquestion", "**B**\nquestion", "answer", "answer"])
        #expect(converted.records["help"]?.map { $0["thread"] as? String } == [nil, nil, "20", "22"])
    }

    @Test func `direct messages have the name of the other person`() throws {
        let direct = Channel(
            type: "DirectTextChat", name: "Ana Petrova", parent: ("0", "Private"), guild: ("0", "Direct Messages"))
        let archive = try format.archive(in: DiscordSource.source(["a.json": DiscordSource.file(direct, [])]))
        #expect(archive.conversations.map(\.id) == ["ana-petrova"])
        #expect(archive.conversations.first?.title == "Ana Petrova")
    }

    // MARK: - Damage and size

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `a file that was cut shows all whole messages`(chunk: Int) throws {
        let file = DiscordSource.file(
            Channel(), [DiscordSource.message(1, "a"), DiscordSource.message(2, "b {[")], cut: true)
        for (rest, count) in [
            ("", 2), (",\n    {\n      \"id\": \"3\",\n      \"type\": \"Default\",\n      \"reactions\": [ {", 2),
        ] {
            let converted = try Converted(DiscordSource.source(["a.json": file + rest]), by: format, chunk: chunk)
            #expect(texts(converted, "general").count == count)
            #expect(converted.problems.isEmpty == rest.isEmpty)
        }
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `the end that is written after an error breaks one message only`(chunk: Int) throws {
        let file = DiscordSource.file(
            Channel(),
            [
                DiscordSource.message(1, "a"),
                #"{"id": "2", "type": "Default", "timestamp": "2024-05-01T10:00:00Z", "reactions": [ {"emoji": {"#,
            ])
        let converted = try Converted(DiscordSource.source(["a.json": file]), by: format, chunk: chunk)
        #expect(texts(converted, "general") == ["a"])
        #expect(!converted.problems.isEmpty)
    }

    @Test func `a file can be converted from any message on`() throws {
        let file = Array(
            DiscordSource.file(Channel(), (1...20).map { DiscordSource.message($0, "\($0) { \\\"id\\\": \\\"4\\\" ") })
                .utf8)
        let source = Source(name: "x", ["a.json": file])
        let archive = try format.archive(in: source)
        let conversation = try #require(archive.conversations.first)
        let feed = try #require(conversation.feeds.first)
        var seen: Set<Int> = []
        for start in Int(feed.start)..<file.count {
            let cut = file[start...].withUnsafeBytes { format.cut($0, of: feed) }
            guard let cut, seen.insert(start + cut).inserted else { continue }
            var writer = RecordWriter()
            let converter = format.converter(for: feed, of: conversation, names: ForeignNames(), state: nil, zone: .utc)
            var reader = FeedReader(source, source.files[0], from: Int64(start + cut), by: converter)
            while try reader.step(to: Int64(file.count), isWhole: true, into: &writer) {}
            #expect(try Converted.lines(writer.lines).count == 21 - seen.count)
            #expect(writer.problems.isEmpty)
        }
        #expect(seen.count == 20)
    }

    @Test func `any bytes are read without a crash`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let file = Array(
            DiscordSource.file(Channel(), (1...3).map { DiscordSource.message($0, "x `a` <@7> ```y```") }).utf8)
        for _ in 0..<300 {
            var bytes = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
            for _ in 0..<4 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let source = Source(name: "x", ["a.json": bytes])
            _ = format.recognise(source)
            let converted = try Converted(source, by: format, chunk: 64)
            #expect(converted.records.count <= 1, "seed \(seed)")
        }
    }
}
