import Dates
import TestSupport
import Testing

@testable import Formats

struct DiscordHTMLTests {
    private let format = DiscordHTMLFormat()

    /// IDs whose time is known: 2024-05-01T08:00:00Z and so many minutes later.
    private static func id(_ minutes: Int) -> Int { (1_714_550_400_000 + minutes * 60_000 - 1_420_070_400_000) << 22 }

    private static func file(_ groups: [String], path: String = "Text / general", cut: Bool = false) -> String {
        """
        <!DOCTYPE html><html lang=en><head><title>Club - general</title><style>.chatlog__message-group{x:y}</style></head><body>
        <div class=preamble><div class=preamble__entries-container><div class=preamble__entry>Club &amp; Co</div>\
        <div class=preamble__entry>\(path)</div><div class="preamble__entry preamble__entry--small">all <strong>talk</strong></div></div></div>
        <div class=chatlog>
        \(groups.joined(separator: "\n"))
        """ + (cut ? "" : "</div><div class=postamble><div class=postamble__entry>Exported</div></div></body></html>")
    }

    private static func group(_ messages: String...) -> String {
        "<div class=chatlog__message-group>" + messages.joined() + "</div>"
    }

    private static let author =
        #"<div class=chatlog__header><span class=chatlog__author title=ana data-user-id=7>Ana &lt;3</span> <span class=chatlog__timestamp title="1. Mai"><a href=#chatlog__message-container-5>01.05.</a></span></div>"#

    private static func message(_ minutes: Int, _ content: String, author: String = Self.author, more: String = "")
        -> String
    {
        let id = id(minutes)
        return
            "<div id=chatlog__message-container-\(id) class=chatlog__message-container data-message-id=\(id)><div class=chatlog__message>"
            + "<div class=chatlog__message-aside></div><div class=chatlog__message-primary>\(author)"
            + "<div class=\"chatlog__content chatlog__markdown\"><span class=chatlog__markdown-preserve>\(content)</span></div>\(more)</div></div></div>"
    }

    private static func source(_ files: [String: String]) -> Source {
        Source(name: "x", files.mapValues { Array($0.utf8) })
    }

    private static let name = "Club - Text - general [123456].html"

    private func record(_ content: String, more: String = "") throws -> [String: Any] {
        let file = Self.file([Self.group(Self.message(0, content, more: more))])
        return try Converted(Self.source([Self.name: file]), by: format).records["general"]?.first ?? [:]
    }

    @Test func `a file without its last tags is whole`() throws {
        let whole = Self.file([Self.group(Self.message(0, "x"))]).replacing("</body></html>", with: "")
        #expect(try Converted(Self.source([Self.name: whole]), by: format).problems.isEmpty)
    }

    @Test(arguments: [
        "<video class=chatlog__embed-generic-gifv data-canonical-url=https://x.org/a.mp4><source src=https://y.org/b></video>",
        "<a href=https://x.org/a.mp4><img class=chatlog__embed-generic-image src=https://y.org/b></a>",
    ]) func `a GIF or a picture alone has its address`(embed: String) throws {
        let record = try record("", more: "<div class=chatlog__embed>\(embed)</div>")
        #expect(record["text"] as? String == "https://x.org/a.mp4")
    }

    @Test func `contents decide, not names`() {
        #expect(format.recognise(Self.source(["a.html": Self.file([])])) == .certain)
        #expect(format.recognise(Self.source(["a.html": "<html><body class=chatlog>"])) == .no)
        #expect(format.recognise(Self.source(["a.json": Self.file([])])) == .no)
    }

    @Test func `a channel has the names of the preamble and the ID of the file name`() throws {
        let archive = try format.archive(in: Self.source([Self.name: Self.file([Self.group(Self.message(0, "x"))])]))
        let general = try #require(archive.conversations.first)
        #expect(archive.name == "Club & Co")
        #expect((general.id, general.title, general.topic) == ("general", "#general", "all **talk**"))
        #expect(general.aliases == ["123456"])
        #expect(general.order == .sequence)
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `messages of a group share an author, and IDs hold the times`(chunk: Int) throws {
        let file = Self.file([
            Self.group(Self.message(0, "one"), Self.message(1, "two\nlines", author: "")),
            Self.group(Self.message(9, "three")),
        ])
        let converted = try Converted(Self.source([Self.name: file]), by: format, chunk: chunk)
        let records = converted.records["general"] ?? []
        #expect(records.map { $0["text"] as? String } == ["one", "two\nlines", "three"])
        #expect(records.map { $0["from"] as? String } == ["7", "7", "7"])
        #expect(
            records.map { $0["at"] as? String } == [
                "2024-05-01T08:00:00Z", "2024-05-01T08:01:00Z", "2024-05-01T08:09:00Z",
            ])
        #expect(records.first?["id"] as? String == String(Self.id(0)))
        #expect(converted.people == ["7": "Ana <3"])
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: [
        ("a &lt;b&gt; &amp; c", "a <b> & c"), ("a\r\nb", "a\nb"),
        ("<strong>b</strong> <em>i</em> <s>s</s>", "**b** *i* ~~s~~"),
        (#"<a href="https://a.b">it</a>"#, "[it](https://a.b)"),
        (#"<a href="https://a.b">https://a.b</a>"#, "https://a.b"),
        (#"<code class="chatlog__markdown-pre chatlog__markdown-pre--inline">a*b</code>"#, "`a*b`"),
        (
            #"see <code class="chatlog__markdown-pre chatlog__markdown-pre--multiline language-swift">let a&#39;&lt;b"#
                + "\nx</code>", "see \n```swift\nlet a'<b\nx\n```"
        ),
        (#"<span class="chatlog__markdown-mention" title="ben">@Ben</span> hi"#, "@Ben hi"),
        (
            #"<img loading="lazy" class="chatlog__emoji " alt="👍" title="thumbsup" src="x.svg"> <img alt="kek" src="y">"#,
            "👍 :kek:"
        ),
        (#"<span class="chatlog__markdown-spoiler chatlog__markdown-spoiler--hidden">x</span>"#, "||x||"),
        (
            #"<div class="chatlog__markdown-quote"><div class="chatlog__markdown-quote-border"></div><div class="chatlog__markdown-quote-content">q"#
                + "\nr</div></div>a", "> q\n> r\na"
        ),
    ])
    func `the text becomes light marks`(html: String, expected: String) throws {
        #expect(try record(html)["text"] as? String == expected)
    }

    @Test func `edits, files, embeds and reactions belong to their message`() throws {
        let record = try record(
            "x",
            more:
                #"<div class="chatlog__content chatlog__markdown"><span class=chatlog__markdown-preserve>x</span> <span class=chatlog__edited-timestamp title=t>(edited)</span></div>"#
                + #"<div class=chatlog__attachment onclick=""><a href="f%20s\x.png"><img class=chatlog__attachment-media src="f%20s\x.png" alt="Image attachment" title="Image: x y.png (3 KB)" loading=lazy></a></div>"#
                + #"<div class=chatlog__attachment><div class=chatlog__attachment-generic><div class=chatlog__attachment-generic-name><a href=https://cdn/z.zip> z.zip </a></div></div></div>"#
                + #"<div class=chatlog__embed><div class=chatlog__embed-title><a class=chatlog__embed-title-link href=https://a.b><div class="chatlog__markdown chatlog__embed-title">News</div></a></div><div class=chatlog__embed-description>text</div></div>"#
                + #"<div class=chatlog__reactions><div class=chatlog__reaction title=thumbsup><img class=chatlog__emoji alt=👍 src=x><span class=chatlog__reaction-count>12</span></div></div>"#
        )
        #expect(record["edited"] as? Bool == true)
        #expect(record["text"] as? String == "x\n> [News](https://a.b)\n> text")
        let files = try #require(record["attachments"] as? [[String: Any]])
        #expect(files.map { $0["name"] as? String } == ["x y.png", "z.zip"])
        #expect(files.map { $0["path"] as? String } == ["f s/x.png", nil])
        let reaction = try #require((record["reactions"] as? [[String: Any]])?.first)
        #expect((reaction["emoji"] as? String, reaction["count"] as? Int) == ("👍", 12))
    }

    @Test(arguments: ["'77'", "&#39;77&#39;"])
    func `a reply names its target, whose text is no text of it`(target: String) throws {
        let reply =
            #"<div class=chatlog__reply><div class=chatlog__reply-author title=b>B</div><div class=chatlog__reply-content><span class=chatlog__reply-link onclick="scrollToMessage(event, \#(target))"><div class=chatlog__content>old</div></span></div></div>"#
        let file = Self.file([Self.group(Self.message(0, "new", author: reply + Self.author))])
        let record = try #require(try Converted(Self.source([Self.name: file]), by: format).records["general"]?.first)
        #expect(record["replyTo"] as? String == "77")
        #expect(record["text"] as? String == "new")
        #expect(record["from"] as? String == "7")
    }

    @Test func `a group that names nobody is by nobody, not by the author before`() throws {
        let file = Self.file([Self.group(Self.message(0, "x")), Self.group(Self.message(1, "y", author: ""))])
        let records = try Converted(Self.source([Self.name: file]), by: format).records["general"] ?? []
        #expect(records.map { $0["from"] as? String } == ["7", nil])
    }

    @Test func `a line of the service is none of a person`() throws {
        let id = Self.id(0)
        let line =
            "<div id=chatlog__message-container-\(id) class=chatlog__message-container data-message-id=\(id)><div class=chatlog__message-primary><span class=chatlog__system-notification-author title=ana data-user-id=7>Ana</span> <span> </span> <span class=chatlog__system-notification-content><span>joined the server.</span></span></div></div>"
        let record = try #require(
            try Converted(Self.source([Self.name: Self.file([Self.group(line)])]), by: format).records["general"]?.first
        )
        #expect(record["kind"] as? String == "system")
        #expect(record["presence"] as? String == "join")
        #expect(record["text"] as? String == "joined the server.")
    }

    @Test func `a thread joins its channel, and overlapping files lose nothing`() throws {
        let source = Self.source([
            Self.name: Self.file([Self.group(Self.message(0, "root")), Self.group(Self.message(5, "later"))]),
            "copy [123456].html": Self.file([Self.group(Self.message(5, "later")), Self.group(Self.message(6, "last"))]
            ),
            "Club - general - T [\(Self.id(0))].html": Self.file(
                [Self.group(Self.message(2, "reply"))], path: "Text / general / T"),
        ])
        let converted = try Converted(source, by: format)
        #expect(converted.records["general"]?.map { $0["text"] as? String } == ["root", "reply", "later", "last"])
        #expect(converted.records["general"]?.map { $0["thread"] as? String } == [nil, String(Self.id(0)), nil, nil])
    }

    @Test func `old files name the author before the message`() throws {
        let old =
            #"<div class="chatlog__message-group"><div class="chatlog__messages"><span class="chatlog__author-name" title="ana#1234" data-user-id="7">Ana</span><span class="chatlog__timestamp">x</span><div class="chatlog__message " data-message-id="\#(Self.id(0))" id="message-1"><div class="chatlog__content"><div class="markdown"><span class="preserve-whitespace">hi</span></div></div></div></div></div>"#
        let record = try #require(
            try Converted(Self.source([Self.name: Self.file([old])]), by: format).records["general"]?.first)
        #expect((record["from"] as? String, record["text"] as? String) == ("7", "hi"))
    }

    @Test(arguments: [1, 64, 1 << 20])
    func `a file that was cut shows all it has, and says so`(chunk: Int) throws {
        let file = Self.file(
            [Self.group(Self.message(0, "one")), "<div class=chatlog__message-group><div id=chatlog__mess"], cut: true)
        let converted = try Converted(Self.source([Self.name: file]), by: format, chunk: chunk)
        #expect(converted.records["general"]?.count == 1)
        #expect(converted.problems.map(\.kind) == ["the end of the file is missing"])
    }

    @Test func `a file can be converted from any group on`() throws {
        let file = Array(Self.file((0..<6).map { Self.group(Self.message($0, "chatlog__message-group \($0)")) }).utf8)
        let source = Source(name: "x", [Self.name: file])
        let conversation = try #require(try format.archive(in: source).conversations.first)
        let feed = try #require(conversation.feeds.first)
        var cuts: Set<Int> = []
        for start in Int(feed.start)..<file.count {
            if let cut = file[start...].withUnsafeBytes({ format.cut($0, of: feed) }) { cuts.insert(start + cut) }
        }
        #expect(cuts.count == 6)
        for cut in cuts {
            var writer = RecordWriter()
            let converter = format.converter(for: feed, of: conversation, names: ForeignNames(), state: nil, zone: .utc)
            var reader = FeedReader(source, source.files[0], from: Int64(cut), by: converter)
            while try reader.step(to: Int64(file.count), isWhole: true, into: &writer) {}
            #expect(writer.count == cuts.count { $0 >= cut })
        }
    }

    @Test func `any bytes are read without a crash`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let file = Array(
            Self.file([Self.group(Self.message(0, "<em>x</em> <code>y</code>")), Self.group(Self.message(1, "z"))]).utf8
        )
        for _ in 0..<200 {
            var bytes = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
            for _ in 0..<6 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let source = Source(name: "x", [Self.name: bytes])
            _ = format.recognise(source)
            let converted = try Converted(source, by: format, chunk: 64)
            #expect(converted.archive.conversations.count <= 1, "seed \(seed)")
        }
    }
}
