import Testing

@testable import Formats

struct CharsetTests {
    /// `09:00 <ana> доброе утро` and so on: what programs of a language wrote.
    private static let logs: [(charset: String, lines: [[UInt8]], text: String)] = [
        (
            "CP1251",
            [
                [0xE4, 0xEE, 0xE1, 0xF0, 0xEE, 0xE5, 0x20, 0xF3, 0xF2, 0xF0, 0xEE],
                [0xEF, 0xF0, 0xE8, 0xEB, 0xE8, 0xE2],
            ], "доброе утро"
        ),
        (
            "KOI8-R",
            [
                [0xC4, 0xCF, 0xC2, 0xD2, 0xCF, 0xC5, 0x20, 0xD5, 0xD4, 0xD2, 0xCF],
                [0xD0, 0xD2, 0xC9, 0xCC, 0xC9, 0xD7],
            ], "доброе утро"
        ),
        (
            "CP932",
            [
                [0x82, 0xA8, 0x82, 0xCD, 0x82, 0xE6, 0x82, 0xA4], [0x92, 0xAA, 0x82, 0xB1, 0x82, 0xF1],
                [0x83, 0x5C, 0x7C, 0x81, 0x5B],
            ],
            "おはよう"
        ),
        (
            "EUC-JP-MS", [[0xA4, 0xAA, 0xA4, 0xCF, 0xA4, 0xE8, 0xA4, 0xA6], [0xC4, 0xAC, 0xA4, 0xB3, 0xA4, 0xF3]],
            "おはよう"
        ),
        (
            "ISO-2022-JP", [[0x1B, 0x24, 0x42, 0x24, 0x2A, 0x24, 0x4F, 0x24, 0x68, 0x24, 0x26, 0x1B, 0x28, 0x42]],
            "おはよう"
        ),
        (
            "CP949",
            [
                [0xBE, 0xC8, 0xB3, 0xE7, 0xC7, 0xCF, 0xBC, 0xBC, 0xBF, 0xE4],
                [0xC0, 0xDF, 0x20, 0xC1, 0xF6, 0xB3, 0xBB, 0xBF, 0xE4],
            ],
            "안녕하세요"
        ),
        (
            "GB18030",
            [
                [0xB4, 0xF3, 0xBC, 0xD2, 0xBA, 0xC3], [0xC3, 0xF7, 0xCC, 0xEC, 0xBF, 0xAA, 0xBB, 0xE1, 0xC2, 0xF0],
                [0xBD, 0xF1, 0xCC, 0xEC, 0xCC, 0xEC, 0xC6, 0xF8, 0xBA, 0xDC, 0xBA, 0xC3],
            ],
            "大家好"
        ),
        (
            "BIG5-HKSCS",
            [
                [0xA4, 0x6A, 0xAE, 0x61, 0xA6, 0x6E], [0xA9, 0xFA, 0xA4, 0xD1, 0xB6, 0x7D, 0xB7, 0x7C, 0xB6, 0xDC],
                [0xA4, 0xB5, 0xA4, 0xD1, 0xA4, 0xD1, 0xAE, 0xF0, 0xAB, 0xDC, 0xA6, 0x6E],
            ],
            "大家好"
        ),
        (
            "CP1252", [[0x73, 0x63, 0x68, 0xF6, 0x6E], [0x66, 0xFC, 0x72, 0x20, 0x80, 0x20, 0x93, 0x78, 0x94]], "schön"
        ),
    ]

    private func log(_ lines: [[UInt8]]) -> [UInt8] {
        Array("--- Log opened Tue Mar 05 09:00:00 2024\n".utf8)
            + lines.flatMap { Array("09:00 <@ana> ".utf8) + $0 + [10] }
    }

    @Test(arguments: 0..<9, chunks) func `the character set of a log is found`(index: Int, chunk: Int) throws {
        let (charset, lines, text) = Self.logs[index]
        let found = try IRCRecords(["#k.log": log(lines)], chunk: chunk)
        #expect(found.field("text").first == text)
        #expect(found.converted.archive.conversations.first?.feeds.first?.setting == "irssi =\(charset)")
        #expect(found.records.count == lines.count)
        #expect(!found.field("text").joined().contains("\u{FFFD}"))
        #expect(found.converted.problems.isEmpty)
    }

    @Test func `a log of few words has the character set of the others`() throws {
        let files = ["#a.log": log(Self.logs[6].lines), "#b.log": log([Self.logs[6].lines[0]])]
        let converted = try Converted(Source(files), by: IRCFormat())
        #expect(converted.records["b"]?.first?["text"] as? String == "大家好")
    }

    @Test func `the user decides the character set, and UTF-8 stays`() throws {
        var source = Source(["#k.log": log([[0xC4, 0xC1], Array("добро".utf8)])], isFile: true)
        source.options.charset = Charset.known("koi8-r")
        let converted = try Converted(source, by: IRCFormat())
        #expect(converted.records["k"]?.map { $0["text"] as? String } == ["да", "добро"])
    }

    @Test func `names of character sets`() {
        #expect(Charset.known("windows-1251") == "CP1251")
        #expect(Charset.known("Shift_JIS") == "CP932")
        #expect(Charset.known("latin1") == "CP1252")
        #expect(Charset.known("euc-kr") == "CP949")
        #expect(Charset.known("utf-16") == nil)
        #expect(Charset.known("no-such-set") == nil)
        #expect(Charset.known("") == nil)
        #expect(Charset.known("koi8-r//IGNORE") == nil)
    }

    private func decoded(_ bytes: [UInt8], _ charset: String? = nil) -> String {
        var text: [UInt8] = []
        bytes.withUnsafeBytes { LineDecoder(charset).decode($0, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func `no byte is lost`() {
        #expect(decoded([0x63, 0x61, 0x66, 0xE9, 0x20, 0x80, 0x20, 0x93, 0x78, 0x94]) == "café € “x”")
        #expect(decoded([0x81]) == "\u{81}")
        #expect(decoded([0xD6, 0x98, 0xFF, 0x41], "KOI8-R").last == "A")
        #expect(decoded([0x82, 0xA8, 0xFF, 0x41], "CP932") == "おÿA")
        #expect(decoded([0x82, 0xA8, 0x82], "CP932") == "お\u{82}")
    }

    @Test(
        arguments: [
            ("GB18030", [0xD0, 0xBB, 0xD0, 0xBB], "谢谢"), ("GB18030", [0xCD, 0xB5, 0xCD, 0xB5], "偷偷"),
            ("GB18030", [0xD0, 0xBB, 0xD0, 0xBB, 0xC4, 0xE3], "谢谢你"),
            ("GB18030", [0x6F, 0x6B, 0x20, 0xD0, 0xBB], "ok 谢"),
            ("CP949", [0xC4, 0xAB, 0xC4, 0xAB], "카카"), ("EUC-JP-MS", [0xC4, 0xAB], "朝"),
            ("TIS-620", [0xA2, 0xCD, 0xBA, 0xA4, 0xD8, 0xB3, 0xC1, 0xD2, 0xA1], "ขอบคุณมาก"),
        ] as [(String, [UInt8], String)])
    func `a line of a wide character set is not UTF-8 because its bytes look so`(
        charset: String, bytes: [UInt8], text: String
    ) {
        #expect(decoded(bytes, charset) == text)
    }

    @Test(arguments: ["大家好", "大家好 é", "café", "año, naïve", "👍", "ok"])
    func `UTF-8 stays in a log of a wide character set`(text: String) {
        #expect(decoded(Array(text.utf8), "GB18030") == text)
    }

    @Test(arguments: chunks) func `a block of lines is not kept because a line in it is UTF-8`(chunk: Int) throws {
        var source = Source(
            ["#k.log": log([[0xD0, 0xBB, 0xD0, 0xBB], Array("大家好".utf8), [0xC4, 0xE3]])], isFile: true)
        source.options.charset = "GB18030"
        let converted = try Converted(source, by: IRCFormat(), chunk: chunk)
        #expect(converted.records["k"]?.map { $0["text"] as? String } == ["谢谢", "大家好", "你"])
    }

    @Test func `a strange line in a Russian log proves no East Asian set`() throws {
        let lines = Array(repeating: Array("доброе утро".utf8), count: 40) + Self.logs[6].lines
        let found = try IRCRecords(["#k.log": log(lines)])
        #expect(found.field("text").prefix(40).allSatisfy { $0 == "доброе утро" })
        let few = try IRCRecords(["#k.log": log(Self.logs[6].lines + [[0xD0, 0xBB, 0xD0, 0xBB], [0xCD, 0xB5]])])
        #expect(few.field("text").suffix(2) == ["谢谢", "偷"])
    }

    @Test func `a letter that waits for an accent is not lost at the end or before a wrong byte`() {
        #expect(decoded([0xF9, 0xEC, 0xE5, 0xED], "CP1255") == "שלום")
        #expect(decoded([0xF9, 0xFF, 0xF9], "CP1255") == "ש\u{FF}ש")
        #expect(decoded([0xA4, 0x6A, 0x88, 0x66], "BIG5-HKSCS") == "大Ê")
    }

    @Test func `a character that a server cut off is replaced, and another wrong byte is one of its own`() {
        #expect(decoded(Array("日本".utf8) + [0xE8, 0xAA]) == "日本\u{FFFD}")
        #expect(decoded(Array("日本".utf8) + [0xE8]) == "日本\u{FFFD}")
        #expect(decoded(Array("日本".utf8) + [0xE9, 0x20, 0x41]) == "日本é A")
    }

    @Test(arguments: chunks) func `a problem is told with its byte in the file`(chunk: Int) throws {
        let head = log([[0xEF, 0xF0, 0xE8, 0xEB, 0xE8, 0xE2]])
        let found = try IRCRecords(["#k.log": head + Array("<<<<<<< HEAD\n09:01 <ana> a\n".utf8)], chunk: chunk)
        #expect(found.converted.problems.map(\.place) == [.byte(Int64(head.count))])
        #expect(found.records.count == 2)
    }
}
