import Testing

@testable import Formats

struct IRCFolderTests {
    private func line(_ second: Int, _ text: String = "hi") -> String {
        "2026-03-29 00:00:\(second < 10 ? "0" : "")\(second)\tana\t\(text)\n"
    }

    private func source(_ files: [String: String]) -> Source { Source(files.mapValues { Array($0.utf8) }) }

    private func ids(_ paths: String...) throws -> [String] {
        let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, "2026-03-29T00:00:06 <ana> \($0)\n") })
        return try IRCFormat().archive(in: source(files)).conversations.map(\.id)
    }

    @Test func `paths tell networks and windows`() throws {
        #expect(try ids("libera/#kedge/2026-03-28.log", "libera/#kedge/2026-03-29.log") == ["libera.kedge"])
        #expect(try ids("users/ana/networks/libera/moddata/log/#kedge/2026-03-29.log") == ["libera.kedge"])
        #expect(try ids("Libera-#kedge.log") == ["Libera.kedge"])
        #expect(try ids("ana_libera_#kedge_20260329.log") == ["libera.kedge"])
        #expect(try ids("#kedge.log", "#kedge.log.1", "#kedge.log.2") == ["kedge"])
        #expect(try ids("2026/03/29/#ubuntu.txt", "2026/03/30/#ubuntu.txt") == ["ubuntu"])
        #expect(
            try ids("libera/Channels/#kedge/2026-03-29.txt", "libera/Queries/ben/2026-03-29.txt") == [
                "libera.kedge", "libera.ben",
            ])
        #expect(try ids("libera/#kedge/#kedge.2026-03-29.log") == ["libera.kedge"])
        #expect(try ids("libera/#kedge/out") == ["libera.kedge"])
        #expect(try ids("libera/#c120260329.log") == ["libera.c120260329"])
        #expect(try ids("ubuntu.log.29Mar2026", "ubuntu.log.30Mar2026") == ["ubuntu"])
    }

    @Test func `a log that was just begun is read as the others of its window`() throws {
        let files = source([
            "#c.log.1": "--- Log opened Sun Mar 29 00:00:00 2026\n00:01 < ana> hi\n",
            "#c.log": "--- Log opened Sun Mar 29 00:02:00 2026\n",
        ])
        let feeds = try IRCFormat().archive(in: files).conversations.flatMap(\.feeds)
        #expect(feeds.map(\.file) == ["#c.log.1", "#c.log"])
        #expect(Set(feeds.map(\.setting)) == ["irssi"])
    }

    @Test func `names of WeeChat tell servers with points and windows with points`() throws {
        #expect(try ids("irc.libera.#kedge.weechatlog") == ["libera.kedge"])
        #expect(try ids("irc.irc.libera.chat.#k.edge.weechatlog") == ["irc.libera.chat.k.edge"])
        #expect(try ids("irc.server.libera.weechatlog", "core.weechat.weechatlog") == ["libera.server"])
        #expect(try ids("irc.libera.ana.weechatlog") == ["libera.ana"])
        #expect(try ids("2026/irc.libera.##kedge.weechatlog") == ["libera.kedge"])
    }

    @Test func `NULs, bells and ends of pages make no log unreadable`() throws {
        let nulls = String(repeating: "\0", count: 100)
        let log = try IRCRecords(
            "09:00 <ana> ping\u{7}\n\(nulls)\n\(nulls)09:05 <ben> hi\0\r\n09:06 <ana> a\u{B}b\u{C}c\n")
        #expect(log.lines.map { $0.prefix(6) } == ["ana: p", "ben: h", "ana: a"])
        #expect(log.lines[1] == "ben: hi")
        let cut = (10..<60).map { "09:\($0) <ana> hi\n" }.joined() + String(repeating: "\0", count: 30)
        #expect(IRCFormat().recognise(source(["#a.log": cut])) == .certain)
        #expect(try IRCRecords(cut).records.count == 50)
        let day = try IRCRecords([
            "#a.2024-03-05.log": Array("09:00 <ana> ping\u{7}\n09:01 <ben> pong\n".utf8),
            "#a.2024-03-06.log": Array("09:00 <ana> hi\n".utf8),
        ])
        #expect(day.records.count == 3)
        #expect(day.converted.problems.isEmpty)
    }

    @Test func `a file that is left out of the logs is reported if a line of it is understood`() throws {
        let odd = "09:00 <ana> " + String(repeating: "\u{1}\u{5}", count: 40) + "\n"
        let archive = try IRCFormat().archive(
            in: source(["#a.log": "09:00 <ana> hi\n", "#b.log": odd, "c": String(repeating: "\u{1}", count: 9)]))
        #expect(archive.conversations.map(\.id) == ["a"])
        #expect(
            archive.problems.filter { $0.kind == "not an IRC log that Kedge understands" }.map(\.file) == ["#b.log"])
    }

    @Test func `other files are no text`() {
        let elf: [UInt8] = [
            0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 3, 0, 0x3E, 0, 1, 0, 0x40, 0x1D, 0x14, 6, 5, 0x19,
        ]
        let zip: [UInt8] = [0x1F, 0x8B, 8, 0, 0x5A, 0x10, 0xE7, 0x18, 0xA1, 1, 0x73, 6, 0xC4, 0x99]
        let png: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0, 8, 6,
        ]
        #expect([elf, zip, png, [0, 0], []].allSatisfy { !$0.isText })
    }

    @Test func `conversations have different IDs`() throws {
        #expect(try ids("#kedge.log", "kedge.log") == ["kedge", "kedge-2"])
        #expect(
            try ids("a/irc.t.#kedge.weechatlog", "b/irc.t.#kedge.weechatlog") == ["t.kedge", "b.t.kedge"])
    }

    @Test func `a channel has its name as title and as aliases`() throws {
        let archive = try IRCFormat().archive(in: source(["irc.t.#kedge.weechatlog": line(1)]))
        #expect(archive.name == "t")
        #expect(archive.conversations.first?.title == "#kedge")
        #expect(archive.conversations.first?.aliases == ["#kedge", "kedge"])
    }

    @Test func `rotated files are one conversation, and the last may grow`() throws {
        let archive = try IRCFormat().archive(
            in: source([
                "irc.t.#k.weechatlog": line(9), "irc.t.#k.weechatlog.1": line(5), "irc.t.#k.weechatlog.2": line(1),
            ]))
        #expect(archive.conversations.count == 1)
        #expect(
            archive.conversations[0].feeds.map(\.file) == [
                "irc.t.#k.weechatlog.2", "irc.t.#k.weechatlog.1", "irc.t.#k.weechatlog",
            ])
        #expect(archive.conversations[0].feeds.map(\.grows) == [false, false, true])
        #expect(archive.conversations[0].order == .sequence)
    }

    @Test(arguments: chunks) func `a line that two files hold is read once`(chunk: Int) throws {
        let (a, b, c) = (line(1, "a") + line(2, "b"), line(3, "c") + line(4, "d"), line(5, "e"))
        for files in [
            ["#k.1.log": a, "#k.log": a + b + c],
            ["#k.2.log": a, "#k.1.log": a + b, "#k.log": a + b + c],
            ["#k.1.log": a + b, "#k.log": b + c],
            ["#k.1.log": a + b + c, "#k.log": b],
            ["#k.2.log": a + b, "#k.1.log": a + b, "#k.log": c],
        ] {
            let converted = try Converted(source(files), by: IRCFormat(), chunk: chunk)
            let texts = converted.records.values.flatMap { $0.map { $0["text"] as? String ?? "" } }
            #expect(texts == ["a", "b", "c", "d", "e"], "\(files.keys.sorted())")
        }
    }

    @Test func `files that are no logs become problems, and those of programs are passed over`() throws {
        let log = (0..<20).map { line($0) }.joined()
        let archive = try IRCFormat().archive(
            in: source([
                "irc.t.#k.weechatlog": log, "notes.txt": "Buy rope.\n", "irc.conf": "[look]\n",
                ".git/config": "[core]\n",
                "picture.log": "\u{0}\u{1}\u{0}\u{1}\u{0}",
            ]))
        #expect(archive.conversations.map(\.id) == ["t.k"])
        #expect(archive.problems.map(\.description) == ["notes.txt: not an IRC log that Kedge understands"])
    }

    @Test func `a window of a server belongs to the logs beside it`() throws {
        let log = (0..<9).map { "[10:00:0\($0)] <ana> hi\n" }.joined()
        let status = (0..<9).map { "[10:00:0\($0)] \($0 < 5 ? "*** a" : "irc.example.org 001 ana :hi")\n" }.joined()
        let archive = try IRCFormat().archive(
            in: source(["t/#k/2026-03-29.log": log, "t/status/2026-03-29.log": status]))
        #expect(archive.conversations.map(\.id) == ["t.k", "t.status"])
        #expect(archive.problems.isEmpty)
    }

    @Test func `only logs are recognised`() {
        let format = IRCFormat()
        func recognise(_ text: String) -> Recognition {
            format.recognise(Source(["a.log": Array(text.utf8)], isFile: true))
        }
        #expect(recognise(line(1)) == .certain)
        #expect(recognise("") == .no)
        #expect(recognise("{\"messages\": []}\n") == .no)
        #expect(recognise("Dear Ana,\nthe tide is high.\n") == .no)
        #expect(recognise("May 19 23:59:44 host sshd[12]: Accepted key\n") == .no)
        #expect(recognise("2026-03-29 00:00:06,123 INFO starting\n") == .no)
        #expect(recognise("\u{0}\u{0}\u{0}\u{0}\u{1}\u{5}\n") == .no)
        #expect(recognise((0..<7).map { line($0) }.joined() + "x\ny\nz\n") == .certain)
        #expect(recognise("[09:12] <ana> low\n[09:13] Last message repeated 2 time(s).\n") == .certain)
        #expect(recognise(String(repeating: "Buy rope.\n", count: 30) + "[09:12] <ana> low tide\n") == .weak)
        #expect(recognise(String(repeating: "Buy rope.\n", count: 30) + "09:12 note: rope\n") == .no)
        #expect(recognise("[1] Paper of 5 March 2024\n[2] Paper of 6 March 2024\n") == .no)
    }

    @Test func `a large log can be read from lines at which the second changes`() throws {
        let setting = IRCSetting("weechat")
        let text = "rest of a line\n" + line(1) + line(1, "b") + "more\n" + line(2) + line(3)
        let cut = Array(text.utf8).withUnsafeBytes { setting.cut($0) }
        #expect(cut == text.utf8.count - line(2).utf8.count * 2)
        let same = "rest\n" + line(1) + line(1)
        #expect(Array(same.utf8).withUnsafeBytes { setting.cut($0) } == nil)
    }

    @Test func `a log without dates can be read from the line that tells the day`() throws {
        let (before, after) = ("23:59 <ana> a\n23:59 <ana> b\n", "--- Day changed Sun Mar 29 2026\n00:00 <ana> c\n")
        let cut = Array((before + after).utf8).withUnsafeBytes { IRCSetting("irssi").cut($0) }
        #expect(cut == before.utf8.count)
        let again =
            "23:59 <ana> a\n23:59 <ana> b\n--- Log opened Sat Mar 28 23:59:50 2026\n23:59 <ana> b\n00:00 <ana> c\n"
        #expect(Array(again.utf8).withUnsafeBytes { IRCSetting("irssi").cut($0) } == nil)
    }
}
