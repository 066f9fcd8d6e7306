import Foundation
import Testing

/// What becomes of what somebody wrote when something is in the way.
@Suite(.timeLimit(.minutes(30)))
struct UnluckyEndTests {
    private let archive: ScratchArchive

    init() throws { archive = try ScratchArchive() }

    @Test(arguments: [">/dev/full", ">&-", "| true", "</dev/null >/dev/full 2>&-", "<&- >&-"])
    func `A message that was sent counts as sent, even if its link cannot be printed`(end: String) throws {
        let before = try archive.records().count
        let result = try archive.shell(
            "{ \"$KEDGE\" send general hello; echo $? > \"$KEDGE_ARCHIVE/status\"; } \(end)", by: "/bin/bash")
        #expect(try String(contentsOfFile: archive.path + "/status", encoding: .utf8) == "0\n", "\(result)")
        #expect(try archive.records().count == before + 1)
        if end == ">/dev/full" {
            #expect(result.errors.hasPrefix("kedge: the message was sent, as general/0"))
            #expect(result.errors.hasSuffix(", but cannot write to stdout: No space left on device\n"))
        }
        for name in try archive.names("conversations/general") where name != "messages-000001.jsonl" {
            Issue.record("\(name) is new")
        }
    }

    @Test(arguments: ["list", "show general/m-1", "search hello", "stats general"])
    func `A command whose output cannot be written says so`(command: String) throws {
        let result = try archive.shell("\"$KEDGE\" \(command) >/dev/full")
        #expect(result.status == 1)
        #expect(result.errors == "kedge: cannot write to stdout: No space left on device\n")
    }

    /// With a state folder of its own, and the index in another.
    private func open(_ state: String, shell: String = "exec \"$@\"") throws -> Console {
        let console = try Console(
            ["open", "--archive", archive.path, "general"], columns: 100, rows: 20,
            environment: ["XDG_STATE_HOME": state, "TMPDIR": archive.path + "/tmp"], shell: shell)
        try console.wait("opened") { console.text.contains("\u{1B}[?2004h") }
        return console
    }

    private func rescued(_ folder: String) -> [String] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.contains("rescued")
        }
        return names.compactMap { try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
    }

    @Test func `A draft that a held lock keeps from being saved is put elsewhere, and that is reported`() throws {
        let state = archive.path + "/state"
        try archive.write("state/kedge/drafts.json.lock", "")
        let lock = Glibc.open(state + "/kedge/drafts.json.lock", O_RDWR)
        try #require(flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let console = try open(state)
        console.type("izqzq is what I wrote")
        try console.wait("written") { console.text.contains("what I wrote") }
        kill(console.process, SIGTERM)
        #expect(try console.status() >> 8 & 0xFF == 143)
        let end = console.text.components(separatedBy: "\u{1B}[?1049l").last ?? ""
        #expect(end.contains("your draft is in \(state)/kedge/kedge-rescued-"), "\(end)")
        #expect(rescued(state + "/kedge") == ["[general]\nzqzq is what I wrote\n"])
    }

    @Test func `A draft for which there is no room is put elsewhere, or at last on stderr`() throws {
        try archive.write("tmp/none", "")
        // No file may grow, as on a full disk.
        for (limit, place) in [("ulimit -f 0; exec \"$@\"", "stderr")] {
            let state = archive.path + "/state-\(place)"
            let console = try open(state, shell: limit)
            console.type("izqzq is what I wrote")
            try console.wait("written") { console.text.contains("what I wrote") }
            kill(console.process, SIGTERM)
            #expect(try console.status() >> 8 & 0xFF == 143)
            let end = console.text.components(separatedBy: "\u{1B}[?1049l").last ?? ""
            #expect(
                end.contains("what you were writing:\r\nkedge: [general]\r\nkedge: zqzq is what I wrote\r\n"), "\(end)")
        }
        // A state folder that is none.
        try archive.write("state-file", "")
        let console = try open(archive.path + "/state-file")
        console.type("izqzq is what I wrote")
        try console.wait("written") { console.text.contains("what I wrote") }
        kill(console.process, SIGTERM)
        #expect(try console.status() >> 8 & 0xFF == 143)
        #expect(console.text.contains("your draft is in \(archive.path)/tmp/kedge-rescued-"))
        #expect(rescued(archive.path + "/tmp") == ["[general]\nzqzq is what I wrote\n"])
    }

    @Test func `No error text of Swift reaches the user`() throws {
        // Files may grow to some thousand bytes only: no index can be made anywhere.
        for limit in [0, 1, 8, 16, 24, 32, 64, 128] {
            for command in ["list", "stats general", "index", "search hello", "index --rebuild"] {
                let result = try archive.shell(
                    "ulimit -f \(limit); (XDG_CACHE_HOME=\(archive.path)/cache-\(limit) \"$KEDGE\" \(command) 2>&1) | cat",
                    by: "/bin/dash")
                #expect(!result.output.contains("Error("), "\(limit) \(command): \(result.output)")
                #expect(!result.output.contains("SQLITE_"), "\(limit) \(command): \(result.output)")
            }
        }
    }

    @Test func `Without a home no file is put where others can read it, and everything else works`() throws {
        let nobody = "env -u HOME -u XDG_STATE_HOME -u XDG_CACHE_HOME -u XDG_RUNTIME_DIR"
        // An account that the system does not know has no home there either.
        let account = geteuid() == 0 ? "setpriv --reuid=54321 --regid=54321 --clear-groups" : ""
        guard geteuid() == 0, try archive.shell("\(account) test -x \"$KEDGE\"").status == 0 else {
            return print("Not tried: nobody else may run \(Program.path).")
        }
        try archive.shell("chmod -R a+rX \(archive.path) \"$(dirname \(archive.path))\"")
        for command in ["list", "show general/m-1", "search hello", "stats general"] {
            let result = try archive.shell("\(nobody) TMPDIR=/nowhere \(account) \"$KEDGE\" \(command)")
            #expect(result.status == 0, "\(command): \(result)")
            #expect(!result.output.isEmpty, "\(command): \(result)")
        }
        for path in ["/tmp/kedge", "/tmp/.local", "/tmp/.cache", "/tmp/.config"] {
            #expect(!FileManager.default.fileExists(atPath: path), "\(path)")
        }
    }
}
