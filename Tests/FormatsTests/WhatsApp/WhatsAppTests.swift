import Dates
import TestSupport
import Testing

@testable import Formats

struct WhatsAppTests {
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

    @Test(
        arguments: [
            "Se eliminó este mensaje.", "Diese Nachricht wurde gelöscht.", "Ce message a été supprimé.",
            "Essa mensagem foi apagada", "Esta mensagem foi eliminada", "Apagou esta mensagem",
            "Данное сообщение удалено.",
            "Pesan ini dihapus", "消息已删除", "这条消息已被删除。", "此訊息已刪除", "यह मैसेज मिटाया गया",
            "यह मैसेज डिलीट कर दिया गया है।", "این پیام حذف شد", "یہ پیغام حذف کیا گیا۔", "삭제된 메시지입니다.",
        ]) func `a deleted message is one in the languages of WhatsApp`(words: String) throws
    {
        let (records, _) = try read(
            """
            6/30/23, 4:13\u{202F}PM - Ana: hello
            6/30/23, 4:14\u{202F}PM - Ana: \(words)
            6/30/23, 4:15\u{202F}PM - Ana: \(words) and more

            """)
        #expect(records.map { $0["deleted"] as? Bool ?? false } == [false, true, false])
    }

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
                "Ana: see (notes.txt (file attached))", "Ana: (empty message)",
            ])
        #expect(converted.problems.map(\.kind) == ["message without a text"])
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
            try times((1...9).map { "2/\($0)/22, 10:00 AM - A: x\n" }.joined()).last == "2022-02-09T10:00:00Z")
        // Days that fall in one order are of the other.
        #expect(try times("3/4/22, 10:00 - A: x\n1/5/22, 10:00 - A: x\n").last == "2022-05-01T10:00:00Z")
    }

    @Test(arguments: [
        // No other order can be meant: a short chat would else be made as short as can be.
        (["2024-02-01 10:00", "2024-03-01 10:01", "2024-04-01 10:02"], "2024-04-01", false),
        (["2024/02/01, 10:00", "2024/03/01, 10:01"], "2024-03-01", false),
        (["2024. 2. 1. 오전 9:40", "2024. 3. 1. 오전 9:40"], "2024-03-01", false),
        (["01.02.24, 09:12", "01.03.24, 09:13"], "2024-03-01", false),
        (["01-02-2024 09:12", "01-03-2024 09:13"], "2024-03-01", false),
        (["01/02/2024 09:12", "01/03/2024 09:13"], "2024-03-01", false),
        (["01/02/24, 09:12", "01/03/24, 09:13"], "2024-03-01", false),
        (["1/2/24, 9:12 a. m.", "1/3/24, 9:13 a. m."], "2024-03-01", false),
        (["1/2/24, 9:12 पूर्वाह्न", "1/3/24, 9:13 पूर्वाह्न"], "2024-03-01", false),
        // Two orders can be meant.
        (["1/2/24, 9:12 AM", "1/3/24, 9:13 AM"], "2024-01-03", true),
        (["1/2/24, 09:12", "2/2/24, 09:13"], "2024-02-02", true),
        (["1/2/24, 9:12 AM"], "2024-01-02", true),
        // One is evident: a month of 13, a day that falls, the same day in both.
        (["1/2/24, 9:12 AM", "13/2/24, 9:13 AM"], "2024-02-13", false),
        (["1/2/24, 9:12 AM", "12/31/24, 9:13 AM"], "2024-12-31", false),
        (["3/4/24, 9:12 AM", "1/5/24, 9:13 AM"], "2024-05-01", false),
        (["2/2/24, 9:12 AM"], "2024-02-02", false),
    ])
    func `the notation of dates tells their order, and what is open is said`(
        dates: [String], last: String, isOpen: Bool
    ) throws {
        let (records, converted) = try read(dates.map { "\($0) - Ana: x\n" }.joined())
        #expect(records.count == dates.count)
        #expect(records.last.flatMap { $0["at"] as? String }?.hasPrefix(last) == true, "\(records.last ?? [:])")
        #expect(converted.problems.count == (isOpen ? 1 : 0), "\(converted.problems)")
        #expect(converted.problems.allSatisfy { $0.kind.contains("--dates") })
    }

    @Test func `fixed words of another language tell that no American writes`() throws {
        let line = "1/2/24, 9:12 AM - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.\n"
        #expect(try times(line + "1/3/24, 9:13 AM - Ana: x\n").last == "2024-03-01T09:13:00Z")
        let (records, _) = try read(
            "1/2/24, 9:12 AM - Ana: x\n1/3/24, 9:13 AM - Ana: x\n", file: "WhatsApp-Chat mit Ana.txt")
        #expect(records.last?["at"] as? String == "2024-03-01T09:13:00Z")
    }

    @Test func `the user decides the order of dates`() throws {
        for (order, last) in [(DateOrder.dayMonthYear, "2024-03-01"), (.monthDayYear, "2024-01-03")] {
            var source = Source(["a.txt": Array("1/2/24, 9:12 AM - A: x\n1/3/24, 9:13 AM - A: y\n".utf8)], isFile: true)
            source.options.dates = order
            let converted = try Converted(source, by: WhatsAppFormat())
            #expect((converted.records["a"]?.last?["at"] as? String)?.hasPrefix(last) == true)
            #expect(converted.problems.isEmpty)
        }
    }

    @Test(arguments: [
        ("9:12 vorm.", "09:12"), ("9:12 nachm.", "21:12"), ("8:00 abends", "20:00"), ("12:10 mittags", "12:10"),
        ("11:30 mittags", "11:30"), ("12:10 nachts", "00:10"), ("3:10 nachts", "03:10"), ("11:10 nachts", "23:10"),
        ("9:12 पूर्वाह्न", "09:12"), ("9:12 अपराह्न", "21:12"), ("९:१२ अपराह्न", "21:12"), ("9:12 م", "21:12"),
        ("9:12 de la tarde", "21:12"), ("9:12 da noite", "21:12"), ("9:12 น.", "09:12"), ("9:12 ÖS", "21:12"),
        ("9:12 du.", "21:12"),
        ("9:12 odp.", "21:12"), ("9:12 μ.μ.", "21:12"), ("9:12 malam", "21:12"), ("9:12 CH", "21:12"),
        ("9:12 em", "21:12"),
        ("9:12 சாயங்காலம்", "-"), ("9:12 பிற்பகல்", "21:12"), ("9:12 বিকাল", "21:12"), ("9:12\u{2009}PM", "21:12"),
        ("9:12 אחה״צ", "21:12"), ("9:12 ب.ظ.", "21:12"), ("๙:๑๒ หลังเที่ยง", "21:12"),
        ("9:12 ч.", "09:12"), ("21:12 ч.", "21:12"), ("9:12 ч. pm", "21:12"), ("21 h 12", "21:12"),
        ("21 h 12 min 30 s", "21:12"), ("9:12 dop.", "09:12"), ("9:12 pop.", "21:12"), ("9:12 PG", "09:12"),
        ("9:12 PTG", "21:12"), ("9:12 r.n.", "09:12"), ("9:12 i.n.", "21:12"), ("9:12 ກ່ອນທ່ຽງ", "09:12"),
        ("9:12 ຫຼັງທ່ຽງ", "21:12"), ("9:12 ү.ө.", "09:12"), ("9:12 ү.х.", "21:12"), ("9:12 غ.م.", "09:12"),
        ("9:12 غ.و.", "21:12"), ("9:12 p.d.", "09:12"), ("9:12 m.d.", "21:12"), ("9:12 TO", "09:12"),
        ("9:12 TK", "21:12"), ("9:12 sore", "21:12"), ("9:12 f.h.", "09:12"), ("9:12 po podne", "21:12"),
    ])
    func `halves of the day in other languages`(time: String, hour: String) throws {
        let (records, _) = try read("13/1/24, \(time) - Ana: x\n")
        #expect((records.first?["at"] as? String).map { String($0.dropFirst(11).prefix(5)) } ?? "-" == hour)
    }

    @Test(arguments: [
        "5.01.24 г., 9:12 ч.", "2024-01-05 09 h 12", "[2024-01-05 09 h 12 min 30 s]", "5. 01. 24, 09:12 pop.",
    ])
    func `dates with words are read`(moment: String) throws {
        let line = moment.hasPrefix("[") ? "\(moment) Ana: x\n" : "\(moment) - Ana: x\n"
        let (records, converted) = try read(line + line)
        #expect(records.map { ($0["at"] as? String)?.prefix(10) } == ["2024-01-05", "2024-01-05"])
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: chunks) func `a line whose clock is not understood is reported, and stays in its message`(
        chunk: Int
    ) throws {
        let (records, converted) = try read(
            """
            5. 1. 24, 9:12 dop. - Ana: hi
            5. 1. 24, 9:13 xyz. - Ben: ho
            5. 1. 24 at nine - or at 10:00
            6. 1. 2024, 9:13 xyz - no
            5. 1. 24, 9:14 pop. - Ben: end

            """, chunk: chunk)
        #expect(records.count == 2)
        #expect(converted.problems.map(\.kind) == ["line that begins with a time that Kedge does not understand"])
        #expect(converted.problems.map(\.place) == [.byte(30)])
    }

    @Test(arguments: ["«Порт: север»", "„Hafen: Nord“", "「港: 北」", "“a: b”", "\"a: b\""])
    func `a colon in the quoted name of a group makes no person`(name: String) throws {
        let (records, _) = try read("1/13/24, 9:12 AM - Ana: hi\n1/13/24, 9:13 AM - Ана создал(-а) группу \(name)\n")
        #expect(records.map { $0["from"] as? String } == ["Ana", nil])
    }

    @Test func `lines about the chat are nobody's, whoever acted`() throws {
        let (records, converted) = try read(
            """
            [05.01.24, 09:00:00] Crew: \u{200E}Messages and calls are end-to-end encrypted.
            [05.01.24, 09:01:00] Crew: \u{200E}Ana created this group
            [05.01.24, 09:02:00] Ana: \u{200E}Ana added Ben
            [05.01.24, 09:03:00] Ben: hello Ben
            [05.01.24, 09:04:00] Ben: \u{200E}image omitted
            [05.01.24, 09:05:00] Ben: \u{200E}Ben left
            [05.01.24, 09:06:00] Ana: \u{200E}You removed Cy
            [05.01.24, 09:07:00] Ana: \u{200E}Ana hat den Betreff geändert
            [05.01.24, 09:07:30] Ana: \u{200E}Anas Bild weggelassen
            [05.01.24, 09:08:00] Crew: \u{200E}Nachrichten sind Ende-zu-Ende-verschlüsselt.

            """, file: "_chat.txt")
        let said = records.filter { $0["kind"] as? String != "system" }
        #expect(
            said.map { $0["text"] as? String } == ["hello Ben", "image omitted", "Anas Bild weggelassen"])
        #expect(converted.people.keys.sorted() == ["Ana", "Ben"])
        #expect(converted.archive.conversations.first?.title == "Crew")
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
            String(decoding: Array(line.utf8).withUnsafeBytes { WhatsAppText.of($0) }, as: UTF8.self)
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

    @Test func `a text without marks and controls stays as it is`() {
        var random = SeededGenerator(seed: 7)
        let bytes = Array("ab é*_~`\t\n\u{7F}\u{1F}😀12345678".utf8)
        var plain = 0
        for _ in 0..<20_000 {
            var text = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8(ascii: "a") }
            for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
                text[Int.random(in: 0..<text.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
            }
            let hasControl = text.contains { $0 < 32 && $0 != 9 || $0 == 127 }
            let hasMark = text.contains { "*_~`".utf8.contains($0) }
            if hasControl || hasMark { continue }
            plain += 1
            #expect(text.withUnsafeBytes { WhatsAppText.of($0) } == text)
        }
        #expect(plain > 1_000)
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
        #expect(recognise("[05/03/2024 09:12:33] <ana> see: this\n[05/03/2024 09:12:34] <ben> yes\n") == .no)
        #expect(recognise("Buy rope.\n".repeated(9) + "6/30/23, 4:13 PM - Ana: x\n") == .weak)
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
