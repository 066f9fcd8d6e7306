import Foundation
import Testing

/// The ways into the program: short command lines, names, new archives, and the first screen.
struct EntranceTests {
    private let scratch = try? ScratchArchive()

    @Test(arguments: [
        (["opne"], 2, "there is no command \"opne\"; did you mean `kedge open`?"),
        (["serach", "tide"], 2, "there is no command \"serach\"; did you mean `kedge search`?"),
        (["serach", "tide", "pool"], 2, "there is no command \"serach\"; did you mean `kedge search`?"),
        (["--zone", "UTC", "serach", "tide"], 2, "there is no command \"serach\"; did you mean `kedge search`?"),
        (["grep", "x"], 2, "there is no command \"grep\"; `kedge search` finds messages"),
        (["grep"], 2, "there is no command \"grep\"; `kedge search` finds messages"),
        (["tail", "general"], 2, "there is no command \"tail\"; `kedge show CONVERSATION --last 20` prints"),
        (["frobnicate", "now"], 2, "there is no command \"frobnicate\"; `kedge --help` lists the commands"),
        (["general", "extra"], 2, "lists the commands. To open a conversation, name it alone"),
        (["open", "general", "m-1"], 2, "\"m-1\" is one word too many (see `kedge open --help`)"),
        (["help", "foo"], 2, "there is no command \"foo\"; `kedge --help` lists the commands"),
        (["help", "serach"], 2, "there is no command \"serach\"; did you mean `kedge search`?"),
        (["frobnicate"], 2, "there is no command and no conversation \"frobnicate\""),
        (["genral"], 1, "there is no conversation \"genral\"; did you mean \"general\"?"),
        (["general"], 2, "open needs a terminal"),
        (["General"], 2, "open needs a terminal"),
        (["#general/m-1"], 2, "open needs a terminal"),
        (["send", "games night", "hello"], 1, "; kedge new 'games night' makes it"),
        (["send", "generl", "hello"], 1, "did you mean \"general\"? kedge new generl makes it"),
        (["list", "general"], 2, "\"general\" is one word too many (see `kedge list --help`)"),
        (["send", "general"], 2, "TEXT is missing; to send the text of a pipe: kedge send CONVERSATION -"),
    ])
    func `A command line without a command tells what is wrong`(
        arguments: [String], status: Int32, complaint: String
    ) throws {
        let result = try #require(scratch).kedge(arguments)
        #expect(result.status == status)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(complaint), "\(result.errors)")
        #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    }

    @Test(arguments: [["open", ""], ["show", ""], [""]])
    func `The empty choice of another program ends quietly, as an interrupted command`(arguments: [String]) throws {
        let result = try #require(scratch).kedge(arguments)
        #expect(result.status == 130)
        #expect(result.output.isEmpty && result.errors.isEmpty)
    }

    @Test(arguments: ["general", "General", "#general", "GENERAL"])
    func `A conversation is found by its title, in any case`(name: String) throws {
        let scratch = try #require(scratch)
        for command in [
            ["show", name + "/m-1"], ["stats", name], ["export", name], ["search", "hello", "--in", name],
        ] {
            let result = try scratch.kedge(command)
            #expect(result.status == 0, "\(command): \(result.errors)")
            #expect(!result.output.isEmpty)
        }
        let sent = try scratch.kedge("send", name, "--as", "ben", "hi")
        #expect(sent.output.hasPrefix("general/"), "\(sent.errors)")
    }

    @Test func `Of two conversations with one title neither is taken`() throws {
        let scratch = try #require(scratch)
        for id in ["a", "b"] { try scratch.write("conversations/\(id)/conversation.json", #"{"title":"Twins"}"#) }
        let result = try scratch.kedge("stats", "twins")
        #expect(result.status == 2)
        #expect(result.errors.contains("2 conversations are called \"twins\": use an ID (\"a\", \"b\")"))
    }

    @Test func `A new archive takes new conversations and messages`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-new-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "in/chats").path
        let made = try Program.kedge("init", path, "--as", "zoë")
        #expect(made.output == path + "\n" && made.status == 0, "\(made.errors)")
        let new = try Program.kedge("new", "--archive", path, "#Games Night", "--topic", "Chess \"and\" Go")
        #expect(new.output == "games-night\n" && new.status == 0, "\(new.errors)")
        let sent = try Program.kedge("send", "--archive", path, "games night", "Hello.")
        #expect(sent.output.hasPrefix("games-night/"), "\(sent.errors)")
        let list = try Program.kedge("list", "--archive", path, "--json").output
        #expect(
            list.contains(#""title":"Games Night","topic":"Chess \"and\" Go""#) && list.contains(#""count":1"#),
            "\(list)")
        #expect(list.contains(#""unread":0"#))
        let other = try Program.kedge("send", "--archive", path, "games-night", "--as", "ben", "--new-person", "Hi.")
        let unread = try Program.kedge("list", "--archive", path, "--json").output
        #expect(unread.contains(#""unread":1"#), "nobody has opened the archive yet: \(unread) \(other.errors)")
        let exported = try Program.kedge("export", "--archive", path, "games-night").output
        #expect(exported.contains(#""from":"zoë""#))

        let again = try Program.kedge("new", "--archive", path, "Games Night")
        #expect(again.status == 4 && again.errors.contains("there is a conversation \"games-night\" already"))
        let second = try Program.kedge("init", path)
        #expect(second.status == 4 && second.errors.contains(": already an archive; open it"))
        let full = try Program.kedge("init", path + "/conversations")
        #expect(full.status == 4 && full.errors.contains("not empty (games-night)"))
    }

    @Test(arguments: [
        ("", "has no letter or digit to make an ID of"), ("...", "\"...\" has no letter or digit"),
        ("#", "has no letter or digit"), ("&", "\"&\" has no letter or digit"),
    ])
    func `A title of which no ID can be made is refused`(title: String, reason: String) throws {
        let result = try #require(scratch).kedge("new", title)
        #expect(result.status == 4)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func `A new conversation never leads out of the archive`() throws {
        let scratch = try #require(scratch)
        let result = try scratch.kedge("new", "../x/../../y")
        #expect(result.status == 0)
        #expect(try scratch.names("conversations").contains("x-..-..-y"))
    }

    @Test(arguments: [
        ("a&b", "a-b"), ("C++ & Rust: \"why\"?", "c-rust-why"), ("v1.2_rc-3", "v1.2_rc-3"), ("-x", "x"),
        ("Grüße, Zoë!", "grüße-zoë"), (String(repeating: "x", count: 300), String(repeating: "x", count: 120)),
    ])
    func `The ID of a new conversation needs no quotes in a shell`(title: String, id: String) throws {
        #expect(try #require(scratch).kedge("new", "--", title).output == id + "\n")
    }

    @Test func `Without an archive the first screen says how to open one, and d opens the demo`() throws {
        let tmux = try Tmux(columns: 80, rows: 24, command: "cd /; \(Program.path)")
        let screen = try tmux.waitUntilStill("the first screen") { $0.contains { $0.contains("open the demo") } }
        #expect(screen.contains { $0.contains("kedge init ~/chats") })
        #expect(screen.contains { $0.contains("No archive found here.") })
        try tmux.press("d")
        try tmux.waitUntil("the demo") { $0.contains { $0.contains("So the numbers were fine") } }
        try tmux.press("q")
        try tmux.waitUntil("the shell") { $0.last { !$0.isEmpty }?.hasSuffix("$") ?? false }
    }

    @Test func `q leaves the first screen, and ^C ends it as an interrupted command`() throws {
        let tmux = try Tmux(columns: 40, rows: 12)
        try tmux.type("cd /; \(Program.path); echo left $?")
        try tmux.waitUntil("the first screen") { $0.contains { $0.contains("open the demo") } }
        try tmux.press("q")
        try tmux.waitUntil("left") { $0.contains("left 0") }
        try tmux.type("\(Program.path); echo left $?")
        try tmux.waitUntil("the first screen") { $0.contains { $0.contains("open the demo") } }
        try tmux.press("C-c")
        try tmux.waitUntil("left") { $0.contains("left 130") }
    }

    @Test func `Keys come from the terminal when stdin is a pipe`() throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.type("echo general/m-001500 | xargs \(Program.path) --archive \(Program.demo) open; echo left $?")
        try tmux.waitUntil("the message") { $0.contains { $0.contains("So the numbers were fine") } }
        try tmux.press("h")
        try tmux.waitUntil("the help") { $0.contains { $0.contains("Moving") } }
        try tmux.press("Escape")
        try tmux.waitUntil("the message") { !$0.contains { $0.contains("Moving") } }
        try tmux.press("q")
        try tmux.waitUntil("left") { $0.contains("left 0") }
    }

    @Test func `The demo is a copy of one's own, in which one writes, until --fresh starts over`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.path + "/kedge/demo"
        func demo(_ arguments: String...) throws {
            let environment = Program.environment.merging(["XDG_DATA_HOME": folder.path]) { $1 }
            let result = try Program.run(Program.path, ["demo"] + arguments, environment: environment)
            #expect(result.errors.contains("open needs a terminal"), "\(result)")
        }
        func count() throws -> String {
            try Program.kedge("search", "hello", "from:me-myself", "--count", "--archive", copy).output
        }
        try demo()
        #expect(
            try Program.kedge("send", "general", "hello", "--as", "me-myself", "--new-person", "--archive", copy).status
                == 0)
        try demo("general")
        #expect(try count() == "1\n")
        try demo("--fresh")
        #expect(try count() == "0\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kedge") == ["demo"])
        let original = try FileManager.default.subpathsOfDirectory(atPath: Program.demo).sorted()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: copy).sorted() == original)
        #expect(FileManager.default.contentsEqual(atPath: Program.demo, andPath: copy))
    }

    @Test(arguments: [[], ["open"]])
    func `A path before a conversation is its archive`(command: [String]) throws {
        let scratch = try #require(scratch)
        func kedge(_ words: String...) throws -> String {
            try Program.run(Program.path, command + words, environment: Program.environment).errors
        }
        // Without a terminal: the conversation is found, or not.
        #expect(try kedge(scratch.path, "general").contains("open needs a terminal"))
        #expect(try kedge(scratch.path, "General/m-1").contains("open needs a terminal"))
        #expect(try kedge(scratch.path, "genral").contains("did you mean \"general\"?"))
        #expect(try kedge("general", "general").contains("general"))
    }

    @Test(arguments: ["demo/", "./demo", Program.demo])
    func `A path of an archive is opened`(path: String) throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.type("cd \(Program.demo)/..; \(Program.path) \(path); echo left")
        try tmux.waitUntil("the list") {
            $0.contains { $0.contains("Go to:") } && $0.contains { $0.contains("General") }
        }
    }

    @Test func `A title is opened at a place of its conversation`() throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.type("cd \(Program.demo); \(Program.path) '#GENERAL' --start")
        try tmux.waitUntil("the beginning") { $0.contains { $0.contains("beginning of the conversation") } }
    }

    @Test(arguments: [("--start", "beginning of the conversation"), ("20260329-000006-fknycd", "1 of 2")])
    func `A place alone is opened where an export has one conversation`(place: String, shown: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-entrance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = "2026-03-29 00:00:06\tana\thello\n2026-03-29 00:01:00\tben\tthe tide\n"
        try Data(log.utf8).write(to: folder.appending(path: "irc.libera.#kedge.weechatlog"))
        let tmux = try Tmux(columns: 80, rows: 24)
        try tmux.type("\(Program.path) open --archive \(folder.path) \(place); echo left")
        try tmux.waitUntil("the place") { $0.contains { $0.contains(shown) } }
    }
}
