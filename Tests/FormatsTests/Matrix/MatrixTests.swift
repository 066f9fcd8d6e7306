import Foundation
import TestSupport
import Testing

@testable import Formats

struct MatrixTests {
    private let format = MatrixFormat()

    /// An event of Ana; `more` are further fields.
    private func event(
        _ number: Int, _ content: String, type: String = "m.room.message", sender: String = "ana", _ more: String = ""
    ) -> String {
        #"{"type": "\#(type)", "event_id": "$\#(number)", "sender": "@\#(sender):e.org", "room_id": "!r:e.org", "origin_server_ts": \#(1_000 * number), "content": {\#(content)}"#
            + (more.isEmpty ? "}" : ", \(more)}")
    }

    private func text(_ number: Int, _ body: String, _ more: String = "") -> String {
        event(number, #""msgtype": "m.text", "body": "\#(body)""# + (more.isEmpty ? "" : ", \(more)"))
    }

    private func converted(_ text: String, chunk: Int = 64, at path: String = "room.json") throws -> Converted {
        try Converted(Source([path: Array(text.utf8)]), by: format, chunk: chunk)
    }

    private func records(_ events: [String]) throws -> [[String: Any]] {
        let converted = try converted("[" + events.joined(separator: ",\n") + "]")
        #expect(converted.problems == [])
        return converted.records.first?.value ?? []
    }

    private func record(_ event: String) throws -> [String: Any] { try #require(try records([event]).first) }

    private func element(_ events: [String]) -> String {
        #"{"room_name": "General Talk", "room_creator": "Ana", "topic": "All", "export_date": "x", "exported_by": "Exported by Ana (@ana:e.org)", "messages": ["#
            + events.joined(separator: ",\n") + "]}"
    }

    // MARK: - Files

    @Test func `each shape of a file with events is recognised, and read in its order`() throws {
        let events = [text(3, "a"), text(1, "b"), text(2, "c")]
        for shape in [
            "[" + events.joined(separator: ",") + "]", #"{"chunk": [\#(events.joined(separator: ","))], "end": "x"}"#,
            events.joined(separator: "\n") + "\n", element(events),
            "{\"@ana:e.org\": \"Ana\"}\n" + events.joined(separator: "\n"),
        ] {
            let converted = try converted(shape)
            #expect(format.recognise(Source(["x.json": Array(shape.utf8)])) == .certain)
            #expect(converted.records.first?.value.compactMap { $0["text"] as? String } == ["a", "b", "c"])
            #expect(converted.problems == [])
        }
    }

    @Test func `lines that are no events are reported`() throws {
        let others = (1...40).map { #"{"level": "info", "line": \#($0)}"# }
        let converted = try converted((others + [text(1, "a")]).joined(separator: "\n"))
        #expect(converted.records.first?.value.compactMap { $0["text"] as? String } == ["a"])
        #expect(converted.problems.count == 40)
        #expect(Set(converted.problems.map(\.kind)) == ["event without an ID or a sender"])
    }

    @Test func `an answer of a server that begins with the newest event is turned round`() throws {
        let events = [text(3, "c"), text(2, "b"), text(1, "a")]
        let converted = try converted(#"{"chunk": [\#(events.joined(separator: ","))], "start": "x"}"#)
        #expect(converted.records.first?.value.compactMap { $0["text"] as? String } == ["a", "b", "c"])
    }

    @Test(arguments: [1, 7, 64, 1 << 20])
    func `pieces of any size give the same records`(chunk: Int) throws {
        let events = (1...20).map { text($0, String(repeating: "]}", count: $0)) }
        let records = try converted(element(events), chunk: chunk).records["general-talk"] ?? []
        #expect(records.map { $0["text"] as? String } == (1...20).map { String(repeating: "]}", count: $0) })
    }

    @Test(arguments: [1, 64])
    func `fields after the events of an export are no events`(chunk: Int) throws {
        let export = element([text(1, "a")]).dropLast() + #", "more": [{"event_id": "x"}]}"#
        let converted = try converted(String(export), chunk: chunk)
        #expect(converted.records.first?.value.count == 1)
        #expect(converted.problems == [])
    }

    @Test func `events of old servers name their senders by another key`() throws {
        let event = self.text(1, "a").replacing(#""sender""#, with: #""user_id""#)
        #expect(try records([self.text(2, "b"), event]).map { $0["from"] as? String } == ["@ana:e.org", "@ana:e.org"])
    }

    @Test func `an export of Element names its room, its topic and its exporter`() throws {
        let converted = try converted(element([text(1, "a")]))
        let room = try #require(converted.archive.conversations.first)
        #expect(room.id == "general-talk" && room.title == "General Talk" && room.topic == "All")
        #expect(room.aliases == ["!r:e.org"])
        #expect(converted.archive.me == "@ana:e.org")
    }

    @Test func `a room is named by its events`() throws {
        let named = event(2, #""name": "The Café""#, type: "m.room.name", #""state_key": """#)
        let renamed = event(3, #""name": "The Bar""#, type: "m.room.name", #""state_key": """#)
        let converted = try converted([text(1, "a"), named, renamed].joined(separator: "\n"))
        #expect(converted.archive.conversations.map(\.id) == ["the-bar"])
        let alias = event(4, ##""alias": "#bar:e.org""##, type: "m.room.canonical_alias", #""state_key": """#)
        let other = try self.converted([renamed, alias].joined(separator: "\n"))
        #expect(other.archive.conversations.map(\.id) == ["bar"])
        #expect(other.archive.conversations.first?.aliases == ["!r:e.org", "#bar:e.org"])
    }

    @Test func `several rooms of one file are several conversations`() throws {
        let events = [text(1, "a"), text(2, "b").replacing("!r:", with: "!s:"), text(3, "c")]
        let converted = try converted(events.joined(separator: "\n"))
        #expect(converted.archive.conversations.map(\.id) == ["r", "s"])
        #expect(converted.records["r"]?.compactMap { $0["text"] as? String } == ["a", "c"])
        #expect(converted.records["s"]?.compactMap { $0["text"] as? String } == ["b"])
    }

    @Test(arguments: [
        "", "[]", "{}", "[{}]", #"[{"type": "message", "user": "U1", "ts": "1.2", "text": "x"}]"#, #"{"messages": []}"#,
        "text",
    ])
    func `other files are not recognised`(text: String) {
        #expect(format.recognise(Source(["x.json": Array(text.utf8)])) == .no)
    }

    @Test func `a copy of a file is found beside the export`() throws {
        let image = event(61, #""msgtype": "m.image", "body": "cat.v2.jpg", "info": {"size": 5}"#)
        let source = Source([
            "export.json": Array(element([image]).utf8), "images/cat.v2-1-1-1970 at 12-01-01 AM.jpg": [],
            "images/cat.v2-1-1-1970 at 12-02-01 AM.jpg": [], "images/cat.jpg": [],
        ])
        let files = try Converted(source, by: format).records["general-talk"]?.first?["attachments"] as? [[String: Any]]
        #expect(files?.first?["path"] as? String == "images/cat.v2-1-1-1970 at 12-01-01 AM.jpg")
        #expect(files?.first?["name"] as? String == "cat.v2.jpg" && files?.first?["bytes"] as? Int == 5)
    }

    // MARK: - Messages

    @Test func `a message keeps its ID, its time, its sender and its text`() throws {
        let record = try record(text(5, "one *two*"))
        #expect(record["id"] as? String == "$5" && record["at"] as? String == "1970-01-01T00:00:05Z")
        #expect(record["from"] as? String == "@ana:e.org" && record["text"] as? String == "one *two*")
    }

    @Test func `formatted text becomes light marks`() throws {
        let html = #""format": "org.matrix.custom.html", "formatted_body": "<b>x</b>""#
        #expect(try record(text(1, "x", html))["text"] as? String == "**x**")
    }

    @Test func `an emote is an action, and a notice is not`() throws {
        #expect(try record(event(1, #""msgtype": "m.emote", "body": "waves""#))["kind"] as? String == "action")
        #expect(try record(event(1, #""msgtype": "m.notice", "body": "x""#))["kind"] == nil)
    }

    @Test func `a reply names its target, and does not repeat it`() throws {
        let relation = #""m.relates_to": {"m.in_reply_to": {"event_id": "$0"}}"#
        let record = try record(text(1, #"> <@ben:e.org> old\n> more\n\nnew"#, relation))
        #expect(record["replyTo"] as? String == "$0")
        #expect(record["text"] as? String == "new")
        #expect(
            try self.record(text(1, #"> <@ben:e.org> quoted\n\nx"#))["text"] as? String == "> <@ben:e.org> quoted\n\nx")
    }

    @Test func `a message of a thread names its root, and a reply only where it is one`() throws {
        let falling =
            #""m.relates_to": {"rel_type": "m.thread", "event_id": "$0", "is_falling_back": true, "m.in_reply_to": {"event_id": "$9"}}"#
        let record = try record(text(1, "x", falling))
        #expect(record["thread"] as? String == "$0" && record["replyTo"] == nil)
        let real = try self.record(text(1, "x", falling.replacing("true", with: "false")))
        #expect(real["replyTo"] as? String == "$9")
    }

    @Test func `an edit is a record of its own, or the text of its message`() throws {
        let relation =
            #""m.new_content": {"msgtype": "m.text", "body": "new"}, "m.relates_to": {"rel_type": "m.replace", "event_id": "$1"}"#
        let records = try records([text(1, "old"), text(2, " * new", relation)])
        try #require(records.count == 2)
        #expect(records[1]["type"] as? String == "edit" && records[1]["target"] as? String == "$1")
        #expect(records[1]["text"] as? String == "new")
        let bundled = event(
            1, #""msgtype": "m.text", "body": "old""#,
            #""unsigned": {"m.relations": {"m.replace": {"event_id": "$2", "content": {"m.new_content": {"msgtype": "m.text", "body": "new"}}}}}"#
        )
        let record = try record(bundled)
        #expect(record["text"] as? String == "new" && record["edited"] as? Bool == true)
    }

    @Test func `a reaction is a record of its own, until it is taken back`() throws {
        let reaction = event(
            2, #""m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "👍"}"#, type: "m.reaction",
            sender: "ben")
        let redaction = event(3, "", type: "m.room.redaction", sender: "ben", #""redacts": "$2""#)
        let records = try records([text(1, "a"), reaction, redaction])
        try #require(records.count == 3)
        #expect(records.map { $0["type"] as? String } == ["message", "reaction", "reaction"])
        #expect(records[1]["emoji"] as? String == "👍" && records[1]["from"] as? String == "@ben:e.org")
        #expect(records[2]["target"] as? String == "$1" && records[2]["removed"] as? Bool == true)
    }

    @Test func `a reaction that nobody would see has a text`() throws {
        let relation = #""m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "\u200b"}"#
        let record = try record(event(2, relation, type: "m.reaction"))
        #expect(record["emoji"] as? String == "(invisible)" && record["key"] as? String == "\u{200B}")
    }

    @Test func `counts of reactions in an export of Element survive`() throws {
        let event = event(
            1, #""msgtype": "m.text", "body": "a""#,
            #""unsigned": {"m.relations": {"m.annotation": {"chunk": [{"type": "m.reaction", "key": "👍", "count": 3}]}}}"#
        )
        let reactions = try converted(element([event])).records["general-talk"]?.first?["reactions"] as? [[String: Any]]
        #expect(reactions?.first?["count"] as? Int == 3)
    }

    @Test func `a redacted message is deleted, whoever redacted it`() throws {
        let redacted = event(1, "", #""unsigned": {"redacted_because": {"sender": "@mod:e.org"}}"#)
        let redaction = event(2, #""redacts": "$1""#, type: "m.room.redaction", sender: "mod")
        let records = try records([redacted, redaction])
        try #require(records.count == 2)
        #expect(records[0]["deleted"] as? Bool == true && records[0]["text"] as? String == "")
        #expect(records[1]["type"] as? String == "delete" && records[1]["target"] as? String == "$1")
        #expect(records[1]["by"] as? String == "mod" && records[1]["from"] as? String == "@mod:e.org")
    }

    @Test(arguments: [
        (#""msgtype": "m.image", "body": "cat.jpg""#, "m.room.message", "cat.jpg", ""),
        (#""msgtype": "m.image", "body": "my cat", "filename": "cat.jpg""#, "m.room.message", "cat.jpg", "my cat"),
        (#""msgtype": "m.file", "body": "a.pdf""#, "m.room.message", "a.pdf", ""),
        (#""body": "grin""#, "m.sticker", "grin", "Sticker: grin"),
    ])
    func `a file has its name and its caption`(content: String, type: String, name: String, text: String) throws {
        let record = try record(event(1, content, type: type))
        #expect((record["attachments"] as? [[String: Any]])?.first?["name"] as? String == name)
        #expect(record["text"] as? String == text)
    }

    @Test(arguments: [
        (#""url": "mxc://e.org/s""#, "m.sticker", "Sticker"),
        (#""url": "mxc://e.org/s", "body": " \u200b""#, "m.sticker", "Sticker"),
        (#""msgtype": "m.custom", "x": 1"#, "m.room.message", "(message of the kind m.custom)"),
        (#""msgtype": "m.text""#, "m.room.message", "(empty message)"),
    ])
    func `a message without a body is not called deleted`(content: String, type: String, text: String) throws {
        let record = try record(event(1, content, type: type))
        #expect(record["deleted"] == nil && record["text"] as? String == text)
    }

    @Test(arguments: ["", #""m.relates_to": {"rel_type": "m.thread", "event_id": "$0"}"#])
    func `a message of which nothing is left but its relation is deleted`(content: String) throws {
        #expect(try record(event(1, content))["deleted"] as? Bool == true)
    }

    @Test func `polls, places and encrypted messages are told in words`() throws {
        let poll = event(
            1,
            #""m.poll.start": {"question": {"m.text": "Tea?"}, "answers": [{"id": "1", "m.text": "Yes"}, {"id": "2", "org.matrix.msc1767.text": "No"}]}"#,
            type: "m.poll.start")
        #expect(try record(poll)["text"] as? String == "Poll: Tea?\n- Yes\n- No")
        let place = event(1, #""msgtype": "m.location", "body": "Here", "geo_uri": "geo:1,2""#)
        #expect(try record(place)["text"] as? String == "Here\ngeo:1,2")
        let bare = event(1, #""msgtype": "m.location", "body": "", "geo_uri": "geo:1,2""#)
        #expect(try record(bare)["text"] as? String == "geo:1,2")
        let secret = event(1, #""algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "x""#, type: "m.room.encrypted")
        #expect(try record(secret)["text"] as? String == "(encrypted message)")
        let pair = #"{"decrypted": \#(text(1, "clear")), "encrypted": \#(secret)}"#
        #expect(try record(pair)["text"] as? String == "clear")
    }

    @Test(arguments: [
        ("m.room.encrypted", #""algorithm": "x", "ciphertext": "y""#), ("m.room.message", #""body": 7"#),
        ("m.room.message", ""), ("m.room.message", #""body": " \u200b", "m.new_content": {"body": " \u200b"}"#),
        ("m.room.message", #""body": "* b", "m.new_content": {"msgtype": "m.text"}"#),
        ("m.room.message", #""body": "* b""#), ("m.room.message", #""body": "* b", "m.new_content": "b""#),
        ("m.room.message", #""body": "* b", "m.new_content": {"body": {}, "formatted_body": "b"}"#),
    ])
    func `an edit that cannot be read changes nothing`(type: String, content: String) throws {
        let relation = #""m.relates_to": {"rel_type": "m.replace", "event_id": "$1"}"#
        let edit = event(2, content.isEmpty ? relation : "\(content), \(relation)", type: type)
        let all = try records([text(1, "words"), edit])
        #expect(all.count == 1 && all.first?["text"] as? String == "words")
        let bundle = #""unsigned": {"m.relations": {"m.replace": \#(edit)}}"#
        let bundled = try record(event(1, #""msgtype": "m.text", "body": "words""#, bundle))
        #expect(bundled["text"] as? String == "words" && bundled["edited"] == nil)
    }

    @Test(arguments: [
        (#""msgtype": "m.text", "body": """#, "(empty message)"),
        (#""msgtype": "m.text", "body": " \u200b\n""#, "(empty message)"),
        (#""msgtype": "m.custom", "body": """#, "(message of the kind m.custom)"), (#""body": " a""#, " a"),
        (
            #""msgtype": "m.text", "body": "x", "format": "org.matrix.custom.html", "formatted_body": "<script>if (1 < 2) alert(1)</script><style>p{}</style>words<title>t</title>""#,
            "words"
        ),
    ])
    func `an empty message is named, and scripts and styles are no text`(content: String, text: String) throws {
        #expect(try record(event(1, content))["text"] as? String == text)
    }

    @Test(arguments: [
        (#""shortcode": ":parrot:""#, ":parrot:"), (#""com.beeper.reaction.shortcode": "parrot""#, ":parrot:"),
        (#""shortcode": " ""#, "(picture)"), (#""x": 1"#, "(picture)"),
    ])
    func `a picture as a reaction is its short name`(field: String, emoji: String) throws {
        let relation = #""m.relates_to": {"rel_type": "m.annotation", "event_id": "$1", "key": "mxc://e.org/a"}"#
        let record = try record(event(2, "\(relation), \(field)", type: "m.reaction"))
        #expect(record["emoji"] as? String == emoji && record["key"] as? String == "mxc://e.org/a")
    }

    @Test func `nobody votes after the end of a poll, which its author alone ends`() throws {
        let poll = event(
            1,
            #""m.poll": {"question": {"m.text": "Tea?"}, "answers": [{"m.id": "a", "m.text": "Yes"}, {"m.id": "b", "m.text": "No"}]}"#,
            type: "m.poll.start", sender: "ana")
        let relation = #""m.relates_to": {"rel_type": "m.reference", "event_id": "$1"}"#
        func vote(_ number: Int, _ answer: String) -> String {
            event(number, #""m.selections": ["\#(answer)"], \#(relation)"#, type: "m.poll.response", sender: "ben")
        }
        func end(_ number: Int, by sender: String) -> String {
            event(number, relation, type: "m.poll.end", sender: sender)
        }
        let all = try records([
            poll, vote(2, "a"), end(3, by: "ben"), vote(4, "b"), end(5, by: "ana"), vote(6, "a"),
        ])
        let emoji = all.compactMap { record in
            (record["emoji"] as? String).map { (record["removed"] as? Bool == true ? "-" : "+") + $0 }
        }
        #expect(emoji == ["+Yes", "+No", "-Yes"])
        #expect(all.compactMap { $0["ends"] as? String } == ["$1"])
    }

    @Test func `votes are reactions to the poll, and the last one of a person counts`() throws {
        let poll = event(
            1,
            #""m.poll": {"question": {"m.text": "Tea?"}, "max_selections": 2, "answers": [{"m.id": "a", "m.text": "Yes"}, {"m.id": "b", "m.text": "No"}, {"m.id": "c", "m.text": "Later"}]}"#,
            type: "m.poll.start")
        func vote(_ number: Int, _ answers: String, by sender: String = "ben", on poll: Int = 1) -> String {
            let relation = #""m.relates_to": {"rel_type": "m.reference", "event_id": "$\#(poll)"}"#
            return event(
                number, #""m.selections": [\#(answers)], \#(relation)"#, type: "m.poll.response", sender: sender)
        }
        let all = try records([
            poll, vote(2, #""a""#), vote(3, #""b", "c", "a""#), vote(4, #""b""#, by: "cy"), vote(5, #""z""#, by: "cy"),
            vote(6, #""b""#, on: 9), event(7, #""redacts": "$3""#, type: "m.room.redaction", sender: "ben"),
        ])
        let told = all.dropFirst().map { record in
            let removed = record["removed"] as? Bool == true ? "-" : "+"
            return ["id", "target", "from"].map { record[$0] as? String ?? "" }.joined(separator: " ")
                + " \(removed)\(record["emoji"] as? String ?? "")"
        }
        #expect(
            told == [
                "$2 $1 @ben:e.org +Yes", "$3 $1 @ben:e.org +No", "$3/1 $1 @ben:e.org +Later",
                "$3/2 $1 @ben:e.org -Yes", "$4 $1 @cy:e.org +No", "$5 $1 @cy:e.org -No", "$6 $9 @ben:e.org +vote",
                "$7 $1 @ben:e.org -No",
            ])
    }

    @Test func `a message names the people to whom it speaks, and the program's own ID for it`() throws {
        let mentions = #""m.mentions": {"user_ids": ["@ben:e.org", 7], "room": true}"#
        let message = event(
            1, #""msgtype": "m.text", "body": "a", \#(mentions)"#, #""unsigned": {"transaction_id": "t\"1"}"#)
        let record = try record(message)
        #expect(record["mentions"] as? [String] == ["@ben:e.org", "@room"])
        #expect(record["transaction"] as? String == "t\"1")
        let plain = try self.record(text(1, "a", #""m.mentions": {"user_ids": 7}"#))
        #expect(plain["mentions"] == nil && plain["transaction"] == nil)
    }

    @Test(arguments: [
        (#""url": "mxc://e.org/a""#, "mxc://e.org/a"), (#""file": {"url": "mxc://e.org/b"}"#, "mxc://e.org/b"),
        (#""url": "file:///etc/passwd""#, nil), (#""url": 7"#, nil),
    ])
    func `a file keeps its address on the server`(field: String, address: String?) throws {
        let record = try record(event(1, #""msgtype": "m.file", "body": "a.pdf", \#(field)"#))
        #expect((record["attachments"] as? [[String: Any]])?.first?["url"] as? String == address)
    }

    @Test(arguments: [
        ("9e18", "9999-12-31T23:59:59.999Z"), ("-9000000000000000000", "0001-01-01T00:00:00Z"),
        ("253402300800000", "9999-12-31T23:59:59.999Z"), ("1.5", "1970-01-01T00:00:00.001Z"),
    ])
    func `a time that no record can hold is the nearest that it can`(time: String, at: String) throws {
        let event = text(1, "a").replacing("\"origin_server_ts\": 1000", with: "\"origin_server_ts\": \(time)")
        #expect(try record(event)["at"] as? String == at)
    }

    @Test func `a reaction that was taken back before it was seen is no record, nor is its redaction`() throws {
        let reaction = event(2, "", type: "m.reaction", #""unsigned": {"redacted_because": {"sender": "@ana:e.org"}}"#)
        let redaction = event(3, "", type: "m.room.redaction", #""redacts": "$2""#)
        #expect(try records([text(1, "a"), reaction, redaction]).map { $0["id"] as? String } == ["$1"])
    }

    // MARK: - People and state

    @Test(
        arguments: [
            ("", #""membership": "join", "displayname": "Ana""#, "ana", "Ana joined", "join"),
            (
                #""membership": "join", "displayname": "Ana""#, #""membership": "join", "displayname": "Anna""#, "ana",
                "Ana is now Anna", "nick"
            ),
            (#""membership": "join", "displayname": "Ana""#, #""membership": "leave""#, "ana", "Ana left", "leave"),
            (
                #""membership": "join", "displayname": "Ana""#, #""membership": "leave", "reason": "spam""#, "mod",
                "mod removed Ana: spam", "leave"
            ),
            (#""membership": "join", "displayname": "Ana""#, #""membership": "ban""#, "mod", "mod banned Ana", "leave"),
            (#""membership": "ban""#, #""membership": "leave""#, "mod", "mod unbanned ana", nil),
            ("", #""membership": "invite", "displayname": "Ana""#, "mod", "mod invited Ana", nil),
            (#""membership": "invite""#, #""membership": "leave""#, "ana", "ana declined the invitation", nil),
        ] as [(String, String, String, String, String?)])
    func `a change of membership is told in words`(
        before: String, now: String, sender: String, text: String, presence: String?
    ) throws {
        let more = #""state_key": "@ana:e.org", "unsigned": {"prev_content": {\#(before)}}"#
        let record = try record(event(1, now, type: "m.room.member", sender: sender, more))
        #expect(record["text"] as? String == text && record["kind"] as? String == "system")
        #expect(record["presence"] as? String == presence)
    }

    @Test func `a live location is told in words`() throws {
        let place = #""m.location": {"uri": "geo:51.5008,0.1247"}"#
        for (type, content, text) in [
            (
                "m.beacon_info", #""live": true, "description": "on the way""#,
                "ana shared their live location: on the way"
            ),
            ("org.matrix.msc3672.beacon_info", #""live": true"#, "ana shared their live location"),
            ("m.beacon_info", #""live": false"#, "ana stopped sharing their live location"),
        ] {
            let record = try record(event(1, content, type: type, #""state_key": "@ana:e.org""#))
            #expect(record["text"] as? String == text && record["kind"] as? String == "system")
        }
        let record = try record(event(1, place, type: "m.beacon"))
        #expect(record["text"] as? String == "ana sent their live location (geo:51.5008,0.1247)")
        #expect(record["presence"] as? String == "mode")
    }

    @Test func `a display name is the name of its person from then on`() throws {
        let member = event(
            1, #""membership": "join", "displayname": "Ana P""#, type: "m.room.member", #""state_key": "@ana:e.org""#)
        let topic = event(2, #""topic": "Tea""#, type: "m.room.topic", #""state_key": """#)
        let converted = try converted("[\(member),\(topic)]")
        #expect(converted.people == ["@ana:e.org": "Ana P"])
        #expect(converted.records.first?.value.last?["text"] as? String == "Ana P changed the topic to «Tea»")
    }

    // MARK: - Damage

    @Test func `a broken event is reported, and the others are shown`() throws {
        let converted = try converted("[\(text(1, "a")),\n{\"event_id\": \"$2\" \"x\"},\n\(text(3, "c"))]")
        #expect(converted.problems.map(\.kind) == ["record is not valid JSON"])
        #expect(converted.records.first?.value.count == 2)
    }

    @Test func `of a file that is cut off, all whole events are shown`() throws {
        let whole = "[\(text(1, "a")),\n\(text(2, "b"))"
        let converted = try converted(String(whole.dropLast(5)))
        #expect(converted.records.first?.value.count == 1)
        #expect(converted.problems.map(\.kind) == ["the file ends within a record"])
    }

    @Test func `a damaged file has no more messages than a whole one`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let events = [
            text(1, "a"), text(2, "b", #""format": "org.matrix.custom.html", "formatted_body": "<b>x</b>""#),
            event(3, #""membership": "join""#, type: "m.room.member", #""state_key": "@ana:e.org""#),
            event(4, #""name": "x""#, type: "m.room.name", #""state_key": """#),
        ]
        for whole in [element(events), events.joined(separator: "\n"), "[" + events.joined(separator: ",") + "]"] {
            for _ in 0..<100 {
                var bytes = Array(whole.utf8)
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    if Bool.random(using: &random) {
                        bytes[place] = UInt8.random(in: 0...255, using: &random)
                    } else {
                        bytes.remove(at: place)
                    }
                }
                let source = Source(["x.json": bytes])
                guard format.recognise(source) == .certain else { continue }
                let converted = try Converted(source, by: format, chunk: 256)
                #expect(converted.records.values.reduce(0) { $0 + $1.count } <= events.count, "seed \(seed)")
            }
        }
    }
}
