import Dates
import Files
import TestSupport
import Testing

@testable import Formats

/// What no program writes, and strangers do: it costs a report, never a crash, a made-up time, or a wait.
struct HostileInputTests {
    private static func converted(_ files: [String: String], by format: any Format) throws -> Converted {
        try Converted(Source(files.mapValues { Array($0.utf8) }), by: format)
    }

    private static func texts(_ records: [[String: Any]]?) -> [String] {
        (records ?? []).map { "\($0["at"] as? String ?? "-") \($0["text"] as? String ?? "-")" }
    }

    // MARK: - Files

    @Test func `a file that is too large or missing is named, with what to do`() {
        let source = Source(
            name: "export", files: [SourceFile(path: "a/large.json", size: 65 << 20)], reader: MemorySource([:]))
        func error(limit: Int) -> FileError? {
            do throws(FileError) {
                _ = try source.whole(source.files[0], limit: limit)
                return nil
            } catch {
                return error
            }
        }
        let (large, missing) = (error(limit: 64 << 20), error(limit: 66 << 20))
        #expect(large?.description == "a/large.json: larger than 64 MiB; make it smaller")
        #expect(missing?.description == "a/large.json: vanished while it was read; try again")
        #expect(large.map { "\(ForeignProblem($0))" } == "a/large.json: too large to be read at once")
        #expect(missing.map { "\(ForeignProblem($0))" } == "a/large.json: No such file or directory")
    }

    // MARK: - Numbers

    @Test(arguments: [
        ("Tue, 5 Mar 96 09:12:40 GMT", "1996-03-05T09:12:40Z"), ("5 Mar 04 09:12 +0100", "2004-03-05T08:12:00Z"),
        ("Tue,5 March 124 09:12:40 EST", "2024-03-05T14:12:40Z"), ("5 mar 2024 09:12:40 PDT", "2024-03-05T16:12:40Z"),
        ("5 Mar 2024 09:12:40 -9223372036854775808", "2024-03-05T09:12:40Z"),
        ("5 Mar 9223372036854775807 09:12:40 +0000", nil), ("5 Mar 10000 09:12:40 +0000", nil),
        ("99999999999999999999 Mar 2024 09:12:40 +0000", nil), ("", nil),
    ]) func `dates of mail have years of two digits and zones with names`(written: String, expected: String?) {
        let found = MailDate.milliseconds(written).map { Timestamp(milliseconds: $0).iso8601 }
        #expect(found?.replacing(".000", with: "") == expected)
    }

    @Test(arguments: ["9223372036854775807", "10000"]) func `a year that no calendar has is no time`(
        year: String
    ) throws {
        #expect(CivilDate(checkedYear: Int(year) ?? 0, month: 1, day: 1) == nil)
        let log =
            "Conversation with #pier at Tue 05 Mar 2024 09:12:33 UTC on ana (irc)\n(\(year)-01-01 09:12:40) ana: one\n"
        let converted = try Self.converted(["2024-03-05.091233+0000UTC.txt": log], by: PidginFormat())
        #expect(Self.texts(converted.records["pier"]) == ["2024-03-05T09:12:40Z one"])
        var clock = TelegramHTMLClock(.utc)
        #expect(Array("8 May \(year)".utf8).withUnsafeBytes { clock.day($0) } == nil)
    }

    @Test(arguments: ["+03:9223372036854775807", "+-9223372036854775808:00"]) func `an offset beyond a day is none`(
        offset: String
    ) {
        var clock = TelegramHTMLClock(.utc)
        let moment = Array("08.05.2020 12:34:56 UTC\(offset)".utf8).withUnsafeBytes { clock.moment($0) }
        #expect(moment != nil)
    }

    @Test(arguments: ["8388608", "9223372036854775807", "-9223372036854775808"])
    func `a number of a file is a small one`(
        number: String
    ) throws {
        let json =
            #"{"participants":[{"name":"Ana"}],"messages":[{"sender_name":"Ana","timestamp_ms":1,"content":"hi"}],"title":"Ana"}"#
        let chat = try Self.converted(["message_\(number).json": json], by: MessengerFormat())
        #expect(chat.records.values.map(\.count) == [1])
        let html =
            #"<title>Ana</title><div class="_a6-g"><h2 class="_a6-h">Ana</h2><div class="_a6-p">hi</div><div class="_a6-o">Jan 01, 2024 9:05 am</div></div>"#
        let source = Source(["message_\(number).html": Array(html.utf8)], isFile: true)
        #expect(try Converted(source, by: MessengerHTMLFormat()).records.values.map(\.count) == [1])
    }

    @Test func `the name of a class in an address or a text begins no message`() throws {
        let message = { (content: String) in
            #"<div class="_a6-g"><h2 class="_a6-h">Ana</h2><div class="_a6-p">\#(content)</div><div class="_a6-o">Jan 01, 2024 9:05 am</div></div>"#
        }
        let link = message(#"<a href="https://x.org/_a6-g/1">see</a> a &lt; _2lej"#)
        let html = "<title>Ana</title>" + link + message("hi")
        let source = Source(["message_1.html": Array(html.utf8)], isFile: true)
        let chat = try Converted(source, by: MessengerHTMLFormat())
        #expect(chat.problems.isEmpty)
        #expect(chat.records.values.map(\.count) == [2])
    }

    // MARK: - Long waits

    @Test(arguments: ["<a ", "<!", "<!-->", "<!---->", "<a =\"", "<a ='\" <b ", "<div class=\"\"><b", "&"])
    func `HTML without ends is read once`(piece: String) {
        // Read to its end for each of them, it would take hours.
        let html = Array(String(repeating: piece, count: 300_000).utf8)
        let text = html.withUnsafeBytes { HTMLText.convert($0) }
        #expect(text.count <= html.count)
    }

    @Test func `a "<" within a tag begins another one`() {
        let html = Array("I <love <b>you</b> <a title=\"a<b\" href=\"https://x.org\">all</a>".utf8)
        let text = html.withUnsafeBytes { HTMLText.convert($0) }
        #expect(String(decoding: text, as: UTF8.self) == "I <love **you** [all](https://x.org)")
    }

    // MARK: - What would be lost

    @Test func `messages of assistants without an ID or a time are reported`() throws {
        let chat = #"""
            [{"title":"a","mapping":{"k1":{"message":{"author":{"role":"user"},"create_time":1700000000,"content":{"parts":["one"]}},"children":[]},
            "k2":{"message":{"author":{"role":"user"},"content":{"parts":["two"]}},"children":[]},
            "k3":{"message":{"author":{"role":"user"},"content":{"parts":{"x":"three"}}},"children":[]},"k4":{"message":{"author":{},"content":{"parts":[""]}}}}},
            {"name":"b","uuid":"u","chat_messages":[{"sender":"human","text":"three"},{"uuid":"m","sender":"human","text":"four"}]}]
            """#
        let converted = try Self.converted(["conversations.json": chat], by: AssistantFormat())
        #expect(
            Self.texts(converted.records["a"]) == [
                "2023-11-14T22:13:20Z one", "2023-11-14T22:13:20Z two", "2023-11-14T22:13:20Z (empty message)",
            ])
        #expect(converted.records["b"]?.isEmpty == true)
        #expect(converted.problems.map(\.kind) == ["message without a time"])
    }

    @Test func `messages of Zulip that are of no conversation are reported`() throws {
        let messages = #"""
            {"zerver_message":[{"id":1,"sender":2,"recipient":3,"subject":"t","content":"one","date_sent":1700000000.5},
            {"id":"x","sender":2,"recipient":3,"content":"two","date_sent":1700000000},{"id":4,"recipient":3,"content":"","date_sent":1}]}
            """#
        let converted = try Self.converted(["messages-000001.json": messages], by: ZulipServerFormat())
        #expect(
            Self.texts(converted.records.first?.value) == [
                "2023-11-14T22:13:20.500Z one", "1970-01-01T00:00:01Z (empty message)",
            ])
        #expect(
            Set(converted.problems.map(\.kind)) == ["message without an ID or a recipient", "message without an ID"])
    }

    @Test func `a mailbox with carriage returns is one, and an item of Signal without a chat is shown`() throws {
        let mail =
            "From a@b.org Tue Mar  5 09:12:40 2024\nFrom: Ana <a@b.org>\nDate: Tue, 5 Mar 2024 09:12:40 +0000\n\nlow tide\n"
        let box = try Self.converted(["a.mbox": mail.replacing("\n", with: "\r\n")], by: MailboxFormat())
        #expect(Self.texts(box.records["a"]) == ["2024-03-05T09:12:40Z low tide"])
        let lines = #"""
            {"version":"1","backupTimeMs":"1"}
            {"chatItem":{"dateSent":"1700000000000","standardMessage":{"text":{"body":"no chat"}}}}
            {"chatItem":{"chatId":"5","dateSent":"1700000000000","standardMessage":{"text":{"body":"a chat"}}}}
            """#
        let signal = try Self.converted(["main.jsonl": lines], by: SignalFormat())
        #expect(
            Set(signal.records.values.flatMap { Self.texts($0) })
                == ["2023-11-14T22:13:20Z no chat", "2023-11-14T22:13:20Z a chat"])
    }

    @Test func `a file of Element without a link keeps its words, and a row of CSV without a text says so`() throws {
        let html = #"""
            <div class="mx_Export_EventWrapper" id="$1"><span class="mx_DisambiguatedProfile_displayName">Ana</span>
            <span class="mx_MessageTimestamp" title="Tue, Mar 5 2024 09:12:40">09:12</span><span class="mx_MFileBody">pier.pdf</span></div>
            """#
        let element = try Self.converted(["messages.html": html], by: ElementHTMLFormat())
        #expect(Self.texts(element.records.first?.value) == ["2024-03-05T09:12:40Z pier.pdf"])
        #expect(element.problems.isEmpty)
        let row =
            "AuthorID,Author,Date,Content,Attachments,Reactions\n"
            + "\"101\",\"ana\",\"2024-01-05T09:12:00.0000000+00:00\",\"\",\"\",\"\"\n"
        let csv = try Self.converted(["a.csv": row], by: DiscordCSVFormat())
        #expect(Self.texts(csv.records["a"]).allSatisfy { $0.contains("[no text") })
    }
}
