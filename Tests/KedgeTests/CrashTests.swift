import Foundation
import Testing

/// Not imported: sends a signal to one thread.
@_silgen_name("tgkill") private func tgkill(_ process: pid_t, _ thread: pid_t, _ signal: Int32) -> Int32

/// What is left behind by a program that crashes, or that is ended while its terminal takes nothing.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct CrashTests {
    static let opening = ["open", "--archive", Program.demo, "general", "--at", "m-001500"]
    /// What has to be undone, and by which bytes.
    private static let undone = [
        "\u{1B}[?1049l", "\u{1B}[?1000l", "\u{1B}[?1002l", "\u{1B}[?1006l", "\u{1B}[?2004l", "\u{1B}[?25h", "\u{1B}[m",
    ]

    private func opened(_ console: Console) throws {
        try console.wait("opened") { console.text.contains("\u{1B}[?2004h") }
    }

    private func otherThread(of process: pid_t) -> pid_t? {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.compactMap { pid_t($0) }.sorted().first { $0 != process }
    }

    private func logLine(after old: String) -> Substring { log().dropFirst(old.count) }

    private func log() -> String {
        (try? String(contentsOfFile: Program.stateFolder.path + "/kedge/kedge.log", encoding: .utf8)) ?? ""
    }

    @Test(arguments: [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS], [false, true])
    func `A crash gives the terminal back, says where the log is, and ends by its signal`(
        signal: Int32, inThread: Bool
    ) throws {
        let before = log()
        let console = try Console(CrashTests.opening, columns: 100, rows: 30)
        let settings = console.settings
        try opened(console)
        #expect(console.settings != settings)
        if inThread {
            // The first frame needs no other thread.
            try console.wait("another thread") { self.otherThread(of: console.process) != nil }
            let other = try #require(otherThread(of: console.process))
            #expect(tgkill(console.process, other, signal) == 0)
        } else {
            kill(console.process, signal)
        }
        #expect(try console.status() & 0x7F == signal)
        #expect(console.settings == settings)
        let text = console.text
        let end = text[(text.range(of: "\u{1B}[?2004h")?.upperBound ?? text.startIndex)...]
        for sequence in CrashTests.undone { #expect(end.contains(sequence), "\(sequence.debugDescription)") }
        let last = try #require(end.components(separatedBy: "\u{1B}[?1049l").last)
        #expect(last.contains("kedge: crashed (SIG"))
        #expect(last.contains("); the log is \(Program.stateFolder.path)/kedge/kedge.log\r\n"))
        #expect(last.filter { $0 == "\r\n" }.count == 1)
        #expect(logLine(after: before).contains(" critical crashed: SIG"))
    }

    /// Signals that end a program and have no handler would leave the terminal as it is.
    @Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU, 34, 64])
    func `Any other end of the program gives the terminal back`(signal: Int32) throws {
        let console = try Console(CrashTests.opening, columns: 100, rows: 30)
        let settings = console.settings
        try opened(console)
        kill(console.process, signal)
        #expect(try console.status() >> 8 & 0xFF == 128 + signal)
        #expect(console.settings == settings)
        #expect(console.text.contains("\u{1B}[?1049l"))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `A signal to end is obeyed while the terminal accepts no output`(signal: Int32) throws {
        let console = try Console(CrashTests.opening, columns: 300, rows: 100)
        let settings = console.settings
        try opened(console)
        // Nobody reads any more. More screens than the terminal keeps:
        for _ in 0..<200 where !console.isFull { console.type("\u{1B}[5~\u{C}") }
        try console.wait("full", reads: false) {
            if !console.isFull { console.type("\u{C}") }
            return console.isFull
        }
        kill(console.process, signal)
        #expect(try console.status(reads: false) >> 8 & 0xFF == 128 + signal)
        #expect(console.settings == settings)
    }

    @Test(arguments: [(32_768, 30), (65_535, 30), (100, 65_535), (65_535, 65_535), (0, 30), (100, 0), (0, 0), (1, 1)])
    func `A terminal may claim any size, at first and later`(columns: Int, rows: Int) throws {
        let first = try Console(CrashTests.opening, columns: columns, rows: rows)
        try opened(first)
        first.type("q")
        #expect(try first.status() == 0)
        let later = try Console(CrashTests.opening, columns: 80, rows: 24)
        try opened(later)
        later.resize(columns: columns, rows: rows)
        kill(later.process, SIGWINCH)
        later.type("jk\u{1B}[5~q")
        #expect(try later.status() == 0)
    }

    @Test func `LINES and COLUMNS may have any value when the terminal reports no size`() throws {
        for (lines, columns) in [("999999999", "999999999"), ("-1", "x"), ("99999999999999999999999", "")] {
            let console = try Console(
                CrashTests.opening, columns: 0, rows: 0, environment: ["LINES": lines, "COLUMNS": columns])
            try opened(console)
            console.type("q")
            #expect(try console.status() == 0)
        }
    }

    @Test func `With any small limit of open files there is one line`() throws {
        for limit in 8...64 {
            for command in [
                ["list"], ["show", "general/m-001500", "--context", "0"], ["search", "tide", "--limit", "1"],
            ] {
                let result = try Program.run(
                    "/bin/sh", ["-c", "ulimit -n \(limit); exec \"$@\"", "sh", Program.path] + command,
                    environment: Program.environment.merging(["KEDGE_ARCHIVE": Program.demo]) { $1 })
                #expect(
                    result.status == 0
                        || result.status == 3 && result.errors.contains(" open files is too low (")
                            && result.errors.filter { $0 == "\n" }.count == 1,
                    "\(limit) \(command): \(result)")
            }
        }
    }

    @Test func `Index files that are truncated while they are open end nothing`() throws {
        let archive = try ScratchArchive()
        let lines = (3...20_000).map { ScratchArchive.message("m-\($0)", "tide number \($0)") + "\n" }
        try archive.write(ScratchArchive.segment, try archive.log() + lines.joined())
        #expect(try archive.kedge("index").status == 0)
        let console = try Console(["open", "--archive", archive.path, "general"], columns: 100, rows: 30)
        try opened(console)
        try console.wait("counted") { console.text.contains("of ") }
        let cut = try archive.shell(
            "for f in \"$HOME\"/.cache/kedge/\(URL(fileURLWithPath: archive.path).lastPathComponent)*/*; do : > \"$f\"; echo \"$f\"; done"
        )
        #expect(cut.output.contains("/part-"), "\(cut)")
        for keys in ["\u{1B}[5~\u{1B}[5~", "g", "G", "/tide number 77\r", "n", "50%"] {
            console.type(keys)
            _ = console.read()
        }
        #expect(try archive.kedge("send", "general", "zqzq").status == 0)
        console.type("G")
        try console.wait("alive") { console.text.contains("zqzq") }
        console.type("q")
        #expect(try console.status() == 0, "\(console.text.suffix(500))")
    }
}
