import Dates
import Testing

@testable import Formats

struct IRCTextTests {
    private func text(_ bytes: [UInt8]) -> String {
        var text = IRCText()
        bytes.withUnsafeBytes { text.append($0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("plain *text* stays", "plain *text* stays"),
        ("a \u{2}bold\u{2} word", "a **bold** word"),
        ("a \u{2} bold \u{2}word", "a  **bold** word"),
        ("\u{2}to the end ", "**to the end** "),
        ("\u{1D}italic\u{1D} \u{1E}struck\u{1E} \u{11}co\u{2}de\u{11}", "*italic* ~~struck~~ `code`"),
        ("\u{2}bold \u{1D}both\u{0F} none", "**bold *both*** none"),
        ("\u{2}\u{2}empty", "empty"),
        ("\u{3}4,12red\u{3} \u{3}04x \u{3}123", "red x 3"),
        ("\u{3}4, comma", ", comma"),
        ("\u{4}FF0000red\u{4} \u{4}8/irssi\u{4}g end", "red irssi end"),
        ("\u{1F}under\u{1F} \u{16}reverse\u{16}", "under reverse"),
        ("\u{1B}[1;31mred\u{1B}[0m \u{1B}x", "red x"),
        ("nul\u{0}bell\u{7}delete\u{7F}", "nulbelldelete"),
        ("tab\there", "tab\there"),
        ("\u{202E}mark\u{2028} 👩‍👩‍👧 z̸̢", "\u{202E}mark\u{2028} 👩‍👩‍👧 z̸̢"),
    ]) func `codes become marks or vanish`(line: String, shown: String) {
        #expect(text(Array(line.utf8)) == shown)
    }

    @Test(arguments: chunks) func `a line without a time continues the message before`(chunk: Int) throws {
        let log = try IRCRecords(
            """
            2026-03-28 23:59:52\tana\tone
            two

            12:00 three
            2026-03-28 23:59:53\tben\tfour

            2026-03-28 23:59:54\tben\tfive\r
            six\r

            """, chunk: chunk)
        #expect(log.field("text") == ["one\ntwo\n\n12:00 three", "four", "five\nsix"])
    }

    @Test(arguments: chunks) func `lines before the first message, and marks of merges, are problems`(chunk: Int) throws
    {
        let lines = (0..<30).map { "2026-03-28 23:59:\(10 + $0)\tana\tline \($0)\n" }
        let log = try IRCRecords(
            "lost\nlost too\n" + lines[..<15].joined() + "<<<<<<< HEAD\n" + lines[15...].joined(), chunk: chunk)
        #expect(log.records.count == 30)
        #expect(
            log.converted.problems.map(\.description) == [
                "kedge.log, byte 0: line that belongs to no message",
                "kedge.log, byte \(14 + lines[..<15].joined().utf8.count): merge conflict marker",
            ])
    }

    @Test(arguments: chunks) func `a byte order mark and carriage returns are no text`(chunk: Int) throws {
        let log = try IRCRecords(
            "\u{FEFF}2026-03-28 23:59:52\tana\tone\r\n2026-03-28 23:59:53\tana\ttwo\r\n", chunk: chunk)
        #expect(log.field("text") == ["one", "two"])
    }

    @Test func `the last line of a log is shown once it is whole`() throws {
        let begin = "2026-03-28 23:59:52\tana\tone\n"
        #expect(try IRCRecords(begin + "2026-03-28 23:59:53\tana\ttw").field("text") == ["one"])
        #expect(try IRCRecords(begin + "2026-03-28 23:59:53\tana\ttwo\n").field("text") == ["one", "two"])
    }

    @Test func `a megabyte in one line is one message`() throws {
        let long = String(repeating: "tide ", count: 200_000)
        let log = try IRCRecords("2026-03-28 23:59:52\tana\t\(long)\n2026-03-28 23:59:53\tana\tnext\n", chunk: 4_096)
        #expect(log.field("text") == [long, "next"])
    }

    @Test func `the hour that a change of clocks repeats keeps the order of lines`() throws {
        // Clocks went back by an hour at 01:00 UTC.
        let zone = Zone { $0.milliseconds < 1_761_440_400_000 ? 7_200 : 3_600 }
        let log = try IRCRecords(
            """
            2025-10-26 01:59:00\tana\ta
            2025-10-26 02:30:00\tana\tb
            2025-10-26 02:30:00\tana\tc
            2025-10-26 03:00:00\tana\td

            """, zone: zone)
        #expect(log.field("text") == ["a", "b", "c", "d"])
        #expect(log.times[0] == "2025-10-25T23:59:00Z")
        #expect(log.times[3] == "2025-10-26T02:00:00Z")
    }
}
