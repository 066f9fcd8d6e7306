import Dates
import TestSupport
import Testing

@testable import Formats

struct PidginTests {
    private let html = """
        <html><head><meta charset="UTF-8"><title>Conversation with #pier at Tue 05 Mar 2024 23:59:33 UTC on ana@x.org (irc)</title></head><body><h3>Conversation with #pier at Tue 05 Mar 2024 23:59:33 UTC on ana@x.org (irc)</h3>
        <font color="#16569E"><font size="2">(23:59:40)</font> <b>ana:</b></font> low <b>tide</b> &lt;3<br/>
        <font color="#A82F2F"><font size="2">(23:59:45)</font> <b>Ben Ito:</b></font> at<br/>six<br/>
        <font color="#062585"><font size="2">(00:00:10)</font> <b>***ana</b></font> waves<br/>
        <font size="2">(00:01:00)</font><b> ben has left the room.</b><br/>
        </body></html>
        """
    private let text = """
        Conversation with ben at Tue Mar  5 09:12:33 2024 on ana@x.org (jabber)
        (09:12:40 AM) Ana R: low tide
        at six
        (01:12:43 PM) ***ben waves
        (01:13:00 PM) ben has signed off.
        """
    private let path = "irc/ana@x.org/#pier.chat/2024-03-05.235933+0100CET.html"

    private func converted(_ files: [String: String], chunk: Int = 1 << 20) throws -> Converted {
        try Converted(Source(files.mapValues { Array($0.utf8) }), by: PidginFormat(), chunk: chunk)
    }

    @Test(arguments: chunks) func `HTML has its day and zone from its name, and passes midnight`(chunk: Int) throws {
        let converted = try converted([path: html], chunk: chunk)
        #expect(converted.archive.conversations.map(\.id) == ["pier"])
        let records = try #require(converted.records["pier"])
        #expect(
            records.map(IRCRecords.line) == [
                "ana: low **tide** <3", "Ben Ito: at\nsix", "* ana waves", "[] ben has left the room.",
            ])
        #expect(
            records.map { $0["at"] as? String } == [
                "2024-03-05T22:59:40Z", "2024-03-05T22:59:45Z", "2024-03-05T23:00:10Z", "2024-03-05T23:01:00Z",
            ])
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: chunks) func `text has its day from its first line where its name tells none`(chunk: Int) throws {
        let converted = try converted(["saved.txt": text], chunk: chunk)
        let records = try #require(converted.records["ben"])
        #expect(
            records.map(IRCRecords.line) == ["Ana R: low tide\nat six", "* ben waves", "[] ben has signed off."])
        #expect(records[1]["at"] as? String == "2024-03-05T13:12:43Z")
    }

    @Test func `sessions of one person are one conversation`() throws {
        let later = path.replacing("2024-03-05", with: "2024-03-07")
        let converted = try converted([later: html, path: html])
        #expect(converted.records["pier"]?.count == 8)
        #expect(converted.records["pier"]?.last?["at"] as? String == "2024-03-07T23:01:00Z")
    }

    @Test func `other pages and logs are none of Pidgin's`() {
        for text in ["<html><body>(12:00:00) x</body></html>", "[12:00:00] <ana> x", "(12:00:00) ana: x", ""] {
            #expect(PidginFormat().recognise(Source(["a.html": Array(text.utf8)])) == .no)
        }
    }

    @Test(arguments: chunks) func `Adium has aliases, zones and notices`(chunk: Int) throws {
        let xml = """
            <?xml version="1.0" encoding="UTF-8" ?>
            <chat xmlns="http://purl.org/net/ulf/ns/0.4-02" account="ana" service="IRC">
            <event type="windowOpened" sender="ana" time="2024-03-05T09:12:33+00:00"></event>
            <message sender="ana" time="2024-03-05T09:12:40+00:00" alias="Ana"><div>low <b>tide</b></div></message>
            <message sender="ben" time="2024-03-05T10:12:45+01:00"><div><span style="color: red">at
            six</span></div></message>
            <status type="offline" sender="ben" time="2024-03-05T09:14:00+00:00"></status>
            <message sender="ben"><div>lost</div></message>
            </chat>
            """
        let folder = "IRC.ana/#pier/#pier (2024-03-05T09.12.33+0000).chatlog/"
        let source = Source([folder + "#pier (2024-03-05T09.12.33+0000).xml": Array(xml.utf8)])
        #expect(AdiumFormat().recognise(source) == .certain)
        let converted = try Converted(source, by: AdiumFormat(), chunk: chunk)
        #expect(converted.archive.me == "ana")
        #expect(converted.people == ["ana": "Ana", "ben": "ben"])
        let records = try #require(converted.records["pier"])
        #expect(records.map(IRCRecords.line) == ["ana: low **tide**", "ben: at six", "[ben] offline"])
        #expect(records[1]["at"] as? String == "2024-03-05T09:12:45Z")
        #expect(converted.problems.map(\.kind) == ["message without a time"])
    }

    @Test func `damage breaks nothing`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            for (file, text) in [(path, html), ("saved.txt", text)] {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1..<8, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let source = Source([file: bytes])
                guard PidginFormat().recognise(source) == .certain else { continue }
                #expect(throws: Never.self, "seed \(seed), round \(round)") {
                    try Converted(source, by: PidginFormat(), chunk: 64)
                }
            }
        }
    }
}
