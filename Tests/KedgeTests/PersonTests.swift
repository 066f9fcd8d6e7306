import Foundation
import Testing

/// Who one is: an ID or a name of somebody in the archive, or on purpose somebody new.
@Suite(.timeLimit(.minutes(30)))
struct PersonTests {
    private let archive: ScratchArchive

    init() throws {
        archive = try ScratchArchive()
        try archive.write(
            "people.json",
            #"""
            [{"id":"ana","name":"Ana Ruiz"},{"id":"ben","name":"Ben Okafor"},{"id":"noor","name":"Noor Al-Hashimi"},
             {"id":"sam1","name":"Sam Lee"},{"id":"sam2","name":"sam  lee"},{"id":"Sam Lee 3","name":"Lukasz Wójcik"},
             {"id":"eve","name":"Eve\u001b[31m Mallory"}]
            """#)
        try archive.write(
            "conversations/general/conversation.json", #"{"id":"general","title":"General","members":["mei"]}"#)
    }

    private func sender() throws -> String? { try archive.lastRecord()["from"] as? String }

    private func config(_ text: String) throws -> [String: String] {
        try archive.write("config/kedge/config.toml", text)
        return ["XDG_CONFIG_HOME": archive.path + "/config"]
    }

    @Test(arguments: [
        ("ben", "ben"), ("Ben Okafor", "ben"), ("ben okafor", "ben"), ("BEN", "ben"), (" Ben  Okafor ", "ben"),
        ("Sam Lee 3", "Sam Lee 3"), ("lukasz wojcik", "Sam Lee 3"), ("sam2", "sam2"), ("mei", "mei"), ("Mei", "mei"),
    ])
    func `An ID or the name of one person is that person`(name: String, id: String) throws {
        let sent = try archive.kedge("send", "general", "hello", "--as", name)
        #expect(sent.status == 0 && sent.errors.isEmpty, "\(sent)")
        #expect(try sender() == id)
        let environment = try config("me = \"\(name)\"\n")
        #expect(try archive.kedge(["send", "general", "hello"], environment: environment).status == 0)
        #expect(try sender() == id)
    }

    @Test(arguments: [
        (
            "nobody",
            "nobody in this archive is called \"nobody\"; did you mean Noor Al-Hashimi (noor)? Add --new-person to write "
                + "as a new person"
        ),
        (
            "Okafr",
            "nobody in this archive is called \"Okafr\"; did you mean Ben Okafor (ben)? Add --new-person to write as "
                + "a new person"
        ),
        ("qqqqqqq", "nobody in this archive is called \"qqqqqqq\"; add --new-person to write as a new person"),
        ("sam lee", "\"sam lee\" may be Sam Lee (sam1), sam  lee (sam2); use the ID in parentheses"),
    ])
    func `A name of nobody or of several people is refused, with the people it may mean`(
        name: String, complaint: String
    )
        throws
    {
        let before = try archive.log()
        for command in [["send", "general", "hello"], ["list"], ["open", "general"]] {
            let result = try archive.kedge(command + ["--as", name])
            #expect(result.status == 2 && result.output.isEmpty)
            #expect(result.errors == "kedge: \(complaint)\n")
        }
        #expect(try archive.log() == before)
    }

    @Test func `Names in a refusal never act on the terminal`() throws {
        let result = try archive.kedge("send", "general", "hello", "--as", "ev\u{9B}e\u{202E}x")
        #expect(result.status == 2)
        let near = try archive.kedge("list", "--as", "mallory")
        #expect(near.errors.contains("(eve)") && !near.errors.contains("\u{1B}"))
    }

    @Test func `A new person is created on purpose, and known from the first message on`() throws {
        #expect(try archive.kedge("send", "general", "hello", "--as", "zoë").status == 2)
        #expect(try archive.kedge("send", "general", "hello", "--as", "zoë", "--new-person").status == 0)
        #expect(try sender() == "zoë")
        #expect(try archive.kedge("send", "general", "again", "--as", "zoë").status == 0)
        #expect(try archive.kedge("index").status == 0)
        #expect(try archive.kedge("send", "general", "again", "--as", "zoë").status == 0)
        #expect(try sender() == "zoë")
        let alone = try archive.kedge("send", "general", "hello", "--new-person")
        #expect(alone.status == 2 && alone.errors.hasPrefix("kedge: --new-person needs an ID"))
    }

    @Test func `A person who is unknown to the archive reads without a name, and cannot write`() throws {
        let environment = try config("# mine\nme = \"nobody\"\n")
        let problem =
            "kedge: \(archive.path)/config/kedge/config.toml:2: me: nobody in this archive is called \"nobody\"; did you mean "
            + "Noor Al-Hashimi (noor)? "
        for command in [["list"], ["search", "hello"]] {
            let result = try archive.kedge(command, environment: environment)
            #expect(result.status == 0 && !result.output.isEmpty)
            #expect(result.errors == problem + "Until you correct it, Kedge does not know who you are\n")
        }
        let before = try archive.log()
        let sent = try archive.kedge(["send", "general", "hello"], environment: environment)
        #expect(sent.status == 2 && sent.output.isEmpty)
        #expect(sent.errors == problem + "Correct it, or use --as ID\n")
        #expect(try archive.log() == before)
        #expect(try archive.kedge(["send", "general", "hello", "--as", "ben"], environment: environment).status == 0)
    }

    @Test func `Each archive of the config may have a person of its own, by its name and by its path`() throws {
        let environment = try config(
            "me = \"ben\"\n[archives.home]\npath = \"\(archive.path)\"\nme = \"Noor Al-Hashimi\"\n")
        for name in ["home", archive.path] {
            let sent = try Program.run(
                Program.path, ["send", "--archive", name, "general", "hello"],
                environment: Program.environment.merging(environment) { $1 })
            #expect(sent.status == 0, "\(sent)")
            #expect(try sender() == "noor")
        }
        let rows = try archive.kedge(["config"], environment: environment).output.split(separator: "\n")
        let place = archive.path + "/config/kedge/config.toml:4"
        #expect(rows.contains("me\tNoor Al-Hashimi\t\(place): archives.home.me"), "\(rows)")
        #expect(rows.contains("archives.home.me\tNoor Al-Hashimi\t\(place)"))
    }

    @Test(arguments: [
        ("colour = 1\n", "config.toml:1: unknown setting colour; ignored"),
        ("[[[\n", "config.toml:1: this is not TOML"),
        ("me = \"nobody\"\n", "config.toml:1: me: nobody in this archive is called \"nobody\""),
    ])
    func `A mistake in the config is in the status line until the next key`(text: String, problem: String) throws {
        let environment = try config(text)
        let tmux = try Tmux(
            columns: 120, rows: 16, environment: environment,
            command: "\"$KEDGE\" open --archive '\(archive.path)' general")
        let screen = try tmux.waitUntilStill("told") { $0.last?.contains(problem) == true }
        #expect(screen.contains { $0.contains("hello") })
        #expect(try tmux.stillScreen().last?.contains(problem) == true)
        try tmux.press("k")
        try tmux.waitUntil("as ever") { screen in
            screen.last?.contains("search") == true && screen.last?.contains(problem) == false
        }
    }
}
