import Foundation
import Testing

@testable import kedge

/// Text on its way into a paste buffer, with a real tmux and with programs that stand in for it.
@Suite(.timeLimit(.minutes(30)))
struct TmuxBufferTests {
    private static let text = "a 'quoted' $(text), 漢字\n\twith -w - lines\n"

    @Test func `tmux with default settings gets the exact text`() throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        let socket = try tmux.ask("#{socket_path}")
        var environment = Program.environment
        environment["TMUX"] = "\(socket),\(try tmux.ask("#{pid}")),0"
        let buffer = TmuxBuffer(environment: environment)
        for text in ["first", Self.text + String(repeating: "0123456789", count: 100_000)] {
            buffer.load(text)
            buffer.finish()
            try poll("loaded") {
                try Program.run("/usr/bin/env", ["tmux", "-u", "-S", socket, "show-buffer"]).output == text
            }
        }
    }

    @Test func `Without tmux nothing happens`() {
        let buffer = TmuxBuffer(environment: Program.environment, program: "/nowhere/tmux")
        buffer.load(Self.text)
        let start = ContinuousClock.now
        buffer.finish()
        #expect(ContinuousClock.now - start < .milliseconds(900))
    }

    @Test func `An old tmux gets the command that it knows, and no process is left`() throws {
        let fake = try Fake("[ \"$2\" = -w ] && exit 1; cat > \"$0.input\"")
        let buffer = TmuxBuffer(environment: Program.environment, program: fake.path)
        buffer.load(Self.text)
        buffer.finish()
        try poll("loaded") { fake.file("input") == Self.text }
        let runs = fake.runs
        #expect(runs.map { $0.dropFirst().joined(separator: " ") } == ["load-buffer -w -", "load-buffer -"])
        for run in runs {
            let process = try #require(run.first)
            try poll("reaped") { !FileManager.default.fileExists(atPath: "/proc/\(process)") }
        }
    }

    @Test func `A tmux that reads nothing does no harm`() throws {
        let fake = try Fake("exit 0")
        let buffer = TmuxBuffer(environment: Program.environment, program: fake.path)
        buffer.load(String(repeating: "x", count: 1 << 20))
        buffer.finish()
        try poll("asked once") { fake.runs.count == 1 }
    }

    @Test func `Kedge does not wait for a tmux that hangs`() throws {
        let fake = try Fake("exec sleep 3")
        let buffer = TmuxBuffer(environment: Program.environment, program: fake.path)
        let start = ContinuousClock.now
        buffer.load(String(repeating: "x", count: 1 << 20))
        #expect(ContinuousClock.now - start < .milliseconds(500))
        buffer.finish()
        #expect(ContinuousClock.now - start < .milliseconds(2_500))
    }

    private func poll(_ what: String, _ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !condition() {
            guard ContinuousClock.now < deadline else { throw Tmux.Unmet(what: what) }
        }
    }
}

/// A program that stands in for another: it notes its process and its arguments, and does what it is told.
final class Fake {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-fake-\(UUID().uuidString)")
    private let name: String
    var path: String { folder.appending(path: name).path }

    init(_ body: String, name: String = "tmux") throws {
        self.name = name
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = "#!/bin/sh\necho \"$$ $*\" >> \"$0.runs\"\n\(body)\n"
        // Not written by this process: a child that another test starts meanwhile would hold the file open for writing,
        // and what is open for writing cannot be run.
        _ = try Program.run("/bin/sh", ["-c", "printf %s \"$2\" > \"$1\" && chmod 700 \"$1\"", "sh", path, script])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(path).\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Process and arguments of each run.
    var runs: [[String]] {
        (file("runs") ?? "").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }
}
