import Foundation
import Testing

/// Who only reads costs nothing.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct RestTests {
    @Test func `Kedge at rest never wakes`() throws {
        // While an index is made there is something to do.
        _ = try Program.kedge("index", "--archive", Program.demo)
        let tmux = try Tmux(
            columns: 80, rows: 24, command: "\"$KEDGE\" open --archive '\(Program.demo)' general --at m-001500")
        try tmux.waitUntil("opened") { $0.last?.contains("general/m-001500") == true }
        let process = try #require(try OneFrameTests.process(on: tmux.ask("#{pane_tty}")))
        // What is on its way comes soon; a timer would go on.
        let deadline = Date(timeIntervalSinceNow: 60)
        var last = try Self.sleeps(of: process)
        var since = Date()
        while Date().timeIntervalSince(since) < 3 {
            let sleeps = try Self.sleeps(of: process)
            if sleeps != last { (last, since) = (sleeps, Date()) }
            guard Date() < deadline else {
                Issue.record("no three seconds of sleep within a minute: \(sleeps)")
                return
            }
            // Asking tmux takes a while, too.
            _ = try tmux.ask("#{pane_tty}")
        }
    }

    /// How often each thread has gone to sleep by itself.
    private static func sleeps(of process: pid_t) throws -> [String: String] {
        let folder = "/proc/\(process)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: threads.map { thread in
                let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
                return (
                    thread, status.split(separator: "\n").first { $0.hasPrefix("voluntary") }.map(String.init) ?? ""
                )
            })
    }
}
