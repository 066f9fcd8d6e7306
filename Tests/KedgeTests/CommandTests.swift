import ArgumentParser
import Foundation
import Testing
import Usage

@testable import kedge

/// The commands that print, run as a shell runs them.
struct CommandTests {
    @Test func `list names each conversation with its count, newest first`() throws {
        let result = try Program.kedge("list", "--archive", Program.demo)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let rows = result.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.allSatisfy { $0.count == 5 })
        #expect(rows.first.map { Array($0.prefix(3)) } == ["general", "3300", "0"])
        #expect(rows.last.map { Array($0) } == ["empty", "0", "0", "", "Empty"])
        let times = rows.map { $0[3] }
        #expect(times == times.sorted(by: >))
    }

    @Test func `list as JSON has times in UTC`() throws {
        let result = try Program.kedge("list", "--archive", Program.demo, "--json", environment: ["TZ": "Asia/Tokyo"])
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        let welcome = try #require(rows.first { $0["id"] as? String == "welcome" })
        #expect(welcome["count"] as? Int == 1)
        #expect(welcome["unread"] as? Int == 0)
        #expect((welcome["last"] as? String)?.hasSuffix("Z") == true)
        #expect(welcome["first"] as? String == welcome["last"] as? String)
    }

    @Test func `show prints the message among its neighbours, one a line`() throws {
        let result = try Program.kedge("show", "general/m-001500", "--context", "2", "--archive", Program.demo)
        #expect(result.status == 0)
        let rows = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(rows.count == 5)
        #expect(rows.allSatisfy { $0.count == 4 })
        #expect(rows[2][0] == "general/m-001500")
    }

    @Test func `show as JSON has all facts about the message`() throws {
        let result = try Program.kedge(
            "show", "general/m-001500", "--context", "0", "--json", "--archive", Program.demo)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        let message = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(message["edited"] as? Bool == true)
        #expect((message["reactions"] as? [[String: Any]])?.count == 3)
        #expect((message["text"] as? String)?.contains("```python\n") == true)
    }

    @Test func `show in another zone prints its local time`() throws {
        let link = ["show", "general/m-001500", "--context", "0", "--archive", Program.demo]
        let utc = try Program.run(Program.path, link, environment: Program.environment)
        var environment = Program.environment
        environment["TZ"] = "Asia/Tokyo"
        let tokyo = try Program.run(Program.path, link, environment: environment)
        #expect(utc.output.contains("2025-01-15 07:19"))
        #expect(tokyo.output.contains("2025-01-15 16:19"))
    }

    @Test func `show of hostile texts prints no control characters`() throws {
        for number in 1_340...1_358 {
            for json in [[], ["--json"]] {
                let arguments = ["show", "dev/m-00\(number)", "--context", "0", "--archive", Program.demo] + json
                let result = try Program.run(Program.path, arguments, environment: Program.environment)
                #expect(result.status == 0)
                let controls = result.output.unicodeScalars.filter {
                    $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
                }
                #expect(controls.isEmpty)
            }
        }
    }

    @Test func `show of a reply in a thread shows its root before it`() throws {
        let archive = try Program.kedge(
            "show", "general/m-000273", "--context", "0", "--json", "--archive", Program.demo)
        #expect(archive.status == 0)
        let lines = try String(
            contentsOfFile: Program.demo + "/conversations/general/messages-000001.jsonl", encoding: .utf8)
        let reply = try #require(lines.split(separator: "\n").first { $0.contains("\"thread\":\"m-000273\"") })
        let id = reply.split(separator: "\"")[7]
        let result = try Program.kedge("show", "general/\(id)", "--context", "1", "--archive", Program.demo)
        let links = result.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(links.count == 4)
        #expect(links[1] == "general/m-000273")
        #expect(links[2] == "general/\(id)")
    }

    @Test(arguments: [
        "general/m-000010..m-000012", "general/m-000012..m-000010", "general/m-000010..general/m-000012",
        "General/m-000010..m-000012",
    ])
    func `show prints a range of messages, in the order of the conversation`(link: String) throws {
        let result = try Program.kedge("show", link, "--archive", Program.demo)
        let links = result.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(links.first == "general/m-000010" && links.last == "general/m-000012", "\(result)")
        #expect(links.count == Set(links).count && links.count <= 3)
    }

    @Test(arguments: [
        ("m-001502..m-001510", [1502, 1503] + Array(1504...1510)), ("m-001505..m-001507", [1505, 1506, 1507]),
        ("m-001507..m-001505", [1505, 1506, 1507]), ("m-001506..m-001510", Array(1503...1510)),
    ])
    func `A range has the replies in threads, too`(range: String, numbers: [Int]) throws {
        let result = try Program.kedge("show", "general/\(range)", "--archive", Program.demo)
        let links = result.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(links.filter { $0 < "general/m-001511" } == numbers.map { "general/m-00\($0)" }, "\(result)")
    }

    @Test(arguments: [
        ("general/m-000010..m-nowhere", 1, "there is no message \"m-nowhere\""),
        ("general/m-000010..dev/m-000012", 2, "both messages of a range must be in one conversation"),
        ("general/..m-000012", 2, "names no message"), ("general..m-000012", 2, "names no message"),
    ])
    func `A range without two messages of one conversation is an error`(
        link: String, status: Int32, complaint: String
    ) throws {
        let result = try Program.kedge("show", link, "--archive", Program.demo)
        #expect(result.status == status && result.errors.contains(complaint), "\(result)")
    }

    @Test func `show prints a range as text, as Markdown and as JSON`() throws {
        func show(_ options: String...) throws -> Program.Result {
            try Program.run(
                Program.path, ["show", "general/m-001500..m-001502", "--archive", Program.demo] + options,
                environment: Program.environment)
        }
        #expect(try show("--format", "text").output.contains("Ana Ruiz: "))
        #expect(try show("--format", "markdown").output.contains("**Ana Ruiz** _"))
        let json = try show("--format", "json").output
        #expect(json.hasPrefix("[{"))
        #expect(try show("--json").output == json)
        #expect(try show("--json", "--format", "text").status == 2)
        #expect(try show("--format", "pdf").status == 2)
    }

    @Test func `show prints as many messages as it is asked for, however long they are`() throws {
        let archive = try ScratchArchive()
        let text = String(repeating: "x", count: 60_000)
        try archive.write(
            ScratchArchive.segment,
            (100..<160).map { ScratchArchive.message("m-\($0)", text) + "\n" }.joined())
        func ids(_ arguments: String...) throws -> [String] {
            let result = try Program.run(
                Program.path, ["show"] + arguments + ["--archive", archive.path], environment: Program.environment)
            #expect(result.status == 0)
            return result.output.split(separator: "\n").map { line in
                String(line.split(separator: "\t")[0].split(separator: "/")[1])
            }
        }
        #expect(try ids("general", "--last", "50") == (110..<160).map { "m-\($0)" })
        #expect(try ids("general", "--last", "100") == (100..<160).map { "m-\($0)" })
        #expect(try ids("general/m-130", "--context", "25") == (105...155).map { "m-\($0)" })
        #expect(try ids("general/m-101", "--context", "25") == (100...126).map { "m-\($0)" })
    }

    @Test func `show prints the last messages of a conversation`() throws {
        let all = try Program.kedge("export", "dev", "--archive", Program.demo, "--format", "jsonl")
        #expect(all.status == 0)
        for (arguments, count) in [([], 20), (["--last", "3"], 3)] {
            let result = try Program.run(
                Program.path, ["show", "Development", "--archive", Program.demo] + arguments,
                environment: Program.environment)
            let links = result.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
            #expect(links.count == count, "\(result)")
            let last = try #require(links.last).split(separator: "/")[1]
            let context = try Program.kedge(
                "show", "dev/\(last)", "--context", "\(count - 1)", "--archive", Program.demo)
            #expect(context.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) } == links)
        }
    }

    @Test func `The name of an archive that there is not is answered with those that there are`() throws {
        let archive = try ScratchArchive()
        try archive.write("config/kedge/config.toml", "[archives]\nwork = \"\(archive.path)\"\nirc = \"/x\"\n")
        let environment = ["XDG_CONFIG_HOME": archive.path + "/config"]
        let near = try Program.kedge("list", "--archive", "wrok", environment: environment)
        #expect(near.status == 3 && near.errors == "kedge: there is no archive \"wrok\"; did you mean \"work\"?\n")
        let far = try Program.kedge("list", "--archive", "elsewhere", environment: environment)
        #expect(
            far.status == 3 && far.errors == "kedge: there is no archive \"elsewhere\"; config.toml names irc, work\n")
    }

    @Test func `show reads an ID with two dots as one message`() throws {
        let archive = try ScratchArchive()
        try archive.write(
            ScratchArchive.segment, ["a", "b", "a..b"].map { ScratchArchive.message($0, "text") + "\n" }.joined())
        #expect(try archive.kedge("show", "general/a..b", "--context", "0").output.hasPrefix("general/a..b\t"))
        #expect(try archive.kedge("show", "general/a..a..b").output.filter { $0 == "\n" }.count == 3)
    }

    @Test(arguments: [false, true])
    func `Each command that skips a segment prints the rest, and ends as for one that cannot be read`(isIndexed: Bool)
        throws
    {
        let archive = try ScratchArchive()
        try archive.write("people.json", "[]")
        if isIndexed { #expect(try archive.kedge("index").status == 0) }
        try archive.write("conversations/general/messages-000002.jsonl/a", "")
        let line = "kedge: general/messages-000002.jsonl: not a regular file; it is skipped\n"
        for command in [
            ["show", "general/m-1"], ["search", "hello"], ["search", "hello", "--count"], ["export", "general"],
            ["stats", "general"], ["list"], ["index"],
        ] {
            let result = try archive.kedge(command)
            #expect(result.status == 3 && result.errors == line, "\(command): \(result)")
            #expect(!result.output.isEmpty || command == ["index"])
        }
    }

    @Test(arguments: [false, true])
    func `A line that cannot be read is told by each command that reads its conversation`(isIndexed: Bool) throws {
        let archive = try ScratchArchive()
        try archive.write("people.json", "[]")
        if isIndexed { #expect(try archive.kedge("index").status == 0) }
        try archive.write(ScratchArchive.segment, try archive.log() + "broken {\n")
        let line = "kedge: general/messages-000001.jsonl:3: not valid JSON; the line is skipped\n"
        for command in [
            ["show", "general/m-1"], ["search", "hello"], ["search", "hello", "--in", "general"],
            ["export", "general"],
            ["stats", "general"], ["index"], ["list"],
        ] {
            let result = try archive.kedge(command)
            #expect(result.status == 0 && result.errors == line, "\(command): \(result)")
        }
        let check = try archive.kedge("index", "--check")
        #expect(check.status == 1 && check.errors.hasPrefix(line), "\(check)")
        #expect(check.output.contains("the index is correct") && check.errors.contains("it skips lines of the archive"))
    }

    @Test func `config prints each setting with its origin`() throws {
        let archive = try ScratchArchive()
        try archive.write(
            "config/kedge/config.toml", "[notify]\nbell = true\n[archives.work]\npath = \"\(archive.path)\"\n")
        let environment = ["XDG_CONFIG_HOME": archive.path + "/config", "TZ": "UTC"]
        let result = try archive.kedge(["config"], environment: environment)
        let lines = result.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        let file = archive.path + "/config/kedge/config.toml"
        for line in [
            ["me", "ana", "archive"], ["notify.bell", "true", file + ":2"], ["notify.desktop", "false", "default"],
            ["archives.work.path", archive.path, file + ":4"], ["zone", "UTC", "TZ"],
            ["config", file, "XDG_CONFIG_HOME"],
        ] {
            #expect(lines.contains { $0.map(String.init) == line }, "\(line): \(result.output)")
        }
        #expect(lines.first?.last == "KEDGE_ARCHIVE")
        let named = try Program.kedge("show", "work:general/m-1", environment: environment)
        #expect(named.output.hasPrefix("general/m-1\t"), "\(named)")
    }

    @Test func `list takes the path or the name of an archive, and search the name in --in`() throws {
        let archive = try ScratchArchive()
        try archive.write("config/kedge/config.toml", "[archives.work]\npath = \"\(archive.path)\"\n")
        let environment = ["XDG_CONFIG_HOME": archive.path + "/config"]
        for place in ["work", archive.path] {
            let list = try Program.kedge("list", place, environment: environment)
            #expect(list.status == 0 && list.output.hasPrefix("general\t"), "\(list)")
        }
        let message = try Program.kedge("show", "work:general/m-1", environment: environment).output
        let word = try #require(message.split(separator: "\t").last?.split(separator: " ").first).lowercased()
        let search = try Program.kedge("search", word, "--in", "work:general", environment: environment)
        #expect(search.status == 0 && search.output.contains("general/m-1\t"), "\(search)")
        let both = try Program.kedge("list", "work", "--archive", archive.path, environment: environment)
        #expect(both.status == 2 && both.errors.contains("\"work\" is one word too many"))
    }

    @Test func `config --keys says which keys were taken away`() throws {
        let archive = try ScratchArchive()
        try archive.write("config/kedge/config.toml", "[keys]\nreply = \"e\"\nmute = []\n")
        let result = try archive.kedge(
            ["config", "--keys"], environment: ["XDG_CONFIG_HOME": archive.path + "/config"])
        let rows = result.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).prefix(3).map(String.init)
        }
        let file = archive.path + "/config/kedge/config.toml"
        #expect(rows.contains(["keys.reply", "e", file + ":2"]), "\(result)")
        #expect(rows.contains(["keys.edit", "", "reassigned by [keys]"]))
        #expect(rows.contains { $0.first == "keys.quit" && $0.last == "default" })
    }

    @Test(arguments: [60, 80, 100])
    func `The help of each command fits the terminal`(columns: Int) throws {
        for command in Kedge.configuration.subcommands {
            let help = Kedge.helpMessage(for: command, columns: columns)
            let wrapped = HelpText.wrapped(help, columns: columns).split(separator: "\n")
            // Examples are not wrapped.
            for line in wrapped where !line.hasPrefix("  kedge") && !line.hasPrefix("  ") {
                #expect(line.count <= columns, "\(line)")
            }
            #expect(
                wrapped.joined(separator: " ").split(separator: " ") == help.split { $0 == " " || $0 == "\n" })
        }
    }

    @Test func `The examples of each help fit 80 columns`() {
        let commands = [Kedge.self] + Kedge.configuration.subcommands
        for line in commands.flatMap({ $0.configuration.discussion.split(separator: "\n") }) where line.hasPrefix("  ")
        {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func `A help on 80 columns is not cut`() throws {
        let help = try Program.kedge("open", "--help").output.split(separator: "\n")
        #expect(help.allSatisfy { $0.count <= 80 } && help.contains { $0.hasPrefix("USAGE: kedge open") })
    }

    @Test func `The version names the commit, and whether the sources were changed after it`() throws {
        #expect(Version.text(commit: 0) == "0.1.0")
        #expect(Version.text(commit: 0x3b4_b5e1 * 2) == "0.1.0 (3b4b5e1)")
        #expect(Version.text(commit: 0x000_0e1 * 2 + 1) == "0.1.0 (00000e1, changed)")
        #expect(try Program.kedge("--version").output.hasPrefix("0.1.0"))
    }

    @Test(arguments: [
        (["show", "general/nowhere"], 1, "there is no message \"nowhere\" in \"general\""),
        (["show", "genral/m-1"], 1, "there is no conversation \"genral\"; did you mean \"general\"?"),
        (["show", "general", "--context", "2"], 2, "names no message; write CONVERSATION/MESSAGE-ID"),
        (["show", "general/m-000001", "--last", "2"], 2, "--last is for a conversation"),
        (["show", "general", "--last", "0"], 2, "--last takes a number from 1 to 1,000,000"),
        (["show", "../general/m-1"], 1, "there is no conversation"),
        (["show", "general/m-000001", "--context", "-1"], 2, "--context takes a number from 0 to 1,000,000"),
        (["show", "general/m-000001", "--context", "few"], 2, "--context takes a number, not \"few\""),
        (["show", "general/m-000001", "--context"], 2, "--context takes a number, not \"--archive\""),
        (["export"], 2, "CONVERSATION is missing (see `kedge export --help`)"),
        (["list", "general"], 2, "\"general\" is one word too many"),
        (["stats", "genral"], 1, "there is no conversation \"genral\"; did you mean \"general\"?"),
        (["stats"], 2, "CONVERSATION is missing"),
        (["open", "general"], 2, "open needs a terminal"),
        (["open", "general", "--at", "m-000001", "--start"], 2, "name one place to open at"),
        (["open", "general", "--date", "tomorrowish"], 2, "\"tomorrowish\" is not a date"),
        (["open"], 2, "open needs a terminal"),
        (["open", "--start"], 2, "name the conversation, as in"),
        (["export", "general", "--format", "html"], 2, "--format takes jsonl, "),
        (["list", "--zoen", "UTC"], 2, "there is no option --zoen; did you mean --zone? (see `kedge list --help`)"),
        (["list", "--wrong"], 2, "there is no option --wrong (see `kedge list --help`)"),
        (["frobnicate"], 2, "there is no command \"frobnicate\" and no archive found"),
    ])
    func `An error is one line, with its exit status`(
        arguments: [String], status: Int32, complaint: String
    ) throws {
        let result = try Program.run(
            Program.path, arguments + (arguments[0] == "frobnicate" ? [] : ["--archive", Program.demo]),
            environment: Program.environment)
        #expect(result.status == status)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(complaint), "\(result.errors)")
        #expect(result.errors.hasPrefix("kedge: "))
        #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
    }

    @Test func `The archive is the one in the option, else the variable, else the current folder`() throws {
        #expect(try Program.kedge("list", environment: ["KEDGE_ARCHIVE": Program.demo]).status == 0)
        let bare = try Program.kedge("list", environment: ["KEDGE_ARCHIVE": ""])
        #expect(bare.status == 2)
        #expect(bare.errors.contains("No archive found. Use --archive PATH, set KEDGE_ARCHIVE, or cd into one"))
        let inside = try Program.run(
            "/bin/sh", ["-c", "cd '\(Program.demo)' && exec \"$KEDGE\" list"], environment: Program.environment)
        #expect(inside.status == 0)
        #expect(inside.output.hasPrefix("general\t"))
    }

    @Test(arguments: [
        ("/nonexistent", "/nonexistent"), ("/etc/passwd", "/etc/passwd"), ("/usr/bin", "/usr/bin"),
    ])
    func `A folder that is not an archive is named, with status 3`(path: String, named: String) throws {
        let result = try Program.kedge("list", "--archive", path)
        #expect(result.status == 3)
        #expect(result.errors.contains(named))
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test(arguments: [
        ["show", "%/m-1"], ["show", "general/%"], ["show", "%"], ["open", "%"], ["send", "%", "x"], ["stats", "%"],
        ["search", "tide", "--in", "%"], ["search", "tide", "--from", "%"], ["search", "tide", "--since", "%"],
        ["send", "general", "x", "--as", "%"], ["list", "%"], ["list", "--%"], ["show", "general/m-1", "--context=%"],
    ])
    func `An error does not repeat a long word in full`(arguments: [String]) throws {
        let word = String(repeating: "x", count: 5_000)
        let result = try Program.run(
            Program.path, arguments.map { $0.replacing("%", with: word) } + ["--archive", Program.demo],
            environment: Program.environment)
        #expect(result.status != 0)
        #expect(result.errors.contains("xxx…") && result.errors.utf8.count < 500, "\(result.errors)")
    }

    @Test func `help and version go to stdout`() throws {
        let help = try Program.kedge("--help")
        #expect(help.status == 0)
        #expect(help.output.contains("kedge general/m-001500"))
        for command in ["open", "show", "list"] {
            #expect(try Program.kedge(command, "--help").output.contains("--archive"))
        }
        #expect(try Program.kedge("--version").output == "0.1.0\n")
    }

    @Test func `An invalid simulation is reported with the valid parts`() throws {
        let result = try Program.kedge(
            "list", "--archive", Program.demo, environment: ["KEDGE_SIMULATE": "latency:fast"])
        #expect(result.status == 2)
        #expect(result.errors.contains("latency:250ms,failures:0.2,after:1,seed:7"))
    }

    /// What a library takes down at the end may be what a thread still uses, which then aborts the process. glibc tells of
    /// it (ld.so(8), LD_DEBUG).
    @Test(arguments: [(Program.demo, 0), ("/nonexistent", 3)] as [(String, Int32)])
    func `No library runs its finalizers at the end`(archive: String, status: Int32) throws {
        let result = try Program.kedge("list", "--archive", archive, environment: ["LD_DEBUG": "files"])
        #expect(result.status == status)
        #expect(result.errors.contains("calling init"))
        #expect(!result.errors.contains("calling fini"))
    }
}
