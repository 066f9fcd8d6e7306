import Foundation
import Testing

/// `kedge send`, run as a shell runs it, into an archive of its own.
@Suite(.timeLimit(.minutes(30)))
struct SendCommandTests {
    private let archive: ScratchArchive

    init() throws { archive = try ScratchArchive() }

    @Test func `/me sends an action, and another word after a slash is refused unless the slash is doubled`() throws {
        let archive = try ScratchArchive()
        #expect(try archive.kedge("send", "general", "/me", "waves").status == 0)
        #expect(try archive.lastRecord()["kind"] as? String == "action")
        #expect(try archive.lastRecord()["text"] as? String == "waves")
        let refused = try archive.kedge("send", "general", "/join x")
        #expect(refused.status == 2)
        #expect(refused.errors == "kedge: Kedge has no command /join; to send the text as it is, write //join\n")
        #expect(try archive.kedge("send", "general", "//join x").status == 0)
        #expect(try archive.lastRecord()["text"] as? String == "/join x")
        #expect(try archive.lastRecord()["kind"] == nil)
        try archive.shell("echo /join x | \"$KEDGE\" send general -")
        #expect(try archive.lastRecord()["text"] as? String == "/join x")
    }

    @Test func `send prints the link of the message, which is then the newest`() throws {
        let before = try archive.log()
        let sent = try archive.kedge("send", "general", "See", "you  there.")
        #expect(sent.status == 0)
        #expect(sent.errors.isEmpty)
        let id = try #require(sent.output.wholeMatch(of: #/general\/([0-9A-HJKMNP-TV-Z]{26})\n/#)).1
        let log = try archive.log()
        #expect(log.hasPrefix(before))
        let added =
            #/\{"type":"message","id":"(.*?)","at":"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z","from":"ana","text":"See you  there."\}\n/#
        let match = try #require(log.dropFirst(before.count).wholeMatch(of: added))
        #expect(match.1 == id)
        let shown = try archive.kedge("show", String(sent.output.dropLast()), "--context", "0")
        #expect(shown.output.hasSuffix("\tana\tSee you  there.\n"))
    }

    @Test(arguments: [
        ("printf 'one\\ntwo\\n'", "one\ntwo"), ("printf 'one\\ntwo\\n\\n'", "one\ntwo\n"), ("printf one", "one"),
        ("printf 'one\\r\\n'", "one"), ("printf ' 潮 \\t'", " 潮 \t"), ("printf '\\033[2J\\n'", "\u{1B}[2J"),
        ("seq 1 4000", (1...4_000).map(String.init).joined(separator: "\n")),
    ])
    func `send takes all of a pipe, except for one line feed`(command: String, text: String) throws {
        let sent = try archive.shell("\(command) | \"$KEDGE\" send general -")
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(try archive.lastRecord()["text"] as? String == text)
    }

    @Test func `A reply names its message, by a link or by an ID`() throws {
        for arguments in [["general/m-1", "yes"], ["general", "yes", "--reply-to", "m-1"]] {
            #expect(try archive.kedge(["send"] + arguments).status == 0)
            #expect(try archive.lastRecord()["replyTo"] as? String == "m-1")
            #expect(try archive.lastRecord()["thread"] == nil)
        }
    }

    @Test func `Any message of a thread names it, and a reply to a reply goes into it`() throws {
        for arguments in [
            ["general", "in it", "--thread", "m-1"], ["general", "in it", "--thread", "m-2"],
        ] {
            #expect(try archive.kedge(["send"] + arguments).status == 0)
            #expect(try archive.lastRecord()["thread"] as? String == "m-1")
            #expect(try archive.lastRecord()["replyTo"] == nil)
        }
        #expect(try archive.kedge("send", "general/m-2", "in it").status == 0)
        #expect(try archive.lastRecord()["thread"] as? String == "m-1")
        #expect(try archive.lastRecord()["replyTo"] as? String == "m-2")
    }

    @Test func `The sender is the person of --as, else of the config, else of the archive`() throws {
        let senders = { () throws in try archive.lastRecord()["from"] as? String }
        #expect(try archive.kedge("send", "general", "hello").status == 0)
        #expect(try senders() == "ana")
        try archive.write("config/kedge/config.toml", "me = \"ben\"\n")
        let config = ["XDG_CONFIG_HOME": archive.path + "/config"]
        #expect(try archive.kedge(["send", "general", "hello"], environment: config).status == 0)
        #expect(try senders() == "ben")
        #expect(try archive.kedge(["send", "general", "hello", "--as", "ana"], environment: config).status == 0)
        #expect(try senders() == "ana")
    }

    @Test func `The config names the archive, and a mistake in it is reported and stops nothing`() throws {
        try archive.write("config/kedge/config.toml", "archive = \"\(archive.path)\"\ncolour = 1\n")
        let config = ["XDG_CONFIG_HOME": archive.path + "/config"]
        let sent = try Program.kedge("send", "general", "hello", environment: config)
        #expect(sent.status == 0)
        #expect(sent.output.hasPrefix("general/"))
        let file = archive.path + "/config/kedge/config.toml"
        #expect(sent.errors == "kedge: \(file):2: unknown setting colour; ignored (did you mean colors?)\n")
    }

    @Test(arguments: [
        (["send", "general", " "], 4, "there is no text; write something"),
        (["send", "general", "-"], 4, "there is no text; write something"),
        (["send", "genral", "hello"], 1, "there is no conversation \"genral\"; did you mean \"general\"?"),
        (["send", "general/m-9", "hello"], 1, "there is no message \"m-9\" in \"general\""),
        (["send", "general", "hello", "--thread", "m-9"], 1, "there is no message \"m-9\" in \"general\""),
        (["send", "general", "hello", "--as", ""], 2, "--as takes the ID or the name of a person"),
        (["send", "general", "hello", "--as", "a\u{1B}b"], 2, "--as takes the ID or the name of a person"),
        (["open", "general", "--as", ""], 2, "--as takes the ID or the name of a person"),
        (["send", "general/m-1", "hello", "--reply-to", "m-1"], 2, "name one message to reply to"),
        (["send", "general"], 2, "TEXT is missing"), (["send"], 2, "CONVERSATION[/MESSAGE-ID] is missing"),
    ])
    func `A message that is not sent is reported in one line, with its exit status`(
        arguments: [String], status: Int32, complaint: String
    ) throws {
        let before = try archive.log()
        let result = try archive.kedge(arguments)
        #expect(result.status == status)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(complaint), "\(result.errors)")
        #expect(result.errors.hasPrefix("kedge: "))
        #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
        #expect(try archive.log() == before)
    }

    @Test func `Bytes that are not text are refused, and so is a missing sender`() throws {
        let bytes = try archive.shell("printf 'a\\377b' | \"$KEDGE\" send general -")
        #expect(bytes.status == 4)
        #expect(bytes.errors == "kedge: stdin is not UTF-8; convert it first, for example with iconv\n")
        try archive.write("archive.json", #"{"format":"kedge","version":1}"#)
        let nobody = try archive.kedge("send", "general", "hello")
        #expect(nobody.status == 4)
        #expect(nobody.errors.hasPrefix("kedge: Kedge doesn't know who you are: use --as ID"))
        #expect(try archive.kedge("send", "general", "hello", "--as", "ben").status == 0)
    }

    @Test func `Without room for a whole line no part of it is stored`() throws {
        // A limit of files, in blocks of 512 bytes, is as good as a full disk.
        let filler = String(repeating: "x", count: 400)
        try archive.write(ScratchArchive.segment, archive.log() + ScratchArchive.message("m-3", filler) + "\n")
        let before = try archive.log()
        #expect(before.utf8.count < 1_024)
        let text = String(repeating: "y", count: 900)
        let result = try archive.shell("ulimit -f 2; \"$KEDGE\" send general \(text)", by: "/bin/dash")
        #expect(result.status == 4, "\(result)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("bytes could be written; make room on the disk and send again"), "\(result)")
        #expect(try archive.log() == before)
        #expect(try archive.kedge("send", "general", text).status == 0)
        #expect(try archive.lastRecord()["text"] as? String == text)
    }

    @Test func `Without room for its first byte no new segment stays`() throws {
        let full = ScratchArchive.message("m-3", String(repeating: "x", count: 8 << 20)) + "\n"
        try archive.write(ScratchArchive.segment, full)
        let result = try archive.shell("(ulimit -f 0; \"$KEDGE\" send general hello 2>&1) | cat", by: "/bin/dash")
        #expect(result.output.contains("no disk space (File too large)"), "\(result)")
        #expect(try archive.names("conversations/general") == ["messages-000001.jsonl"])
    }

    @Test func `A file that must not be written is reported, and stays as it is`() throws {
        let before = try archive.log()
        let folder = archive.path + "/conversations/general"
        // Whoever runs the tests as root lets somebody else try, who has no folders of their own.
        let homeless = "env HOME=/nonexistent XDG_STATE_HOME=/nonexistent"
        let other = geteuid() == 0 ? "\(homeless) setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        guard try archive.shell("\(other)test -x \"$KEDGE\"").status == 0 else {
            return print("Not tried: nobody else may run \(Program.path).")
        }
        try archive.shell("chmod -R a+rX,a-w \(archive.path)")
        defer { _ = try? archive.shell("chmod -R u+w \(archive.path)") }
        let result = try archive.shell("\(other)\"$KEDGE\" send general hello")
        #expect(result.status == 4, "\(result)")
        #expect(
            result.errors == "kedge: \(archive.path): may not be written (permission denied); check its permissions\n")
        try archive.shell("chmod a+w \(archive.path)")
        let inner = try archive.shell("\(other)\"$KEDGE\" send general hello")
        #expect(inner.errors == "kedge: \(folder): may not be written (permission denied); check its permissions\n")
        #expect(try archive.log() == before)
    }

    @Test func `A line that fails is retried, and the message is stored once`() throws {
        // Of the requests of this seed some fail and are written all the same.
        for seed in 1...10 {
            let result = try archive.kedge(
                ["send", "general", "hello \(seed)"], environment: ["KEDGE_SIMULATE": "failures:0.5,seed:\(seed)"])
            let count = try archive.log().components(separatedBy: "\"hello \(seed)\"").count - 1
            #expect(result.status == 0 ? count == 1 : result.status == 4 && count <= 1, "seed \(seed): \(result)")
        }
    }

    @Test func `Processes that send at the same time lose and double nothing`() throws {
        let result = try archive.shell(
            """
            for p in 1 2 3 4; do (for i in $(seq 10); do "$KEDGE" send general "$p-$i" || echo failed; done) & done; wait
            """)
        let links = result.output.split(separator: "\n")
        #expect(links.count == 40 && Set(links).count == 40, "\(result)")
        let records = try archive.records().dropFirst(2)
        #expect(Set(records.compactMap { $0["id"] as? String }) == Set(links.map { String($0.dropFirst(8)) }))
        for process in 1...4 {
            let texts = records.compactMap { $0["text"] as? String }.filter { $0.hasPrefix("\(process)-") }
            #expect(texts == (1...10).map { "\(process)-\($0)" })
        }
    }
}
