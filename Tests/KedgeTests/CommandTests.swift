import Foundation
import Testing

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
        (["show", "general/nowhere"], 1, "there is no message \"nowhere\" in \"general\""),
        (["show", "genral/m-1"], 1, "there is no conversation \"genral\"; the nearest are \"general\""),
        (["show", "general"], 2, "names no message; write CONVERSATION/MESSAGE-ID"),
        (["show", "../general/m-1"], 1, "there is no conversation"),
        (["show", "general/m-000001", "--context", "-1"], 2, "--context"),
        (["stats", "genral"], 1, "there is no conversation \"genral\"; the nearest are \"general\""),
        (["stats"], 2, "conversation"),
        (["open", "general"], 2, "open needs a terminal"),
        (["open", "general", "--at", "m-000001", "--start"], 2, "say one place to open at"),
        (["open", "general", "--date", "tomorrowish"], 2, "\"tomorrowish\" is no date"),
        (["open"], 2, "open needs a terminal"),
        (["open", "--start"], 2, "say which conversation to open there"),
        (["list", "--wrong"], 2, "Unknown option '--wrong'"),
        (["frobnicate"], 2, "frobnicate"),
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
        #expect(bare.errors.contains("which archive?"))
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
        #expect(help.output.contains("kedge open general/m-001500"))
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
