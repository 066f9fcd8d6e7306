import Foundation
import Testing

/// What was read is remembered from one run to the next.
@Suite(.serialized, .timeLimit(.minutes(30)))
final class UnreadTerminalTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-unread-\(UUID().uuidString)")
    private let archive: String
    private let log: String
    private var state: String { folder.appending(path: "state").path }
    private let line = "─ new since you were here ─"

    init() throws {
        archive = folder.appending(path: "demo").path
        log = archive + "/conversations/general/messages-000001.jsonl"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Program.demo, toPath: archive)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func shell() throws -> Tmux {
        try Tmux(columns: 100, rows: 30, environment: ["XDG_STATE_HOME": state, "ARCHIVE": archive])
    }

    /// Opens, and returns the screen.
    private func open(_ place: String, in tmux: Tmux, until status: String) throws -> [String] {
        try tmux.type("clear; \"$KEDGE\" open --archive \"$ARCHIVE\" \(place); echo left $?")
        return try tmux.waitUntilStill("opened") { $0.last?.contains(status) == true }
    }

    private func quit(_ tmux: Tmux) throws {
        try tmux.press("q")
        try tmux.waitUntil("left") { $0.contains("left 0") }
    }

    private func append(_ ids: String...) throws {
        let file = try #require(FileHandle(forWritingAtPath: log))
        try file.seekToEnd()
        for id in ids {
            let text =
                #"{"type":"message","id":"\#(id)","at":"2030-03-01T09:00:00Z","from":"ben","text":"this is \#(id)"}"#
            try file.write(contentsOf: Data((text + "\n").utf8))
        }
        try file.close()
    }

    @Test func `Messages added since the last visit are below a line, once`() throws {
        let tmux = try shell()
        #expect(try !open("general", in: tmux, until: "general/").contains { $0.contains(line) })
        try quit(tmux)
        try append("new-1", "new-2")
        let before = FileManager.default.contents(atPath: log)
        let screen = try open("general", in: tmux, until: "general/new-2")
        let row = try #require(screen.firstIndex { $0.contains(line) })
        #expect(screen.count { $0.contains(line) } == 1)
        #expect(screen[row - 1].contains("1 March 2030"))
        #expect(screen[row + 1].contains("this is new-1"))
        #expect(screen[row + 2].contains("this is new-2"))
        try quit(tmux)
        #expect(try !open("general", in: tmux, until: "general/new-2").contains { $0.contains(line) })
        try quit(tmux)
        #expect(FileManager.default.contents(atPath: log) == before, "an archive is only read")
    }

    @Test func `At the first opening everything counts as read, and later only messages that were on the screen`()
        throws
    {
        let tmux = try shell()
        _ = try open("general/m-001500", in: tmux, until: "general/m-001500")
        let file = state + "/kedge/read.json"
        try waitForBaseline(tmux)
        try quit(tmux)
        try append("new-1", "new-2")
        _ = try open("general/m-001500", in: tmux, until: "general/m-001500")
        try quit(tmux)
        #expect(!FileManager.default.fileExists(atPath: file))
        let screen = try open("general", in: tmux, until: "general/new-2")
        let row = try #require(screen.firstIndex { $0.contains(line) })
        #expect(screen[row + 1].contains("this is new-1"))
        try quit(tmux)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    /// The messages that were there when the archive was first opened are noted after the first frame.
    private func waitForBaseline(_ tmux: Tmux) throws {
        try tmux.waitUntil("noted") { [state] _ in
            let files = (try? FileManager.default.contentsOfDirectory(atPath: state + "/kedge")) ?? []
            return files.contains { $0.hasPrefix("baseline-") && $0.hasSuffix(".json") }
        }
    }

    private func kedge(_ arguments: String...) throws -> Program.Result {
        let own = ["XDG_STATE_HOME": state, "KEDGE_ARCHIVE": archive]
        return try Program.run(Program.path, arguments, environment: Program.environment.merging(own) { $1 })
    }

    /// Unread and mentions of each conversation that has some.
    private func counts() throws -> [String: [Int?]] {
        let list = Data(try kedge("list", "--json").output.utf8)
        let rows = try #require(try JSONSerialization.jsonObject(with: list) as? [[String: Any]])
        var counts: [String: [Int?]] = [:]
        for row in rows where row["unread"] as? Int != 0 || row["mentions"] as? Int != 0 {
            counts[row["id"] as? String ?? ""] = [row["unread"] as? Int, row["mentions"] as? Int]
        }
        return counts
    }

    @Test
    func `A list as the first contact with an archive takes everything in it as read, and what comes later as new`()
        throws
    {
        #expect(try counts() == [:])
        #expect(try kedge("send", "--as", "ben", "general", "ana: are you there?").status == 0)
        #expect(try counts() == ["general": [1, 1]])
        #expect(try counts() == ["general": [1, 1]])
    }

    @Test func `Messages in conversations that were never opened are counted, reported and reached`() throws {
        let tmux = try shell()
        _ = try open("general", in: tmux, until: "general/")
        try waitForBaseline(tmux)
        try quit(tmux)
        #expect(try counts() == [:])
        #expect(try kedge("send", "--as", "ana", "welcome", "I begin").status == 0)
        #expect(try counts() == [:])
        #expect(try kedge("send", "--as", "ben", "welcome", "ana: are you there?").status == 0)
        #expect(try counts() == ["welcome": [1, 1]])
        _ = try open("general", in: tmux, until: "general/")
        try tmux.press("C-k")
        try tmux.waitUntil("counted") { $0.contains { $0.contains("Welcome") && $0.contains(" @1 1 new ") } }
        try tmux.press("Escape")
        try tmux.waitUntil("back") { $0.last?.contains("general/") == true }
        try tmux.press("M-a")
        let screen = try tmux.waitUntilStill("led there") { $0.last?.contains("welcome/") == true }
        let row = try #require(screen.firstIndex { $0.contains(line) })
        #expect(screen[row + 1].contains("ana: are you there?"))
        #expect(screen[..<row].contains { $0.contains("I begin") })
        try quit(tmux)
        #expect(try counts() == [:])
    }

    @Test func `A thread reply that names the user counts until the thread is opened, even in later runs`() throws {
        let tmux = try shell()
        _ = try open("general", in: tmux, until: "general/")
        try waitForBaseline(tmux)
        try quit(tmux)
        #expect(try kedge("send", "--as", "ben", "--thread", "m-001500", "general", "@ana: and you?").status == 0)
        #expect(try counts() == ["general": [0, 1]])
        _ = try open("general", in: tmux, until: "General: ")
        try quit(tmux)
        #expect(try kedge("send", "--as", "ana", "general", "something else").status == 0)
        _ = try open("general", in: tmux, until: "General: ")
        try tmux.press("M-a")
        try tmux.waitUntil("in the thread") { screen in
            screen.contains { $0.contains("@ana: and you?") } && screen.last?.contains("General: ") == false
        }
        try quit(tmux)
        #expect(try counts() == [:])
    }

    @Test func `What one Kedge has read, another one on the same archive counts no more`() throws {
        let (tmux, other) = (try shell(), try shell())
        _ = try open("general", in: tmux, until: "general/")
        try waitForBaseline(tmux)
        #expect(try kedge("send", "--as", "ben", "welcome", "ana: are you there?").status == 0)
        try tmux.waitUntil("told") { $0.last?.contains("1 for you") == true }
        _ = try open("welcome", in: other, until: "welcome/")
        let screen = try tmux.waitUntilStill("not told any more") { $0.last?.contains("1 for you") == false }
        #expect(screen.last?.contains("general/") == true)
        try quit(other)
        try quit(tmux)
    }

    @Test func `When nothing can be saved, that is reported and everything else works`() throws {
        try "a file".write(toFile: state, atomically: false, encoding: .utf8)
        let tmux = try shell()
        // The name of a temporary folder may be so long that the rest of the message is cut off.
        let screen = try open("general", in: tmux, until: "read.json cannot")
        #expect(screen[0].hasPrefix(" General"))
        try tmux.press("PageUp")
        // The status line may tell of another file meanwhile.
        try tmux.waitUntil("scrolled") {
            $0[0].contains(" of 3,206") && !$0[0].contains("3,206 of 3,206")
        }
        try quit(tmux)
    }

    @Test func `When no index can be kept there is a temporary one, and none of it is left`() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let (file, temporary) = (state + "/a-file", state + "/temporary")
        try "a file".write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let tmux = try Tmux(
            columns: 100, rows: 30,
            environment: [
                "XDG_STATE_HOME": state, "ARCHIVE": archive, "XDG_CACHE_HOME": file + "/cache", "TMPDIR": temporary,
            ])
        func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary) }
        let screen = try open("general", in: tmux, until: "the index cannot be saved")
        #expect(screen[0].hasPrefix(" General"))
        try tmux.waitUntil("with an index") { $0[0].contains("3,206 of 3,206") }
        #expect(try left().count == 1)
        try quit(tmux)
        #expect(try left() == [])
    }
}
