import Testing

@testable import Formats

struct SlackArchiveTests {
    private let format = SlackFormat()

    private func texts(_ converted: Converted, _ id: String) -> [String] {
        converted.records[id]?.map { $0["text"] as? String ?? "" } ?? []
    }

    private static let channels =
        #"[{"id":"C00000001","name":"general","members":["U00000001"],"topic":{"value":"a &amp; b"}}]"#

    private static func day(_ ts: String, _ text: String) -> String {
        "[" + SlackSource.message("\"text\":\"\(text)\"", ts: ts) + "]"
    }

    // MARK: - Recognition

    @Test func `an export is recognised by the messages of its days`() {
        let day = Self.day("1.000001", "x")
        #expect(
            format.recognise(SlackSource.source(["channels.json": Self.channels, "general/2024-05-01.json": day]))
                == .certain)
        #expect(
            format.recognise(SlackSource.source(["a/channels.json": Self.channels, "a/general/2024-05-01.json": day]))
                == .certain)
        #expect(format.recognise(SlackSource.source(["general/2024-05-01.json": day])) == .certain)
        #expect(format.recognise(SlackSource.source(["general/2024-05-01.json": "[{\"mood\": 3}]"])) == .no)
        #expect(format.recognise(SlackSource.source(["users.json": "[{\"id\": 3}]"])) == .no)
        #expect(format.recognise(SlackSource.source([:])) == .no)
    }

    @Test func `an export without days says so`() {
        #expect(
            format.recognise(SlackSource.source(["channels.json": Self.channels]))
                == .unsure("a Slack export without the folders of its channels"))
        #expect(
            format.recognise(
                SlackSource.source(["channels.json": Self.channels, "general/2024-05-01.json": "[{\"a\":1}]"]))
                == .unsure("a Slack export whose day files contain no Slack messages"))
        guard case .unsure = format.recognise(SlackSource.source(["slackdump.sqlite": "x"])) else {
            Issue.record("an archive of slackdump is not named")
            return
        }
    }

    // MARK: - Conversations

    @Test func `a channel has its name, topic, members and ID`() throws {
        let source = SlackSource.source([
            "Acme Slack export Jan 1 2024 - May 1 2024/channels.json": Self.channels,
            "Acme Slack export Jan 1 2024 - May 1 2024/general/2024-05-01.json": Self.day("1.000001", "x"),
        ])
        let archive = try format.archive(in: source)
        let general = try #require(archive.conversations.first)
        #expect(archive.name == "Acme")
        #expect((general.id, general.title, general.topic) == ("general", "#general", "a & b"))
        #expect(general.aliases == ["C00000001"])
        #expect(general.members == ["U00000001"])
    }

    @Test func `without index files the folders name the channels, and a problem says so`() throws {
        let source = SlackSource.source([
            "general/2024-05-01.json": Self.day("1.000001", "a"),
            "D00000001/2024-05-01.json": Self.day("1.000001", "b"),
        ])
        let converted = try Converted(source, by: format)
        #expect(texts(converted, "general") == ["a"])
        #expect(texts(converted, "D00000001") == ["b"])
        #expect(converted.problems.map(\.file) == ["channels.json"])
    }

    @Test func `direct messages and groups have the names of the others`() throws {
        let source = SlackSource.source([
            "users.json":
                #"[{"id":"U00000001","name":"me","real_name":"Me"},{"id":"U00000002","name":"ana","real_name":"Ana Petrova"},{"id":"U00000003","name":"ben"}]"#,
            "dms.json":
                #"[{"id":"D00000001","members":["U00000001","U00000002"]},{"id":"D00000002","members":["U00000003","U00000001"]},{"id":"D00000003","members":["U00000001","U00000009"]}]"#,
            "mpims.json":
                #"[{"id":"G00000001","name":"mpdm-me--ana--ben-1","members":["U00000001","U00000002","U00000003"]}]"#,
            "D00000001/2024-05-01.json": Self.day("1.000001", "a"),
            "D00000003/2024-05-01.json": Self.day("1.000001", "c"),
            "mpdm-me--ana--ben-1/2024-05-01.json": Self.day("1.000001", "b"),
        ])
        let converted = try Converted(source, by: format)
        let archive = converted.archive
        #expect(archive.me == "U00000001")
        #expect(archive.conversations.map(\.id) == ["me-ana-ben", "ana", "ben", "D00000003"])
        #expect(archive.conversations.map(\.title) == ["Ana Petrova, ben", "Ana Petrova", "ben", nil])
        #expect(texts(converted, "ana") == ["a"])
        #expect(texts(converted, "me-ana-ben") == ["b"])
        #expect(texts(converted, "D00000003") == ["c"])
    }

    @Test func `two conversations never share an ID`() throws {
        let source = SlackSource.source([
            "channels.json": #"[{"id":"C00000001","name":"x"},{"id":"C00000003","name":"a/b\u0007"}]"#,
            "groups.json": #"[{"id":"G00000002","name":"x"}]"#, "x/2024-05-01.json": Self.day("1.000001", "a"),
        ])
        #expect(try format.archive(in: source).conversations.map(\.id) == ["x", "a-b-", "x-G00000002"])
    }

    @Test func `exports that overlap lose and double nothing, and the newest counts`() throws {
        let old = SlackSource.message(#""text":"old""#, ts: "2.000001")
        let new = SlackSource.message(#""text":"new""#, ts: "2.000001")
        let source = SlackSource.source([
            "a/channels.json": #"[{"id":"C00000001","name":"renamed"}]"#,
            "a/renamed/2024-05-02.json": "[" + new + "," + SlackSource.message(#""text":"last""#, ts: "3.000001") + "]",
            "b/channels.json": Self.channels,
            "b/general/2024-05-01.json": "[" + SlackSource.message(#""text":"first""#, ts: "1.000001") + "," + old
                + "]",
        ])
        let converted = try Converted(source, by: format)
        #expect(converted.archive.conversations.map(\.id) == ["renamed"])
        #expect(texts(converted, "renamed") == ["first", "new", "last"])
    }

    // MARK: - slackdump

    @Test(arguments: [
        ("__uploads/F1/a_b.txt", "__uploads/F1/a_b.txt"),
        ("general/attachments/F1-a_b.txt", "general/attachments/F1-a_b.txt"),
        ("elsewhere/F1", nil),
    ])
    func `copies of files lie where slackdump puts them`(stored: String, path: String?) throws {
        let source = SlackSource.source([
            "x/channels.json": Self.channels, "x/" + stored: "",
            "x/general/2024-05-01.json": "["
                + SlackSource.message(
                    #""text":"","files":[{"id":"F1","name":"a:b.txt","size":7},{"id":"../F","name":"../.."},{"id":"..","name":"x"}]"#
                ) + "]",
        ])
        let files = try #require(
            try Converted(source, by: format).records["general"]?.first?["attachments"] as? [[String: Any]])
        #expect(files[0]["path"] as? String == path.map { "x/" + $0 })
        #expect(files[1]["path"] == nil)
        #expect(files[2]["path"] == nil)
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `a dump holds its threads in their roots`(chunk: Int) throws {
        let reply = SlackSource.message(#""text":"reply","thread_ts":"1.000001""#, ts: "3.000001")
        let root = SlackSource.message(
            #""text":"root","thread_ts":"1.000001","slackdump_thread_replies":["# + reply + "]", ts: "1.000001")
        let source = SlackSource.source([
            "C00000001.json": #"{"channel_id":"C00000001","name":"general","messages":["# + root + ","
                + SlackSource.message(#""text":"plain""#, ts: "2.000001") + "]}",
            "C00000001/F1-a.txt": "",
        ])
        #expect(format.recognise(source) == .certain)
        let converted = try Converted(source, by: format, chunk: chunk)
        #expect(texts(converted, "general") == ["root", "plain", "reply"])
        #expect(converted.records["general"]?.map { $0["thread"] as? String } == [nil, nil, "1.000001"])
        #expect(converted.problems.isEmpty)
    }
}
