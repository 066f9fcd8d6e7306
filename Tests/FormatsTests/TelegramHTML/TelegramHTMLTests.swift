import Dates
import Foundation
import TestSupport
import Testing

@testable import Formats

struct TelegramHTMLTests {
    private let format = TelegramHTMLFormat()

    // MARK: - Exports, as the exporter writes them

    private func file(_ messages: [String], title: String = "Ana Petrova ", more: String = "") -> String {
        """
        <!DOCTYPE html>
        <html>

         <head>

          <meta charset="utf-8"/>
        <title>Exported Data</title>
         </head>

         <body onload="CheckLocation();">

          <div class="page_wrap">

           <div class="page_header">

            <div class="content">

             <div class="text bold">
        \(title)
             </div>

            </div>

           </div>

           <div class="page_body chat_page">

            <div class="history">
        \(messages.joined(separator: "\n"))
        \(more)
            </div>

           </div>

          </div>

         </body>

        </html>
        """
    }

    private func message(
        _ id: Int, _ text: String?, from: String? = "Ana ", time: String = "01.02.2024 10:00:00 UTC+01:00",
        _ parts: String = "",
        foot: String = ""
    ) -> String {
        """
             <div class="message default clearfix\(from == nil ? " joined" : "")" id="message\(id)">

              <div class="body">

               <div class="pull_right date details" title="\(time)">
        10:00
               </div>

        \(from.map { "       <div class=\"from_name\">\n\($0)\n       </div>\n" } ?? "")\(parts)
        \(text.map { "       <div class=\"text\">\n\($0)\n       </div>\n" } ?? "")\(foot)
              </div>

             </div>
        """
    }

    private func service(_ id: Int, _ text: String) -> String {
        """
             <div class="message service" id="message\(id)">

              <div class="body details">
        \(text)
              </div>

             </div>
        """
    }

    private func converted(_ html: String, zone: Zone = .utc, chunk: Int = 64) throws -> Converted {
        try Converted(Source(["messages.html": Array(html.utf8)]), by: format, zone: zone, chunk: chunk)
    }

    private func records(_ messages: [String]) throws -> [[String: Any]] {
        let converted = try converted(file(messages))
        #expect(converted.problems == [])
        return converted.records["ana-petrova"] ?? []
    }

    private func record(_ message: String) throws -> [String: Any] { try #require(try records([message]).first) }

    // MARK: - Files

    @Test func `an export is recognised by its contents`() {
        #expect(format.recognise(Source(["a.html": Array(file([]).utf8)], isFile: true)) == .certain)
        #expect(format.recognise(Source(["messages.html": Array("<html><title>Other</title>".utf8)])) == .no)
        #expect(format.recognise(Source(["index.html": Array(file([]).utf8)])) == .no)
    }

    @Test func `files follow each other by their numbers`() throws {
        var files: [String: [UInt8]] = [:]
        for number in 1...11 {
            let name = number == 1 ? "messages.html" : "messages\(number).html"
            let more = number < 11 ? "<a class=\"pagination block_link\" href=\"x\">\nNext messages\n</a>" : ""
            files[name] = Array(file([service(-1, "1 February 2024"), message(number, "x")], more: more).utf8)
        }
        let converted = try Converted(Source(files), by: format)
        #expect(converted.records["ana-petrova"]?.map { $0["id"] as? String } == (1...11).map { "\($0)" })
    }

    @Test func `all chats have their names, and chats of one name their folders`() throws {
        let source = Source([
            "export_results.html": Array(
                "<div class=\"label details\">\nFirst name\n</div>\n<div class=\"value bold\">\nMia\n</div>".utf8),
            "chats/chat_001/messages.html": Array(file([message(1, "a")]).utf8),
            "chats/chat_002/messages.html": Array(file([message(1, "b")]).utf8),
            "chats/chat_003/messages.html": Array(file([message(1, "c")], title: "R&amp;D ").utf8),
        ])
        let converted = try Converted(source, by: format)
        #expect(
            converted.archive.conversations.map(\.id) == [
                "ana-petrova-chats-chat-001", "ana-petrova-chats-chat-002", "r-d",
            ])
        #expect(converted.archive.conversations.last?.title == "R&D")
        #expect(converted.archive.me == "Mia")
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `pieces of any size give the same records`(chunk: Int) throws {
        let messages = (1...20).map {
            message($0, String(repeating: "x<br>", count: $0), from: $0 % 3 == 1 ? "Ana " : nil)
        }
        let records = try converted(file(messages), chunk: chunk).records["ana-petrova"] ?? []
        #expect(records.map { $0["text"] as? String } == (1...20).map { String(repeating: "x\n", count: $0) })
        #expect(records.allSatisfy { $0["from"] as? String == "Ana" })
    }

    @Test func `the end of a file can be converted without its beginning`() throws {
        let html = Array(file([message(1, "a"), message(2, "b", from: nil), message(3, "c", from: "Ben ")]).utf8)
        let first = try #require(html.withUnsafeBytes { format.cut($0, of: Feed(file: "")) })
        let second = try #require(html[(first + 1)...].withUnsafeBytes { format.cut($0, of: Feed(file: "")) })
        #expect(
            String(decoding: html[(first + 1 + second)...], as: UTF8.self).hasPrefix(
                "<div class=\"message default clearfix\" id=\"message3\""))
        #expect(
            format.needle(of: "3", in: Feed(file: "")).map { String(decoding: $0, as: UTF8.self) } == "id=\"message3\"")
    }

    // MARK: - Messages

    @Test func `a message keeps its ID, its time, its sender and its text`() throws {
        let record = try record(message(12, "one two"))
        #expect(record["id"] as? String == "12" && record["at"] as? String == "2024-02-01T09:00:00Z")
        #expect(record["from"] as? String == "Ana" && record["text"] as? String == "one two")
    }

    @Test func `a joined message is by the person before it`() throws {
        let records = try records([
            message(1, "a"), message(2, "b", from: nil), message(3, "c", from: "Ben "), message(4, "d", from: nil),
        ])
        #expect(records.map { $0["from"] as? String } == ["Ana", "Ana", "Ben", "Ben"])
    }

    @Test(arguments: [
        ("01.07.2024 10:00:00 UTC+01:00", 7_200, "2024-07-01T08:00:00Z"),
        ("01.07.2024 10:00:00 UTC+01:00", 3_600, "2024-07-01T09:00:00Z"),
        ("01.07.2024 10:00:00 UTC+01:00", 0, "2024-07-01T09:00:00Z"),
        ("01.07.2024 10:00:00", 7_200, "2024-07-01T08:00:00Z"),
        ("01.07.2024 10:00:00 UTC-03:30", 0, "2024-07-01T13:30:00Z"),
        ("01.07.2024 10:00:00 UTC", -3_600, "2024-07-01T10:00:00Z"),
    ])
    func `the offset of the winter is that of the file unless the reader's zone knows better`(
        time: String, east: Int64, at: String
    ) throws {
        let converted = try converted(file([message(1, "x", time: time)]), zone: Zone(secondsEast: east))
        #expect(converted.records["ana-petrova"]?.first?["at"] as? String == at)
    }

    @Test(arguments: [
        ("a<br>b &lt;c&gt; &quot;d&quot;", "a\nb <c> \"d\""), (" two  blanks ", " two  blanks "),
        ("<strong>a</strong> <em>b</em>", "**a** *b*"),
        ("<s>a</s>", "~~a~~"), ("<u>a</u>", "_a_"), ("<code>a</code>", "`a`"), ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        ("<blockquote>a<br>b</blockquote>c", "> a\n> b\nc"),
        ("<a href=\"https://e.org/?a&amp;b\">e</a>", "[e](https://e.org/?a&b)"),
        ("<a href=\"https://e.org\">https://e.org</a>", "https://e.org"),
        ("<a href=\"https://t.me/ben\">@ben</a>", "@ben"),
        ("<a href=\"\" onclick=\"return ShowMentionName()\">Ben</a>", "@Ben"),
        ("<a href=\"\" onclick=\"return ShowHashtag(&quot;x&quot;)\">#x</a>", "#x"),
        (
            "<span class=\"spoiler hidden\" onclick=\"ShowSpoiler(this)\"><span aria-hidden=\"true\">a</span></span>",
            "||a||"
        ),
        ("<a href = \"stickers/1.webm\">😁</a>", "😁"),
    ])
    func `marks of a text become light marks`(html: String, text: String) throws {
        #expect(try record(message(1, html))["text"] as? String == text)
    }

    @Test func `a reply names its target in this file or another`() throws {
        let here =
            "<div class=\"reply_to details\">\nIn reply to <a href=\"#go_to_message5\" onclick=\"return GoToMessage(5)\">this message</a>\n</div>"
        #expect(try record(message(9, "x", here))["replyTo"] as? String == "5")
        let other =
            "<div class=\"reply_to details\">\nIn reply to <a href=\"messages2.html#go_to_message-999\">this message</a>\n</div>"
        #expect(try record(message(9, "x", other))["replyTo"] as? String == "-999")
        let elsewhere = "<div class=\"reply_to details\">\nIn reply to a message in another chat\n</div>"
        #expect(try record(message(9, "x", elsewhere))["replyTo"] == nil)
    }

    @Test func `a line tells where a message comes from, and what hangs below it`() throws {
        let forwarded =
            "<div class=\"forwarded body\">\n<div class=\"from_name\">\nBen B  via @gif<span class=\"date details\" title=\"x\"> 01.01.2020 00:00:00</span>\n</div>"
        let record = try record(
            message(1, "x", forwarded, foot: "</div><div class=\"signature details\">\nEditor\n</div>"))
        #expect(record["from"] as? String == "Ana")
        #expect(record["text"] as? String == "Forwarded from Ben B via @gif\nx\n— Editor")
        let bot = try self.record(message(1, "x", from: "Ana  via @gif"))
        #expect(bot["from"] as? String == "Ana" && bot["text"] as? String == "via @gif\nx")
    }

    @Test func `buttons stand below a text`() throws {
        let buttons =
            "<table class=\"bot_buttons_table\"><tbody><tr><td class=\"bot_button_row\"><div class=\"bot_button\"><a href=\"https://e.org\"><div>\nGo\n</div></a></div><div class=\"bot_button\"><a onclick=\"return x\"><div>\nNo\n</div></a></div></td></tr></tbody></table>"
        #expect(try record(message(1, "x", foot: buttons))["text"] as? String == "x\n[Go](https://e.org) [No]")
    }

    @Test func `reactions have counts and names`() throws {
        let foot = """
            <span class="reactions">
            <span class="reaction active">
            <span class="emoji">
            👍
            </span>
            <span class="userpics">
            <div class="userpic userpic1" style="x"><div class="initials" style="x" title="Ben B">
            B
            </div></div><div class="userpic"><div class="initials" title="Cem">C</div></div>
            </span>
            </span>
            <span class="reaction">
            <span class="emoji">
            <a href = "stickers/1.webm">👋</a>
            </span>
            <span class="count">
            12
            </span>
            </span>
            </span>
            """
        let reactions = try #require(record(message(1, "x", foot: foot))["reactions"] as? [[String: Any]])
        #expect(reactions.map { $0["emoji"] as? String } == ["👍", ":custom-emoji:"])
        #expect(reactions.map { $0["count"] as? Int } == [2, 12])
        #expect(reactions.first?["people"] as? [String] == ["Ben B", "Cem"])
    }

    // MARK: - Media

    private func media(
        _ kind: String, link: String? = nil, title: String = "", description: String = "", status: String = ""
    ) -> String {
        let head =
            link.map { "<a class=\"media clearfix pull_left block_link \(kind)\" href=\"\($0)\">" }
            ?? "<div class=\"media clearfix pull_left \(kind)\">"
        let parts = [("title bold", title), ("description", description), ("status details", status)].filter {
            !$0.1.isEmpty
        }
        return "<div class=\"media_wrap clearfix\">\(head)<div class=\"fill pull_left\"></div><div class=\"body\">"
            + parts.map { "<div class=\"\($0.0)\">\n\($0.1)\n</div>" }.joined()
            + "</div>\(link == nil ? "</div>" : "</a>")</div>"
    }

    @Test func `files have names and paths`() throws {
        let photo =
            "<div class=\"media_wrap clearfix\"><a class=\"photo_wrap clearfix pull_left\" href=\"photos/a&amp;b.jpg\"><img class=\"photo\" src=\"x\"/></a></div>"
        let missing = "Not included, change data exporting settings to download."
        let cases: [(String, String, String?, String)] = [
            (photo, "a&b.jpg", "photos/a&b.jpg", ""),
            (
                media("media_voice_message", link: "voice/a.ogg", title: "Voice message", status: "00:05"), "a.ogg",
                "voice/a.ogg", "Voice message, 00:05"
            ),
            (
                media("media_voice_message", title: "Voice message", description: missing, status: "00:05, 3 KB"),
                "Voice message", nil, "Voice message, 00:05"
            ),
            (
                media("media_file", link: "files/a.pdf", title: "Report.pdf", status: "3 KB"), "Report.pdf",
                "files/a.pdf", ""
            ),
            (
                media("media_photo", title: "Sticker", description: missing, status: "😱, 12 KB"), "Sticker", nil,
                "😱 Sticker"
            ),
            (media("media_photo", link: "../../etc/passwd", title: "Photo"), "Photo", nil, ""),
        ]
        for (html, name, path, text) in cases {
            let record = try record(message(1, nil, html))
            let file = (record["attachments"] as? [[String: Any]])?.first
            #expect(file?["name"] as? String == name)
            #expect(file?["path"] as? String == path)
            #expect(record["text"] as? String == text)
        }
    }

    @Test func `a file of a chat among others lies in its folder`() throws {
        let photo = "<a class=\"photo_wrap clearfix pull_left\" href=\"../../chats/chat_01/photos/1.jpg\"></a>"
        let source = Source(["chats/chat_01/messages.html": Array(file([message(1, nil, photo)]).utf8)])
        let record = try Converted(source, by: format).records["ana-petrova"]?.first
        #expect((record?["attachments"] as? [[String: Any]])?.first?["path"] as? String == "chats/chat_01/photos/1.jpg")
    }

    @Test func `places, polls, calls and the like are told in lines, without phone numbers`() throws {
        let poll =
            "<div class=\"media_wrap clearfix\"><div class=\"media_poll\"><div class=\"question bold\">\nTea?\n</div><div class=\"details\">\nFinal results\n</div><div class=\"answer\">\n- Yes <span class=\"details\">2 votes, chosen vote</span>\n</div><div class=\"total details\t\">\n2 votes\n</div></div></div>"
        let cases = [
            (poll, "Poll: Tea?\n- Yes 2 votes, chosen vote\n2 votes, final results"),
            (media("media_contact", title: "Ben B", status: "+49 170 1"), "Contact: Ben B"),
            (
                media("media_location", link: "https://maps.google.com/x", title: "Location", status: "1.5, 2"),
                "Location: 1.5, 2"
            ),
            (media("media_venue", title: "Café", description: "Street 1"), "Location: Café, Street 1"),
            (media("media_invoice", title: "Hat", description: "Red", status: "$1.00"), "Invoice: Hat, $1.00\nRed"),
            (media("media_call success", title: "Ana", status: "Outgoing (77 seconds)"), "Call: Outgoing (77 seconds)"),
        ]
        for (html, text) in cases {
            let record = try record(message(1, nil, html))
            #expect(record["text"] as? String == text)
            #expect(!"\(record)".contains("170"))
        }
    }

    // MARK: - Lines of the service

    @Test func `a line of the service has the time of the message before, or of its day`() throws {
        let records = try records([
            service(-1, "1 February 2024"), service(5, "Ana created group &laquo;G&raquo;"), message(6, "x"),
            service(7, "History cleared"),
            service(-2, "3 February 2024"), service(8, "Ana pinned <a href=\"#go_to_message6\">this message</a>"),
        ])
        #expect(records.map { $0["id"] as? String } == ["5", "6", "7", "8"])
        #expect(
            records.map { $0["at"] as? String } == [
                "2024-02-01T00:00:00Z", "2024-02-01T09:00:00Z", "2024-02-01T09:00:00Z", "2024-02-03T00:00:00Z",
            ])
        #expect(
            records.map { $0["text"] as? String } == [
                "Ana created group «G»", "x", "History cleared", "Ana pinned this message",
            ])
        #expect(records.last?["replyTo"] as? String == "6" && records.last?["kind"] as? String == "system")
    }

    @Test(
        arguments: [
            ("Ana joined group by link from Ben", "join", "Ana"), ("Ana invited Ana", "join", "Ana"),
            ("Ana removed Ana", "leave", "Ana"),
            ("Ana invited Ben", nil, nil),
        ] as [(String, String?, String?)])
    func `a person who joins or leaves alone has a presence`(text: String, presence: String?, from: String?) throws {
        let record = try record(service(5, text))
        #expect(record["presence"] as? String == presence && record["from"] as? String == from)
    }

    @Test func `messages of a migrated group are no lines of a day`() throws {
        #expect(try records([service(-999_999_999, "Ana converted this group to a supergroup")]).count == 1)
    }

    // MARK: - Damage

    @Test func `of a file that is cut off, all whole messages are shown`() throws {
        let whole = file([message(1, "a"), message(2, "b")])
        let place = try #require(whole.range(of: "id=\"message2\""))
        let converted = try converted(String(whole[..<place.upperBound]))
        #expect(converted.records["ana-petrova"]?.count == 1)
        #expect(converted.problems.map(\.kind) == ["the file ends within a record"])
    }

    @Test func `a damaged file has no more messages than a whole one`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let whole = Array(
            file([
                service(-1, "1 February 2024"), message(1, "a <b>b</b> &amp;"),
                message(2, nil, media("media_file", link: "a", title: "b")), service(3, "x"),
            ]).utf8)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.remove(at: place)
                }
            }
            let source = Source(["messages.html": bytes])
            guard format.recognise(source) == .certain else { continue }
            let converted = try Converted(source, by: format, chunk: 256)
            #expect(converted.records.values.reduce(0) { $0 + $1.count } <= 4, "seed \(seed)")
        }
        print("seed \(seed)")
    }
}
