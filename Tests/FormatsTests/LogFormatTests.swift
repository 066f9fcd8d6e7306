import Dates
import TestSupport
import Testing

@testable import Formats

/// Sources that hold a conversation a file, each as its program writes it.
struct LogFormatTests {
    private static func source(_ files: [String: String]) -> Source { Source(files.mapValues { Array($0.utf8) }) }

    private static func converted(
        _ files: [String: String], by format: any Format, zone: Zone = .utc, chunk: Int = 1 << 20
    ) throws -> Converted {
        let source = source(files)
        #expect(format.recognise(source) == .certain)
        return try Converted(source, by: format, zone: zone, chunk: chunk)
    }

    /// `2024-01-05T09:12:00Z ana: low tide`
    private static func lines(_ records: [[String: Any]]?) -> [String] {
        (records ?? []).map { "\($0["at"] as? String ?? "-") " + IRCRecords.line($0) }
    }

    private static func names(_ record: [String: Any]?) -> [String] {
        (record?["attachments"] as? [[String: Any]] ?? []).map { $0["path"] as? String ?? $0["name"] as? String ?? "" }
    }

    private static func reactions(_ record: [String: Any]?) -> [String] {
        (record?["reactions"] as? [[String: Any]] ?? []).map { reaction in
            "\(reaction["emoji"] ?? "") \(reaction["count"] ?? 0) \((reaction["people"] as? [String] ?? []).joined(separator: ","))"
        }
    }

    // MARK: - Discord

    private static let csv = """
        AuthorID,Author,Date,Content,Attachments,Reactions
        "101","ana","2024-01-05T09:12:00.1230000+01:00","low ""tide"",
        at six
        ","f/a, b.png,f/c.png","👍 (2),boat (1)"
        "102","ben","2024-01-05T09:13:00.0000000+01:00","Joined the server.","",""
        "102","ben","soon","never","",""
        "102","ben","2024-01-05T09:14:00.0000000+01:00","https://x.example/a,b","https://cdn.example/1/x%20y.png?ex=1",""

        """

    @Test(arguments: chunks) func `CSV of DiscordChatExporter has texts of several lines, files and reactions`(
        chunk: Int
    ) throws {
        let converted = try Self.converted(
            ["Tides - Text - pier [12345678].csv": Self.csv], by: DiscordCSVFormat(), chunk: chunk)
        #expect(converted.archive.conversations.map(\.id) == ["pier"])
        #expect(converted.archive.conversations[0].aliases == ["12345678"])
        let records = converted.records["pier"] ?? []
        #expect(
            Self.lines(records) == [
                "2024-01-05T08:12:00.123Z 101: low \"tide\",\nat six",
                "2024-01-05T08:13:00Z [join 102] Joined the server.",
                "2024-01-05T08:14:00Z 102: https://x.example/a,b",
            ])
        #expect(converted.people == ["101": "ana", "102": "ben"])
        #expect(Self.names(records.first) == ["f/a, b.png", "f/c.png"])
        #expect(Self.names(records.last) == ["x y.png"])
        #expect(Self.reactions(records.first) == ["👍 2 ", ":boat: 1 "])
        #expect(converted.problems.map(\.kind) == ["row without a time"])
    }

    @Test func `old CSV of DiscordChatExporter has dates that all of them decide`() throws {
        let head = "\u{FEFF}Author;Date;Content;Attachments;\n"
        let named = try Self.converted(
            ["a.csv": head + "\"ana#0001\";\"12-Mar-19 10:00 PM\";\"hi;\";\"\";\n"], by: DiscordCSVFormat())
        #expect(Self.lines(named.records["a"]) == ["2019-03-12T22:00:00Z ana#0001: hi;"])
        let rows = "\"ana#0001\";\"02/01/2019 10:00\";\"one\";\"\";\n\"ana#0001\";\"14/01/2019 10:00\";\"two\";\"\";\n"
        let numbers = try Self.converted(["a.csv": head + rows], by: DiscordCSVFormat())
        #expect(Self.lines(numbers.records["a"]).map { $0.prefix(10) } == ["2019-01-02", "2019-01-14"])
        let american = try Self.converted(
            ["a.csv": head + rows.replacing("14/01", with: "01/14")], by: DiscordCSVFormat())
        #expect(Self.lines(american.records["a"]).map { $0.prefix(10) } == ["2019-01-14", "2019-02-01"])
    }

    @Test func `parts and overlapping exports of a channel are one conversation without repeats`() throws {
        let row = "\"101\",\"ana\",\"2024-01-05T09:12:00.0000000+00:00\",\"one\",\"\",\"\"\n"
        let next = row.replacing("09:12", with: "09:15").replacing("one", with: "two")
        let head = "AuthorID,Author,Date,Content,Attachments,Reactions\n"
        let converted = try Self.converted(
            [
                "T - pier [12345678] [part 10].csv": head + next, "T - pier [12345678].csv": head + row + next,
                "T - quay [87654321].csv": row,
            ], by: DiscordCSVFormat())
        #expect(converted.archive.conversations.map(\.id) == ["pier", "quay"])
        #expect(converted.records["pier"]?.count == 2)
        // Rows without the head are understood.
        #expect(converted.records["quay"]?.count == 1)
    }

    private static let package = [
        "account/user.json": #"{"id":"900000000000000001","username":"ana","global_name":"Ana R"}"#,
        "messages/index.json":
            #"{"800000000000000001":"pier in Tides","800000000000000002":"Direct Message with ben#0"}"#,
        "messages/c800000000000000001/channel.json":
            #"{"id":"800000000000000001","type":0,"name":"pier","guild":{"id":"1","name":"Tides"}}"#,
        "messages/c800000000000000001/messages.csv": """
        ID,Timestamp,Contents,Attachments
        747951969171275807,2020-08-25 22:54:05.726000+00:00,"two
        lines",
        747951969171275806,2020-08-25 22:54:04.000000+00:00,<:boat:12345678901234567>,https://cdn.example/a.png https://cdn.example/b.png
        747951969171275808,soon,x,
        """,
        "messages/c800000000000000002/channel.json":
            #"{"id":"800000000000000002","type":1,"recipients":["900000000000000001","900000000000000002"]}"#,
        "messages/c800000000000000002/messages.json": """
        [{"ID": 747951969171275810, "Timestamp": "2024-05-06 10:11:12", "Contents": "hi", "Attachments": ""},
         {"ID": 747951969171275811, "Timestamp": "2024-05-06 10:11:13", "Contents": "", "Attachments": ""}]
        """,
    ]

    @Test(arguments: chunks) func `the data package of Discord has one's own messages by their IDs`(chunk: Int) throws {
        let converted = try Self.converted(Self.package, by: DiscordPackageFormat(), chunk: chunk)
        #expect(converted.archive.me == "900000000000000001")
        #expect(converted.people == ["900000000000000001": "Ana R"])
        #expect(converted.archive.conversations.map(\.id) == ["pier-in-tides", "direct-message-with-ben-0"])
        let pier = converted.records["pier-in-tides"] ?? []
        #expect(
            Self.lines(pier) == [
                "2020-08-25T22:54:04Z 900000000000000001: :boat:",
                "2020-08-25T22:54:05Z 900000000000000001: two\nlines",
            ])
        #expect(pier.map { $0["id"] as? String } == ["747951969171275806", "747951969171275807"])
        #expect(Self.names(pier.first) == ["a.png", "b.png"])
        let direct = converted.records["direct-message-with-ben-0"] ?? []
        #expect(direct.count == 2 && direct[1]["text"] as? String != "")
        #expect(converted.problems.map(\.kind) == ["text that belongs to no row"])
    }

    private static let oldHTML = """
        <!DOCTYPE html><html><head><title>Tides - pier</title></head><body>
        <div class="info"><div class="info__guild-name">Tides</div><div class="info__channel-name">pier</div>
        <div class="info__channel-topic">boats</div></div>
        <div class="chatlog"><div class="chatlog__message-group"><div class="chatlog__messages">
        <span class="chatlog__author-name" title="ana#0001">ana</span><span class="chatlog__timestamp">12-Mar-19 10:00 PM</span>
        <div class="chatlog__content"><span class="markdown">low <strong>tide</strong></span><span class="chatlog__edited-timestamp"
        title="x">(edited)</span></div>
        <div class="chatlog__attachment"><a href="https://cdn.example/boat.png"><img class="chatlog__attachment-thumbnail"
        src="https://cdn.example/boat.png" /></a></div>
        <div class="chatlog__reactions"><div class="chatlog__reaction"><img class="emoji" title="👍" src="x" /><span>2</span></div></div>
        <div class="chatlog__attachment"><a href="https://cdn.example/a.txt">Attachment: a.txt (3 KB)</a></div>
        <div class="chatlog__content"><span class="markdown">at six</span></div>
        </div></div></div></body></html>
        """

    @Test(arguments: chunks) func `HTML of DiscordChatExporter without IDs has the times of its groups`(chunk: Int)
        throws
    {
        let converted = try Self.converted(
            ["pier.html": Self.oldHTML], by: DiscordHTMLFormat(), zone: Zone(secondsEast: 3_600), chunk: chunk)
        #expect(converted.archive.conversations.map(\.topic) == ["boats"])
        let records = converted.records["pier"] ?? []
        #expect(
            Self.lines(records) == [
                "2019-03-12T21:00:00Z ana#0001: low **tide**", "2019-03-12T21:00:00Z ana#0001: ",
                "2019-03-12T21:00:00Z ana#0001: at six",
            ])
        #expect(records.map(Self.names) == [["boat.png"], ["a.txt"], []])
        #expect(Self.reactions(records.first) == ["👍 2 "])
        #expect(records.map { $0["edited"] as? Bool } == [true, nil, nil])
        #expect(converted.problems.isEmpty)
    }

    // MARK: - Messenger

    private static func message(_ sender: String, _ content: String, _ time: String, isOld: Bool = false) -> String {
        let names = isOld ? ["_2lej", "_2lel", "_2let", "_2lem"] : ["_a6-g", "_a6-h", "_a6-p", "_a6-o"]
        return
            "<div class=\"pam _3-95 \(names[0]) noborder\"><h2 class=\"_3-95 \(names[1])\">\(sender)</h2><div class=\"_3-95 \(names[2])\">"
            + "\(content)</div><div class=\"_3-94 \(names[3])\"><a href=\"https://x.example\"><div class=\"_a72d\">\(time)</div></a></div></div>"
    }

    private static func page(_ messages: String...) -> String {
        "<html><head><title>Ben &amp; Ana</title></head><body><div class=\"_a6-g\"><div class=\"_a6-h\">Participants: Ana, Ben</div></div>"
            + messages.joined() + "</body></html>"
    }

    @Test(arguments: chunks, [true, false])
    func `HTML of Messenger has files, reactions and names of months`(chunk: Int, isOld: Bool) throws {
        let path = "your_activity/messages/inbox/ben_123/"
        let converted = try Self.converted(
            [
                path + "message_1.html": Self.page(
                    Self.message(
                        "Ben",
                        "<div><div></div><div>at &lt;six&gt;</div><div><ul class=\"_a6-q\"><li>❤Ana R</li><li>👍Ben (Jan 1, 2024 9:06 am)</li></ul></div></div>",
                        "Jan 01, 2024 9:05:33 pm", isOld: isOld)),
                path + "message_2.html": Self.page(
                    Self.message(
                        "Ana R", "<div><a href=\"https://x.example/a\">https://x.example/a</a></div>",
                        "Dec 31, 2023, 9:05 AM", isOld: isOld),
                    Self.message(
                        "Ana R", "<div><img src=\"messages/inbox/ben_123/photos/1.jpg\"/><div>low tide</div></div>",
                        "30. Dez. 2023, 21:04",
                        isOld: isOld)),
                "your_activity/posts/your_posts_1.html": Self.page(
                    Self.message("Ana", "a post", "Jan 01, 2024 9:05 am")),
            ], by: MessengerHTMLFormat(), chunk: chunk)
        #expect(converted.archive.conversations.map(\.id) == ["ben-ana"])
        let records = converted.records["ben-ana"] ?? []
        #expect(
            Self.lines(records) == [
                "2023-12-30T21:04:00Z Ana R: low tide", "2023-12-31T09:05:00Z Ana R: https://x.example/a",
                "2024-01-01T21:05:33Z Ben: at <six>",
            ])
        #expect(Self.names(records.first) == [path + "photos/1.jpg"])
        #expect(Self.reactions(records.last) == ["❤ 1 Ana R", "👍 1 Ben"])
        #expect(converted.problems.isEmpty)
    }

    // MARK: - Element

    private static let element = """
        <!DOCTYPE html><html><body><main class="mx_RoomView"><div class="mx_LegacyRoomHeader light-panel"><div dir="auto"
        class="mx_LegacyRoomHeader_nametext" title="Pier">Pier &amp; Quay</div><div class="mx_LegacyRoomHeader_topic"> boats </div></div>
        <ol class="mx_RoomView_MessageList"><li><div class="mx_TimelineSeparator" role="separator" aria-label="Tue, Mar 5, 2024"><hr/><div
        class="mx_DateSeparator_dateContent"><h2 class="mx_DateSeparator_dateHeading">Tue, Mar 5, 2024</h2></div></div></li><div
        class="mx_Export_EventWrapper" id="$1"><li class="mx_EventTile"><div class="mx_DisambiguatedProfile"><span
        class="mx_Username_color4 mx_DisambiguatedProfile_displayName">Ana</span></div><button title="@ana:x.example" class="_avatar
        mx_BaseAvatar">A</button><div class="mx_EventTile_line"><a href="https://matrix.to/#/!r/$1"><span
        class="mx_MessageTimestamp">23:59</span></a><div class="mx_MTextBody"><div class="mx_EventTile_body">low <strong>tide</strong><br>at
        six</div></div></div></li></div><div class="mx_Export_EventWrapper" id="$2"><li class="mx_EventTile mx_EventTile_continuation"><span
        class="mx_MessageTimestamp" title="Tue, Mar 5 2024 23:59:30">23:59</span><div class="mx_ReplyChain_wrapper"><p
        class="mx_ReplyChain_Export">In reply to <a class="mx_reply_anchor" href="#$1" data-scroll-to="$1">this</a></p></div><div
        class="mx_MTextBody"><span class="mx_EventTile_body">yes</span><span class="mx_EventTile_edited">(edited)</span></div></li></div><li><h2
        class="mx_DateSeparator"><hr><div>Wed, Mar 6, 2024</div></h2></li><div class="mx_Export_EventWrapper" id="$3"><li
        class="mx_EventTile mx_EventTile_info"><span class="mx_MessageTimestamp">00:01</span><div class="mx_TextualEvent">Ben joined the
        room</div></li></div><div class="mx_Export_EventWrapper" id="$4"><li class="mx_EventTile"><span
        class="mx_DisambiguatedProfile_displayName">Ben</span><span class="mx_DisambiguatedProfile_mxid">@ben:x.example</span><span
        class="mx_MessageTimestamp">00:02</span><div class="mx_MImageBody"><a href="images/boat%20a.png"><img
        src="images/boat%20a.png"></a></div></li></div><div class="mx_Export_EventWrapper" id="$5"><li class="mx_EventTile"><span
        class="mx_MessageTimestamp">00:03</span><div class="mx_MEmoteBody">*&nbsp;<span class="mx_MEmoteBody_sender">Ben</span>&nbsp;<span
        class="mx_EventTile_body">waves</span></div></li></div><div class="mx_Export_EventWrapper" id="$6"><li class="mx_EventTile"><span
        class="mx_MessageTimestamp">00:04</span><span class="mx_RedactedBody">Message deleted</span></li></div></ol></main></body></html>
        """

    @Test(arguments: chunks) func `HTML of Element has its days, replies, files and notices`(chunk: Int) throws {
        let converted = try Self.converted(["messages.html": Self.element], by: ElementHTMLFormat(), chunk: chunk)
        #expect(converted.archive.conversations.map(\.title) == ["Pier & Quay"])
        #expect(converted.archive.conversations.map(\.topic) == ["boats"])
        let records = converted.records["pier-quay"] ?? []
        #expect(
            Self.lines(records) == [
                "2024-03-05T23:59:00Z @ana:x.example: low **tide**\nat six", "2024-03-05T23:59:30Z @ana:x.example: yes",
                "2024-03-06T00:01:00Z [] Ben joined the room", "2024-03-06T00:02:00Z @ben:x.example: ",
                "2024-03-06T00:03:00Z * @ben:x.example waves", "2024-03-06T00:04:00Z @ben:x.example: -",
            ])
        #expect(records.map { $0["id"] as? String } == ["$1", "$2", "$3", "$4", "$5", "$6"])
        #expect(records.map { $0["replyTo"] as? String } == [nil, "$1", nil, nil, nil, nil])
        #expect(records.map { $0["edited"] as? Bool } == [nil, true, nil, nil, nil, nil])
        #expect(records.last?["deleted"] as? Bool == true)
        #expect(records.map(Self.names)[3] == ["images/boat a.png"])
        #expect(converted.people == ["@ana:x.example": "Ana", "@ben:x.example": "Ben"])
        #expect(converted.problems.isEmpty)
    }

    @Test func `pages of Element follow each other by their numbers`() throws {
        let converted = try Self.converted(
            Dictionary(
                uniqueKeysWithValues: ["", "2", "10"].map {
                    ("messages\($0).html", Self.element.replacing("\"$", with: "\"$\($0)-"))
                }),
            by: ElementHTMLFormat())
        let ids = converted.records["pier-quay"]?.map { $0["id"] as? String ?? "" } ?? []
        #expect(ids.count == 18 && ids.first == "$-1" && ids[6] == "$2-1" && ids.last == "$10-6")
    }

    // MARK: - Zulip

    private static let realm = """
        {"zerver_realm": [{"id": 1, "name": "Harbour"}],
         "zerver_userprofile": [{"id": 11, "full_name": "Ana"}, {"id": 12, "full_name": "Ben"}],
         "zerver_userprofile_crossrealm": [{"id": 3, "email": "notification-bot@zulip.com", "full_name": "Notification Bot"}],
         "zerver_stream": [{"id": 21, "name": "pier", "description": "boats"}],
         "zerver_recipient": [{"id": 31, "type": 2, "type_id": 21}, {"id": 33, "type": 1, "type_id": 11},
           {"id": 35, "type": 1, "type_id": 12}, {"id": 34, "type": 3, "type_id": 77}],
         "zerver_subscription": [{"id": 1, "user_profile": 11, "recipient": 34}, {"id": 2, "user_profile": 12, "recipient": 34}],
         "zerver_reaction": [{"id": 1, "user_profile": 12, "message": 101, "emoji_name": "tada", "emoji_code": "1f389",
           "reaction_type": "unicode_emoji"}, {"id": 2, "user_profile": 11, "message": 101, "emoji_name": "boat",
           "emoji_code": "7", "reaction_type": "realm_emoji"}]}
        """
    private static let zulip = """
        {"zerver_message": [
          {"id": 101, "sender": 11, "recipient": 31, "subject": "tides", "content": "x [a](/user_uploads/2/ab/t.txt)",
           "rendered_content": "<p>low <strong>tide</strong> <a href=\\"/user_uploads/2/ab/t.txt\\">a</a></p>",
           "date_sent": 1554100000.25, "last_edit_time": null},
          {"id": 102, "sender": 12, "recipient": 31, "subject": "tides", "content": "ack @**Ana|11** :tada: \\"zerver_message\\": [",
           "rendered_content": null, "date_sent": 1554100600, "edit_history": "[{\\"prev_content\\":\\"a\\"}]"},
          {"id": 103, "sender": 3, "recipient": 31, "subject": "boats", "content": "moved", "date_sent": 1554100700},
          {"id": 104, "sender": 11, "recipient": 35, "subject": "", "content": "to ben", "date_sent": 1554100800},
          {"id": 105, "sender": 12, "recipient": 33, "subject": "", "content": "/me waves", "date_sent": 1554100900},
          {"id": 106, "sender": 12, "recipient": 34, "subject": "", "content": "all", "date_sent": 1554101000},
          {"id": 107, "sender": 12, "recipient": 31, "subject": "boats", "content": "lost", "date_sent": "x"}
        ], "zerver_usermessage": [{"id": 1, "user_profile": 11, "message": 101}]}
        """

    @Test(arguments: chunks) func `the export of a Zulip server has channels, topics and direct messages`(chunk: Int)
        throws
    {
        let converted = try Self.converted(
            ["realm.json": Self.realm, "messages-000001.json": Self.zulip, "uploads/2/ab/t.txt": "x"],
            by: ZulipServerFormat(), chunk: chunk)
        #expect(converted.archive.name == "Harbour")
        #expect(converted.archive.conversations.map(\.title) == ["#pier", "Ana, Ben", "Ana, Ben"])
        let pier = converted.records["pier"] ?? []
        #expect(
            Self.lines(pier) == [
                "2019-04-01T06:26:40.250Z 11: **tides**\nlow **tide** a",
                "2019-04-01T06:36:40Z 12: ack @Ana 🎉 \"zerver_message\": [",
                "2019-04-01T06:38:20Z [3] **boats**\nmoved",
            ])
        #expect(pier.map { $0["thread"] as? String } == [nil, "101", nil])
        #expect(pier.map { $0["edited"] as? Bool } == [nil, true, nil])
        #expect(Self.reactions(pier.first) == ["🎉 1 12", ":boat: 1 11"])
        #expect(Self.names(pier.first) == ["uploads/2/ab/t.txt"])
        let direct = converted.archive.conversations.dropFirst().map { Self.lines(converted.records[$0.id]) }
        #expect(
            Set(direct.map { $0.joined(separator: "\n") }) == [
                "2019-04-01T06:40:00Z 11: to ben\n2019-04-01T06:41:40Z * 12 waves", "2019-04-01T06:43:20Z 12: all",
            ])
        #expect(converted.problems.map(\.kind) == ["message without a time"])
    }

    // MARK: - Mail

    private static let mailbox = """
        From ana@x.example Tue Mar  5 09:12:40 2024
        From: =?utf-8?Q?Ana_P=C3=A9rez?= <Ana@x.example>
        Date: Tue, 5 Mar 2024 10:12:40 +0100
        Message-ID: <1@x.example>
        Subject: =?utf-8?B?bG93IA==?= =?utf-8?B?dGlkZQ==?=
        Content-Type: multipart/mixed; boundary="b1"

        --b1
        Content-Type: multipart/alternative; boundary=b2

        --b2
        Content-Type: text/plain; charset=iso-8859-1
        Content-Transfer-Encoding: quoted-printable

        caf=E9 at =
        six
        >From here
        --b2
        Content-Type: text/html

        <p>other</p>
        --b2--
        --b1
        Content-Type: image/png; name="boat.png"
        Content-Disposition: attachment; filename="boat.png"
        Content-Transfer-Encoding: base64

        AAAA
        --b1--

        From ben at x.example  Tue Mar  5 09:20:00 2024
        From: ben at x.example (Ben Ito)
        Date: Tue Mar  5 09:20:00 2024
        Message-ID: <2@x.example>
        In-Reply-To: <1@x.example>
        References: <0@x.example>
        	<1@x.example>
        Subject: Re: low tide

        > café at six
        yes

        From carl@x.example Tue Mar  5 10:00:00 2024
        From: carl@x.example
        Subject: boats
        Content-Type: text/html; charset=utf-8
        Content-Transfer-Encoding: base64

        PHA+Ym9hdDwvcD4=

        From nobody somewhere
        """

    @Test(arguments: chunks) func `a mailbox has threads, texts in any coding and names of files`(chunk: Int) throws {
        let converted = try Self.converted(["pier.mbox": Self.mailbox], by: MailboxFormat(), chunk: chunk)
        #expect(converted.archive.conversations.map(\.id) == ["pier"])
        let records = converted.records["pier"] ?? []
        #expect(
            Self.lines(records) == [
                "2024-03-05T09:12:40Z ana@x.example: **low tide**\ncafé at six\nFrom here",
                "2024-03-05T09:20:00Z ben@x.example: > café at six\nyes",
                "2024-03-05T10:00:00Z carl@x.example: **boats**\nboat",
            ])
        #expect(records.map { $0["thread"] as? String } == [nil, "1@x.example", nil])
        #expect(
            converted.people == [
                "ana@x.example": "Ana Pérez", "ben@x.example": "Ben Ito", "carl@x.example": "carl@x.example",
            ])
        #expect(Self.names(records.first) == ["boat.png"])
    }

    // MARK: - Apple

    private static let messages = """
        <html>
        <meta charset="UTF-8">
        <div class="message">
        <div class="received">
        <p><span class="timestamp">Jul 17, 2022  5:31:49 PM (Read by you after 5 seconds)</span>
        <span class="sender">ana@x.example</span></p>
        <hr><div class="message_part">
        <span class="bubble">low &lt;tide&gt;</span>
        </div>
        <div class="tapbacks"><hr><p>Tapbacks:</p>
        <div class="tapback"><span><b>Loved</b> by Me</span></div>
        </div>
        <div class="replies">
        <div class="reply" id="5F"><div class="message">
        <div class="sent iMessage">
        <p><span class="timestamp">Jul 17, 2022  5:40:03 PM</span>
        <span class="reply_anchor"><a href="#r-5F">⇲</a></span>
        <span class="sender">Me</span></p>
        <hr><div class="message_part">
        <span class="bubble">at six</span>
        </div>
        </div>
        </div>
        </div>
        </div>
        </div>
        </div>
        <div class="announcement"><p><span class="timestamp">Jul 17, 2022  5:35:00 PM</span> You renamed the conversation to <b>boats</b></p></div>
        <div class="message", id="r-5F">
        <div class="sent iMessage">
        <p><span class="timestamp">Jul 17, 2022  5:40:03 PM</span>
        <span class="reply_anchor"><a href="#5F">⇱</a></span>
        <span class="sender">Me</span></p>
        <hr><div class="message_part">
        <span class="bubble">at six</span>
        </div>
        <span class="reply_context">This message responded to an earlier message.</span>
        </div>
        </div>
        <div class="message">
        <div class="sent iMessage">
        <p><span class="timestamp">Jul 17, 2022  5:41:00 PM</span>
        <span class="sender">Me</span></p>
        <hr><div class="message_part"><div class="attachment"><img src="attachments/1/boat.png" loading="lazy"></div></div>
        </div>
        </div>
        </html>
        """
    private static let messagesText = """
        Jul 17, 2022  5:31:49 PM (Read by you after 5 seconds)
        ana@x.example
        low <tide>
        Reactions:
        Loved by Me

            Jul 17, 2022  5:40:03 PM
            Me
            at six

        Jul 17, 2022  5:35:00 PM You renamed the conversation to boats

        Jul 17, 2022  5:40:03 PM
        Me
        at six
        This message responded to an earlier message.

        Jul 17, 2022  5:41:00 PM
        Me
        attachments/1/boat.png

        """

    @Test(arguments: chunks) func `imessage-exporter has replies once, in their thread and at their time`(chunk: Int)
        throws
    {
        let text = try Self.converted(["Ana.txt": Self.messagesText], by: AppleMessagesFormat(), chunk: chunk)
        let texts = text.records["ana"] ?? []
        #expect(
            Self.lines(texts) == [
                "2022-07-17T17:31:49Z ana@x.example: low <tide>",
                "2022-07-17T17:35:00Z [] You renamed the conversation to boats",
                "2022-07-17T17:40:03Z Me: at six", "2022-07-17T17:41:00Z Me: ",
            ])
        #expect(texts.map { $0["thread"] as? String } == [nil, nil, texts.first?["id"] as? String, nil])
        #expect(Self.reactions(texts.first) == ["❤️ 1 Me"])
        #expect(texts.map(Self.names).last == ["attachments/1/boat.png"])
        let html = try Self.converted(["Ana.html": Self.messages], by: AppleMessagesFormat(), chunk: chunk)
        let pages = html.records["ana"] ?? []
        #expect(Self.lines(pages) == Self.lines(texts).map { $0.replacing("boats", with: "**boats**") })
        #expect(pages.map { $0["thread"] as? String } == texts.map { $0["thread"] as? String })
        #expect(pages.map(Self.names).last == ["attachments/1/boat.png"])
        #expect(Self.reactions(pages.first) == ["❤️ 1 Me"])
        #expect(html.archive.me == "Me")
        #expect(text.problems.isEmpty && html.problems.isEmpty)
    }

    // MARK: - All of them

    private static let all: [(any Format, [String: String])] = [
        (DiscordCSVFormat(), ["a.csv": csv]), (DiscordPackageFormat(), package),
        (DiscordHTMLFormat(), ["a.html": oldHTML]),
        (
            MessengerHTMLFormat(),
            [
                "message_1.html": page(
                    message("Ana", "<div>low</div>", "Jan 1, 2024 9:05 am"),
                    message("Ben", "<div>b</div>", "1/2/2024 9:05"))
            ]
        ),
        (ElementHTMLFormat(), ["messages.html": element]),
        (ZulipServerFormat(), ["realm.json": realm, "messages-000001.json": zulip]),
        (MailboxFormat(), ["a.mbox": mailbox]),
        (AppleMessagesFormat(), ["a.html": messages]), (AppleMessagesFormat(), ["a.txt": messagesText]),
    ]

    @Test func `each source is known by one format, the right one`() {
        for (format, files) in Self.all {
            let source = Self.source(files)
            let known = Formats.all.first { $0.recognise(source) == .certain }
            #expect(known?.id == format.id)
        }
    }

    @Test(arguments: 0..<9) func `a file that was cut anywhere opens and shows what it holds`(index: Int) throws {
        let (format, files) = Self.all[index]
        let name = files.keys.sorted { (files[$0]?.utf8.count ?? 0) > (files[$1]?.utf8.count ?? 0) }[0]
        let bytes = Array((files[name] ?? "").utf8)
        var most = 0
        for count in 0...bytes.count {
            var cut = files.mapValues { Array($0.utf8) }
            cut[name] = Array(bytes[..<count])
            let source = Source(cut)
            guard format.recognise(source) == .certain else {
                #expect(most == 0, "\(format.id) does not know a file of \(count) bytes, though a shorter one")
                continue
            }
            let converted = try Converted(source, by: format)
            let found = converted.records.values.reduce(0) { $0 + $1.count }
            #expect(found >= most - 1, "\(format.id), \(count) bytes")
            most = max(most, found)
        }
        #expect(most > 0)
    }

    @Test(arguments: 0..<9) func `damage breaks nothing`(index: Int) throws {
        let (format, files) = Self.all[index]
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<200 {
            var damaged = files.mapValues { Array($0.utf8) }
            let name = files.keys.sorted().randomElement(using: &random) ?? ""
            for _ in 0..<Int.random(in: 1..<8, using: &random) {
                guard let count = damaged[name]?.count, count > 8 else { continue }
                let at = Int.random(in: 0..<count - 8, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[name]?[at] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged[name]?.removeSubrange(at..<at + 8)
                default: damaged[name]?.insert(contentsOf: [0x3C, 0x22, 0x0A], at: at)
                }
            }
            let source = Source(damaged)
            guard format.recognise(source) == .certain else { continue }
            #expect(throws: Never.self, "seed \(seed), round \(round)") { try Converted(source, by: format, chunk: 64) }
        }
    }
}
