import Foundation
import TestSupport
import Testing

/// `kedge search`, run as a shell runs it.
struct SearchCommandTests {
    private static let publicArchive =
        ProcessInfo.processInfo.environment["KEDGE_PUBLIC_ARCHIVE"] ?? Program.publicArchive

    private func search(_ arguments: String..., environment: [String: String] = [:]) throws -> Program.Result {
        try Program.run(
            Program.path, ["search", "--archive", Program.demo] + arguments,
            environment: Program.environment.merging(environment) { $1 })
    }

    private func records(_ text: String) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    @Test func `--count prints only the number of hits`() throws {
        let lines = try Program.kedge("search", "tide", "--archive", Program.demo).output.filter { $0 == "\n" }.count
        let count = try Program.kedge("search", "tide", "--count", "--archive", Program.demo)
        #expect(count.status == 0 && count.output == "\(lines)\n" && lines > 1)
        let none = try Program.kedge("search", "xylophonequartz", "--count", "--archive", Program.demo)
        #expect(none.status == 1 && none.output == "0\n")
        #expect(try Program.kedge("search", "tide", "--count", "--json", "--archive", Program.demo).status == 2)
    }

    @Test func `Hits are one a line, newest first, with link, time, sender and text`() throws {
        let result = try search("the")
        #expect(result.status == 0 && result.errors.isEmpty)
        let rows = result.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.count > 10 && rows.allSatisfy { $0.count == 4 })
        #expect(rows.allSatisfy { $0[3].lowercased().contains("the") })
        let shown = try Program.kedge("show", String(rows[3][0]), "--context", "0", "--archive", Program.demo)
        #expect(shown.output == rows[3].joined(separator: "\t") + "\n")
    }

    @Test func `The names of a message's files stand after its text`() throws {
        let hits = try search("has:file", "empty", "state").output.split(separator: "\n")
        let row = try #require(hits.first { $0.contains("\tNew version of the empty state: the title is gone.") })
        #expect(row.contains(" is gone. [") && row.hasSuffix(".png]"))
        let link = String(row.prefix { $0 != "\t" })
        let shown = try Program.kedge("show", link, "--context", "0", "--archive", Program.demo)
        #expect(shown.output == row + "\n")
    }

    @Test func `Several arguments are one query, and quotes make a phrase`() throws {
        let words = try search("the", "message")
        #expect(words.status == 0)
        #expect(try search("the message").output == words.output)
        let phrase = try search("\"the message\"")
        #expect(phrase.output.utf8.count < words.output.utf8.count)
    }

    @Test func `JSON is one array with the documented fields, one entry for each line`() throws {
        let lines = try search("the", "--in", "general").output.split(separator: "\n")
        let hits = try records(try search("the", "--in", "general", "--json").output)
        #expect(hits.count == lines.count)
        #expect(hits.allSatisfy { Set($0.keys) == ["link", "conversation", "id", "at", "from", "name", "text"] })
        #expect(hits.allSatisfy { $0["conversation"] as? String == "general" })
        #expect(hits.first?["link"] as? String == lines.first?.split(separator: "\t").first.map(String.init))
    }

    @Test func `A filter with a typing error that leaves out nothing is told beside the hits`() throws {
        let result = try search("tide", "-has:lnk")
        let all = try search("tide").output
        #expect(result.status == 0 && result.output == all)
        #expect(result.errors == "kedge: \"-has:lnk\" leaves out these words; did you mean -has:link?\n")
    }

    @Test func `A limit takes the newest hits`() throws {
        let all = try search("the").output.split(separator: "\n")
        #expect(try search("the", "--limit", "3").output.split(separator: "\n") == Array(all.prefix(3)))
        #expect(try records(try search("the", "--limit", "3", "--json").output).count == 3)
    }

    @Test func `Options narrow a search to one person, named by ID or name`() throws {
        let hits = try records(try search("the", "--json").output)
        let sender = try #require(hits.first { $0["from"] is String }?["from"] as? String)
        let name = try #require(hits.first { $0["from"] as? String == sender }?["name"] as? String)
        for from in [sender, name, name.uppercased()] {
            let own = try records(try search("the", "--from", from, "--json").output)
            #expect(own.count == hits.count { $0["from"] as? String == sender }, "\(from)")
        }
    }

    @Test func `Options narrow a search to some days, including the last one`() throws {
        let hits = try records(try search("the", "--in", "general", "--json").output)
        let days = Set(hits.compactMap { ($0["at"] as? String)?.prefix(10) }).sorted().map(String.init)
        let (first, last) = (days[days.count / 3], days[days.count / 2])
        let some = try records(
            try search("the", "--in", "general", "--since", first, "--until", last, "--json").output)
        let expected = hits.filter { (first...last).contains(String(($0["at"] as? String ?? "").prefix(10))) }
        #expect(some.map { $0["id"] as? String } == expected.map { $0["id"] as? String } && !some.isEmpty)
    }

    @Test(arguments: [
        (["xylophonequartz"], 1, "nothing found for xylophonequartz", ""),
        (["xylophonequartz", "--json"], 1, "nothing found", "[]\n"),
        (["the", "--from", "nobodyatall"], 1, "nobody here is called \"nobodyatall\"", ""),
        (["the", "--in", "genral"], 1, "there is no conversation \"genral\"; did you mean \"general\"?", ""),
        (["the", "from:nobodyatall"], 1, "nobody here is called \"nobodyatall\"", ""),
        (["the", "from:nobo*"], 1, "nothing found for the from:nobo*", ""),
        (["the", "in:#genral"], 1, "there is no conversation \"genral\"; did you mean \"general\"?", ""),
        (["the", "since:banana"], 2, "since:banana: not a date; write", ""),
        (["-on:banana"], 2, "-on:banana: not a date", ""),
        (["from:", "-"], 2, "from: needs a value right after the colon", ""),
        (
            ["the", "--form", "ana"], 2, "there is no option --form; did you mean --from? (see `kedge search --help`)",
            ""
        ),
        (["the", "has:lnk"], 1, "nothing found for the has:lnk; did you mean has:link?", ""),
        (["form:ana"], 1, "nothing found for form:ana; did you mean from:ana?", ""),
        (["\"form:ana\""], 1, "nothing found for \"form:ana\"\n", ""),
        (["the", "-i"], 2, "there is no option -i; to leave out that word, write it after --", ""),
        (["--", "--xylophonequartz"], 1, "nothing found for --xylophonequartz", ""),
        (["/[a/"], 2, "/[a/ is not a valid regular expression: missing ] in \"[a\"", ""),
        (["..."], 2, "\"...\" has no word to search for", ""), ([""], 2, "has no word to search for", ""),
        (["the", "--limit", "0"], 2, "--limit", ""), (["the", "--limit", "x"], 2, "--limit", ""),
        (
            ["the", "--since", "2025-03-02", "--until", "2025-03-01"], 2,
            "--since 2025-03-02 (2025-03-02 00:00) is later than --until 2025-03-01 (2025-03-01 23:59); swap the dates",
            ""
        ),
        (
            ["the", "since:2025-03-02", "until:2025-03-01"], 2,
            "the search begins 2025-03-02 00:00 and ends 2025-03-01 23:59, which is earlier; swap the dates", ""
        ),
        (["the", "--since", "tomorrowish"], 2, "\"tomorrowish\" is not a date", ""),
        (["the", "--until", "2025-02-30"], 2, "is not a date", ""), ([], 2, "QUERY is missing", ""),
    ])
    func `An error is one line, with its exit status`(
        arguments: [String], status: Int32, complaint: String, output: String
    ) throws {
        let result = try Program.run(
            Program.path, ["search", "--archive", Program.demo] + arguments, environment: Program.environment)
        #expect(result.status == status)
        #expect(result.output == output)
        #expect(result.errors.contains(complaint), "\(result.errors)")
        #expect(result.errors.hasPrefix("kedge: ") && result.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test(arguments: [
        (["the", "from:ana"], ["the", "--from", "ana"]), (["the from:ana"], ["the", "--from", "ana"]),
        (["the", "in:#General"], ["the", "--in", "general"]),
        (["the", "since:2025-02", "until:2025-03"], ["the", "--since", "2025-02", "--until", "2025-03"]),
        (["the", "since:\"1 february 2025\""], ["the", "--since", "2025-02-01"]),
        (["after:2025-02", "the", "--in", "general"], ["the", "in:general", "--since", "2025-03-01"]),
        (["FROM:ana from:ben the", "--from", "ben"], ["the", "--from", "ben"]),
        (["has:attachment"], ["has:file"]), (["-has:link", "tide"], ["tide -has:link"]),
    ])
    func `Operators in the query equal the options, and combine with them`(query: [String], same: [String]) throws {
        let run = { (arguments: [String]) in
            try Program.run(
                Program.path, ["search", "--archive", Program.demo] + arguments, environment: Program.environment)
        }
        let result = try run(query)
        #expect(result.status == 0 && !result.output.isEmpty, "\(result.errors)")
        #expect(result.output == (try run(same).output))
    }

    @Test func `The user is found as me, in the query and as an option`() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "kedge-me-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        try FileManager.default.createDirectory(at: home.appending(path: "kedge"), withIntermediateDirectories: true)
        try "me = \"ben\"\n".write(to: home.appending(path: "kedge/config.toml"), atomically: true, encoding: .utf8)
        let environment = Program.environment.merging(["XDG_CONFIG_HOME": home.path]) { $1 }
        let run = { (arguments: String...) in
            try Program.run(
                Program.path, ["search", "--archive", Program.demo, "tide"] + arguments, environment: environment
            ).output
        }
        // The name of another person has the word "ben", too.
        let own = try run("from:\"Ben Okafor\"")
        #expect(!own.isEmpty)
        #expect(try run("from:ben") != own)
        #expect(try run("from:me") == own)
        #expect(try run("--from", "me") == own)
    }

    @Test func `No hit contains a negated word, and every other match is a hit`() throws {
        let all = try records(try search("tide", "--json").output).map { $0["link"] as? String }
        let without = try records(try search("tide", "-harbour", "--json").output)
        let with = try records(try search("tide harbour", "--json").output).map { $0["link"] as? String }
        #expect(
            !without.contains { ($0["text"] as? String ?? "").lowercased().split(separator: " ").contains("harbour") })
        #expect(Set(without.map { $0["link"] as? String }).union(with) == Set(all) && !without.isEmpty && !with.isEmpty)
    }

    @Test func `A file that must not be read does not hide the other hits`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-search-\(UUID().uuidString)")
        try FileManager.default.copyItem(atPath: Program.demo, toPath: folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }
        let segment = folder.appending(path: "conversations/dev/messages-000001.jsonl").path
        try FileManager.default.removeItem(atPath: segment)
        try FileManager.default.createSymbolicLink(atPath: segment, withDestinationPath: segment)
        let result = try Program.kedge("search", "the", "--archive", folder.path, "--json")
        #expect(result.status == 3)
        #expect(result.errors.contains("dev/messages-000001.jsonl"))
        #expect(try !records(result.output).isEmpty)
    }

    @Test func `No text of a message reaches the terminal as a control`() throws {
        for json in [[], ["--json"]] {
            for word in ["a*", "t*", "e*", "m*"] {
                let result = try Program.run(
                    Program.path, ["search", word, "--in", "dev", "--archive", Program.demo] + json,
                    environment: Program.environment)
                let controls = result.output.unicodeScalars.filter {
                    $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
                }
                #expect(result.status == 0 && controls.isEmpty)
            }
        }
    }

    @Test func `On a terminal hits are in columns and in colour, but not with NO_COLOR`() throws {
        for (setting, isColored) in [([:], true), (["NO_COLOR": "1"], false)] {
            let tmux = try Tmux(
                columns: 120, rows: 20, environment: setting,
                command: "\"$KEDGE\" search --archive '\(Program.demo)' the --in general --limit 5; echo d\"\"one")
            let screen = try tmux.waitUntilStill("done") { $0.contains { $0.hasPrefix("done") } }
            #expect(try tmux.hasColors() == isColored)
            let rows = screen.filter { $0.hasPrefix("general/") && $0.contains(":") }
            #expect(rows.count == 5)
            let times = rows.compactMap { $0.firstRange(of: "  20")?.lowerBound.utf16Offset(in: $0) }
            #expect(times.count == 5 && Set(times).count == 1)
        }
    }

    @Test(arguments: [(100, 36), (50, 4)])
    func `On a terminal hits are wrapped between words`(columns: Int, indent: Int) throws {
        let archive = try ScratchArchive()
        let text =
            "Words that go on and on until they have to be broken between two of them, as nobody likes to read halves."
        try archive.write(ScratchArchive.segment, ScratchArchive.message("m-1", text) + "\n")
        try archive.write("people.json", "[]")
        let console = try Console(
            ["search", "words", "--archive", archive.path], columns: columns, rows: 30,
            environment: ["NO_COLOR": "1", "TZ": "UTC"])
        #expect(try console.status() == 0)
        let lines = console.text.split(whereSeparator: \.isNewline).map(String.init)
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= columns }, "\(lines)")
        let words = lines.flatMap { $0.split(separator: " ").map(String.init) }
        #expect(words.suffix(22) == text.split(separator: " ").map(String.init)[...], "\(lines)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: indent)) }, "\(lines)")
    }

    @Test func `A slow, failing store is waited for, and its failure is reported`() throws {
        let slow = try search("the", "--limit", "1", environment: ["KEDGE_SIMULATE": "latency:50ms"])
        #expect(slow.status == 0)
        let failing = try search("the", environment: ["KEDGE_SIMULATE": "failures:1"])
        #expect(failing.status == 3 && failing.errors.contains("the simulated line failed"))
    }

    /// The other 180 queries of the comparison are made in process, see PublicSearchTests.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: publicArchive + "/archive.json"),
            "there is no public archive; KEDGE_PUBLIC_ARCHIVE may name one"),
        .timeLimit(.minutes(30)))
    func `20 random words and phrases give exactly the hits of an independent reader`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let plain = try PlainSearch.shared(Self.publicArchive)
        for query in plain.queries(20, &random) {
            let result = try Program.kedge("search", query.typed, "--json", "--archive", Self.publicArchive)
            let links = try records(result.output).map { $0["link"] as? String ?? "" }
            let expected = plain.links(query.phrases)
            let difference = zip(links, expected).first { $0 != $1 }
            #expect(links.count == expected.count && difference?.0 == difference?.1, "seed \(seed): \(query)")
            #expect(result.status == 0 && !links.isEmpty, "seed \(seed): \(query)")
        }
    }
}
