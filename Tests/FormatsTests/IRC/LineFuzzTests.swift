import Dates
import TestSupport
import Testing

@testable import Formats

/// Logs and chats that were damaged at random: nothing crashes or loops, and chunks never change a record.
struct LineFuzzTests {
    private static let logs = [
        "2026-03-28 23:59:36\t-->\tana (~ana@host) has joined #k\n2026-03-28 23:59:37\tana\ta \u{2}b\u{2}\nmore\n",
        "2025-12-01 12:34:56.789012Z\t *\tana waves\n2025-12-01 12:34:56.789012Z\t--\tNotice(ana): x\n",
        "--- Log opened Sat Mar 28 23:59:42 2026\n23:59 <@ana> hi\n--- Day changed Sun Mar 29 2026\n00:00  * ana waves\n",
        "[17:02:03] *** Joins: ana (~ana@host)\n[17:02:04] <ana> \u{3}4,5hi\n=== x is now known as y\n",
        "**** BEGIN LOGGING AT Thu Dec 30 23:59:44 2010\nDec 30 23:59:44 *\tana waves\nJan  1 00:00:01 -x-\ty\n",
        "[2018-09-21T20:22:23+0200] <ana> hi\n[2018-09-21T20:22:23-0230] \u{2022} ana: waves\n",
        "1537561343 <ana> hi\n1537561343 -!- ana(~ana@host) has joined #kedge\n",
        "[31/12/2022, 11:40:26] Ana: \u{200E}<attached: a.jpg>\n[31/12/2022, 11:40:27] B: *b* _c_ `d`\n",
        "6/30/23, 4:14\u{202F}PM - Jane: hello <This message was edited>\nagain\n6/30/23, 4:15\u{202F}PM - Jane: a.jpg (file attached)\n",
    ]

    private func records(_ bytes: [UInt8], _ format: any Format, _ setting: String, chunk: Int) throws -> [UInt8] {
        let source = Source(["a": bytes], isFile: true)
        let conversation = ForeignConversation(id: "a", feeds: [Feed(file: "a", setting: setting)])
        var writer = RecordWriter()
        let converter = format.converter(
            for: conversation.feeds[0], of: conversation, names: ForeignNames(), state: nil, zone: .utc)
        let file = try #require(source.files.first)
        var reader = FeedReader(source, file, from: 0, by: converter, chunk: chunk)
        var steps = 0
        while try reader.step(to: file.size, isWhole: true, into: &writer) {
            steps += 1
            try #require(steps < 100_000)
        }
        return writer.lines
    }

    @Test func `damage changes neither safety nor the meaning of chunks`() throws {
        let seed: UInt64 = 181
        var random = SeededGenerator(seed: seed)
        let settings = IRCGrammar.all.map { (IRCFormat() as any Format, $0.id) }
        let chats = ["brackets 0:dmy", "dash group 0:mdy 90:dmy"].map { (WhatsAppFormat() as any Format, $0) }
        for round in 0..<400 {
            var bytes = (0..<3).flatMap { _ in Array((LineFuzzTests.logs.randomElement(using: &random) ?? "").utf8) }
            for _ in 0..<Int.random(in: 0..<12, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        [0, 2, 3, 4, 9, 10, 13, 0x1B, 0xE2, 0xFF].randomElement(using: &random) ?? 0, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0..<40, using: &random)))
                }
            }
            _ = IRCFormat().recognise(Source(["a": bytes], isFile: true))
            _ = try? IRCFormat().archive(in: Source(["a": bytes], isFile: true))
            _ = try? WhatsAppFormat().archive(in: Source(["a": bytes], isFile: true))
            for (format, setting) in settings + chats {
                let whole = try records(bytes, format, setting, chunk: 1 << 20)
                #expect(throws: Never.self) { try Converted.lines(whole) }
                let parts = try records(bytes, format, setting, chunk: Int.random(in: 1..<80, using: &random))
                #expect(whole == parts, "seed \(seed), round \(round), \(setting)")
            }
        }
    }

    @Test func `a cut gives the records that follow it`() throws {
        let seed: UInt64 = 182
        var random = SeededGenerator(seed: seed)
        for round in 0..<300 {
            let text = (0..<40).map { number in
                "2026-03-29 00:00:\(10 + number / 4)\(["", ".5Z", ".25Z"].randomElement(using: &random) ?? "")\tana\t\(["a", "b", "a\nmore"].randomElement(using: &random) ?? "")\n"
            }.joined()
            let bytes = Array(text.utf8)
            let whole = try records(bytes, IRCFormat(), "weechat", chunk: 1 << 20)
            let middle = Int.random(in: 0..<bytes.count, using: &random)
            guard let cut = Array(bytes[middle...]).withUnsafeBytes({ IRCSetting("weechat").cut($0) }) else { continue }
            let last = try records(Array(bytes[(middle + cut)...]), IRCFormat(), "weechat", chunk: 1 << 20)
            let first = try records(Array(bytes[..<(middle + cut)]), IRCFormat(), "weechat", chunk: 1 << 20)
            #expect(first + last == whole, "seed \(seed), round \(round)")
        }
    }

    @Test func `names of files made at random have paths, windows and IDs`() {
        let seed: UInt64 = 183
        var random = SeededGenerator(seed: seed)
        let parts = [
            "#", "a", ".", "-", "_", "/", "2026", "03", "29", "20260329", "irc", "log", ".log", "out", " ", "ł", "..",
            "1",
        ]
        for _ in 0..<5_000 {
            let name = (0..<Int.random(in: 1..<9, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }.joined()
            let path = IRCPath(name, root: "root")
            #expect(!path.id.isEmpty && !path.id.contains("/"), "seed \(seed): \(name)")
        }
    }
}
