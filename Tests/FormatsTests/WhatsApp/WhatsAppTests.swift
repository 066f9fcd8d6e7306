import Dates
import TestSupport
import Testing

@testable import Formats

@Suite struct WhatsAppTests {
    private func read(
        _ text: String, file: String = "WhatsApp Chat with Jane.txt", others: [String] = [], chunk: Int = 1 << 20
    ) throws -> (records: [[String: Any]], converted: Converted) {
        var files = [file: Array(text.utf8)]
        for other in others { files[other] = [1] }
        let source = Source(name: "WhatsApp Chat - Family.zip", files, isFile: others.isEmpty)
        let converted = try Converted(source, by: WhatsAppFormat(), chunk: chunk)
        return (converted.archive.conversations.first.flatMap { converted.records[$0.id] } ?? [], converted)
    }

    private func times(_ text: String) throws -> [String] { try read(text).records.map { $0["at"] as? String ?? "-" } }

    @Test(arguments: chunks) func `a chat of an iPhone`(chunk: Int) throws {
        let (records, converted) = try read(
            """
            [31/12/2022, 11:40:26] Family: \u{200E}Messages and calls are end-to-end encrypted.\r
            [31/12/2022, 11:40:27] Family: \u{200E}Ana created this group\r
            [31/12/2022, 11:41:00] Ana: hello\r
            [31/12/2022, 11:41:01] Jane Doe: two
            lines: of text\r
            \u{200E}[31/12/2022, 11:41:02] Ana: \u{200E}<attached: 00000012-PHOTO-2022-12-31.jpg>\r
            \u{200E}[31/12/2022, 11:41:03] Ana: a caption\u{200E}<attached: 00000013-PHOTO.jpg>\r
            \u{200E}[31/12/2022, 11:41:04] Ana: \u{200E}image omitted\r
            \u{200E}[31/12/2022, 11:41:05] Jane Doe: \u{200E}This message was deleted.\r
            [31/12/2022, 11:41:06] ~\u{202F}Ben: changed \u{200E}<This message was edited>\r

            """, file: "_chat.txt", others: ["00000012-PHOTO-2022-12-31.jpg"], chunk: chunk)
        #expect(
            records.map(IRCRecords.line) == [
                "[] Messages and calls are end-to-end encrypted.", "[] Ana created this group", "Ana: hello",
                "Jane Doe: two\nlines: of text", "Ana: ", "Ana: a caption", "Ana: image omitted", "Jane Doe: -",
                "~\u{202F}Ben: changed",
            ])
        #expect(records[7]["deleted"] as? Bool == true)
        #expect(records[8]["edited"] as? Bool == true)
        let files = records.compactMap { ($0["attachments"] as? [[String: Any]])?.first }
        #expect(files.map { $0["path"] as? String } == ["00000012-PHOTO-2022-12-31.jpg", "00000013-PHOTO.jpg"])
        #expect(converted.people["~\u{202F}Ben"] == "Ben")
        #expect(converted.archive.conversations[0].id == "family")
        #expect(converted.archive.conversations[0].title == "Family")
        #expect(records[2]["at"] as? String == "2022-12-31T11:41:00Z")
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: chunks) func `a chat of another phone`(chunk: Int) throws {
        let (records, converted) = try read(
            """
            6/30/23, 4:13\u{202F}PM - Messages and calls are end-to-end encrypted.
            6/30/23, 4:14\u{202F}PM - Jane: hello
            again

            end
            6/30/23, 4:15\u{202F}PM - Jane: IMG-20230630-WA0001.jpg (file attached)
            a caption
            6/30/23, 4:16\u{202F}PM - Ana changed the subject from "a: b" to "c"
            6/30/23, 4:17\u{202F}PM - Ana: <Media omitted>
            6/30/23, 4:18\u{202F}PM - Ana: You deleted this message
            6/30/23, 4:19\u{202F}PM - Ana: Report of June.pdf (file attached)
            6/30/23, 4:20\u{202F}PM - Ana: see (notes.txt (file attached))
            6/30/23, 4:20\u{202F}PM - Ana:\u{20}

            """, chunk: chunk)
        #expect(
            records.map(IRCRecords.line) == [
                "[] Messages and calls are end-to-end encrypted.", "Jane: hello\nagain\n\nend", "Jane: a caption",
                "[] Ana changed the subject from \"a: b\" to \"c\"", "Ana: <Media omitted>", "Ana: -", "Ana: ",
                "Ana: see (notes.txt (file attached))", "Ana: ",
            ])
        let files = records.compactMap { ($0["attachments"] as? [[String: Any]])?.first }
        #expect(files.map { $0["name"] as? String } == ["IMG-20230630-WA0001.jpg", "Report of June.pdf"])
        #expect(files.allSatisfy { $0["path"] == nil })
        #expect(converted.archive.conversations[0].id == "jane")
        #expect(records[1]["at"] as? String == "2023-06-30T16:14:00Z")
    }

    @Test(arguments: [
        ("31/12/2022, 11:40 - A: x", "2022-12-31T11:40:00Z"), ("12/31/22, 11:40 PM - A: x", "2022-12-31T23:40:00Z"),
        ("31.12.22, 11:40 - A: x", "2022-12-31T11:40:00Z"), ("31-12-2022 11:40 - A: x", "2022-12-31T11:40:00Z"),
        ("2022-12-31 11:40 - A: x", "2022-12-31T11:40:00Z"), ("2022/12/31 下午11:40 - A: x", "2022-12-31T23:40:00Z"),
        ("31/12/2022, 11:40 p. m. - A: x", "2022-12-31T23:40:00Z"),
        ("31/12/2022, 12:05 a.\u{A0}m. - A: x", "2022-12-31T00:05:00Z"),
        ("12/31/22, 12:05\u{202F}pm - A: x", "2022-12-31T12:05:00Z"),
        ("31.12.2022 klo 11.40 - A: x", "2022-12-31T11:40:00Z"),
        ("[31.12.22, 11:40:26] A: x", "2022-12-31T11:40:26Z"), ("[12/31/22, 11:40:26 AM] A: x", "2022-12-31T11:40:26Z"),
        ("31/12/22, 11:40:26: A: x", "2022-12-31T11:40:26Z"), ("[11:40:26, 12/31/22] A: x", "2022-12-31T11:40:26Z"),
        ("31/12/2022, 9:15 in the morning - A: x", "2022-12-31T09:15:00Z"),
        ("[31/12/2565 BE, 11:40:26] A: x", "2022-12-31T11:40:26Z"),
        ("[٣١\u{200F}/١٢\u{200F}/٢٠٢٢، ٩:٤١:٣٥ م] A: x", "2022-12-31T21:41:35Z"),
        ("[\u{200F}31\u{200F}/12\u{200F}/2022، 14:56:01] A: x", "2022-12-31T14:56:01Z"),
        ("[\u{FEFF}31.12.22, 12:24:03 PM] A: x", "2022-12-31T12:24:03Z"),
        ("[31/12/22 11:40:26] A: x", "2022-12-31T11:40:26Z"), ("[2022/12/31 上午11:40:26] A: x", "2022-12-31T11:40:26Z"),
    ]) func `dates and times of all languages`(line: String, time: String) throws {
        #expect(try times(line + "\n") == [time])
    }

    @Test func `days that rise tell their order`() throws {
        #expect(
            try times((1...9).map { "0\($0)/02/2022, 10:00 - A: x\n" }.joined()).last == "2022-02-09T10:00:00Z")
        #expect(
            try times((1...9).map { "02/0\($0)/2022, 10:00 - A: x\n" }.joined()).last == "2022-02-09T10:00:00Z")
    }

    @Test func `the order of a date can change within a file`() throws {
        let first = ["28/02/2022, 10:00", "01/03/2022, 10:00", "02/03/2022, 10:00"]
        let second = ["3/3/22, 9:00 AM", "3/5/22, 9:00 AM", "3/14/22, 9:00 AM", "3/15/22, 9:00 AM"]
        let text = (first + second).map { "\($0) - A: x\n" }.joined()
        #expect(
            try times(text) == [
                "2022-02-28T10:00:00Z", "2022-03-01T10:00:00Z", "2022-03-02T10:00:00Z", "2022-03-03T09:00:00Z",
                "2022-03-05T09:00:00Z", "2022-03-14T09:00:00Z", "2022-03-15T09:00:00Z",
            ])
    }

    @Test func `a long silence is no change of the order`() throws {
        let lines = ["31/01/2022, 10:00", "01/02/2022, 10:00", "02/05/2022, 10:00"]
        #expect(try times(lines.map { "\($0) - A: x\n" }.joined()).last == "2022-05-02T10:00:00Z")
    }

    @Test func `a line from before a group was founded changes no order`() throws {
        let lines = [
            "12/6/2019, 19:29", "2/12/2018, 02:26", "12/6/2019, 19:30", "12/6/2019, 19:31", "13/6/2019, 10:00",
        ]
        #expect(try times(lines.map { "\($0) - A: x\n" }.joined())[1] == "2018-12-02T02:26:00Z")
    }

    @Test func `marks of WhatsApp become marks of Kedge`() {
        func text(_ line: String) -> String {
            var text = WhatsAppText()
            Array(line.utf8).withUnsafeBytes { text.append($0) }
            return String(decoding: text.bytes, as: UTF8.self)
        }
        #expect(text("a *bold* and _thin_ and ~struck~ word") == "a **bold** and *thin* and ~~struck~~ word")
        #expect(text("*_both_*") == "***both***")
        #expect(text("`*code*` and ```*more*```") == "`*code*` and ```*more*```")
        #expect(text("2*3*4 snake_case_name * item* ~ x") == "2*3*4 snake_case_name * item* ~ x")
        #expect(text("> quote\n- item") == "> quote\n- item")
        let far = String(repeating: "a", count: 2_000)
        #expect(text("*\(far)*") == "*\(far)*")
        #expect(text("nul\u{0} and \u{1B}[31m") == "nul and [31m")
    }

    @Test func `a text that counts as plain stays as it is`() {
        var random = SeededGenerator(seed: 7)
        let bytes = Array("ab é*_~`\t\n\u{7F}\u{1F}😀12345678".utf8)
        for _ in 0..<20_000 {
            let plain = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8(ascii: "a") }
            var text = plain
            for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
                text[Int.random(in: 0..<text.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
            }
            let isPlain = text.withUnsafeBytes { WhatsAppText.isPlain($0) }
            let hasControl = text.contains { $0 < 32 && $0 != 9 || $0 == 127 }
            let hasMark = text.contains { "*_~`".utf8.contains($0) }
            #expect(isPlain == !(hasControl || hasMark), "\(text)")
            guard isPlain else { continue }
            var shown = WhatsAppText()
            text.withUnsafeBytes { shown.append($0) }
            #expect(shown.bytes == text)
        }
    }

    @Test func `a name that leads out of the export is no path`() throws {
        let (records, _) = try read(
            "[31/12/2022, 11:41:02] Ana: \u{200E}<attached: ../../etc/secret.txt>\n", file: "_chat.txt",
            others: ["a.jpg"])
        let file = (records[0]["attachments"] as? [[String: Any]])?.first
        #expect(file?["path"] as? String == "secret.txt")
    }

    @Test func `only chats are recognised`() {
        func recognise(_ text: String, file: String = "a.txt") -> Recognition {
            WhatsAppFormat().recognise(Source([file: Array(text.utf8)], isFile: true))
        }
        #expect(recognise("[31/12/2022, 11:40:26] Ana: x\n") == .certain)
        #expect(recognise("6/30/23, 4:13\u{202F}PM - Ana: x\n") == .certain)
        #expect(recognise("[2018-09-21 20:22:23] ana: hi\n") == .no)
        #expect(recognise("[2018-09-21 20:22:23] ana: \u{200E}hi\n") == .certain)
        #expect(recognise("2026-03-29 00:00:06\tana\thi\n") == .no)
        #expect(recognise("2022-12-31 11:40 - server started\n2022-12-31 11:40 - server stopped\n".repeated(5)) == .no)
        #expect(recognise("Buy rope.\n") == .no)
        #expect(recognise("") == .no)
    }

    @Test func `a date that does not exist is a problem, and the rest is read`() throws {
        let (records, converted) = try read(
            "31/12/2022, 11:40 - A: a\n31/13/2099, 11:40 - A: b\n31/12/2022, 11:41 - A: c\n")
        #expect(records.map { $0["text"] as? String } == ["a", "c"])
        #expect(converted.problems.map(\.kind) == ["date does not exist"])
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
