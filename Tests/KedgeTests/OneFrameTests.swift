import Foundation
import Testing

/// However much is waiting, it is taken in before one frame is drawn.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct OneFrameTests {
    @Test func `Sixty waiting keys give one frame, with the screen after the last one`() throws {
        // Without job control the shell does not notice that the program is stopped.
        let tmux = try Tmux(
            columns: 80, rows: 24,
            command: "set +m; \"$KEDGE\" open --archive '\(Program.demo)' general --at m-001500")
        let opened = try tmux.waitUntilStill("opened") { $0.last?.contains("general/m-001500") == true }
        let process = try #require(try Self.process(on: tmux.ask("#{pane_tty}")))
        let recording = FileManager.default.temporaryDirectory.appending(path: "kedge-frames-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: recording) }
        kill(process, SIGSTOP)
        try Self.waitUntil("stopped") { Self.state(of: process) == "T" }
        try tmux.record(to: recording.path)
        // They stay among the messages of the first page: another page would be a frame of its own.
        try tmux.type(letters: String(repeating: "j", count: 12) + String(repeating: "kj", count: 24))
        // tmux has written the letters to the terminal before it replies to another client.
        _ = try tmux.ask("#{pane_tty}")
        kill(process, SIGCONT)
        let screen = try tmux.waitForChange(from: opened, ofLastRow: true)
        // The mark of the selected message is in every frame, once a row of it.
        let wanted = screen.joined().count { $0 == "▌" }
        func marks() -> Int { (try? String(contentsOf: recording, encoding: .utf8))?.count { $0 == "▌" } ?? 0 }
        try Self.waitUntil("recorded") { marks() >= wanted }
        #expect(marks() == wanted)
    }

    /// The program that has the terminal.
    static func process(on tty: String) throws -> pid_t? {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").lazy.compactMap { pid_t($0) }.first { process in
            let folder = "/proc/\(process)"
            let program = try? files.destinationOfSymbolicLink(atPath: folder + "/exe")
            return program?.hasSuffix("/kedge") == true
                && (try? files.destinationOfSymbolicLink(atPath: folder + "/fd/0")) == tty
        }
    }

    private static func state(of process: pid_t) -> String? {
        let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return stat?.split(separator: ")").last?.split(separator: " ").first.map(String.init)
    }

    private static func waitUntil(_ what: String, _ condition: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while !condition() { guard Date() < deadline else { throw Tmux.Unmet(what: what) } }
    }
}
