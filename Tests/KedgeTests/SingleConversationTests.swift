import Foundation
import Testing

/// The list of conversations at the left of a wide screen.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SingleConversationTests {
    @Test func `The single conversation of an archive opens without being named`() throws {
        let archive = try ScratchArchive()
        func tmux() throws -> Tmux {
            try Tmux(
                columns: 80, rows: 12, environment: ["XDG_CONFIG_HOME": Program.configFolder(list: true)],
                command: "\"$KEDGE\" '\(archive.path)'")
        }
        let alone = try tmux()
        try alone.waitUntil("opened") { $0.contains { $0.contains("hello") } && $0.last?.contains("h help") == true }
        #expect(try !alone.stillScreen().contains { $0.contains("Go to:") })
        try archive.write("conversations/other/messages-000001.jsonl", ScratchArchive.message("o-1", "hi") + "\n")
        try tmux().waitUntil("the list") { $0.contains { $0.contains("Go to:") } }
    }

    @Test func `An archive with a single conversation has no list beside it until c shows it`() throws {
        let archive = try ScratchArchive()
        let list = " 1 general"
        func tmux() throws -> Tmux {
            try Tmux(
                columns: 130, rows: 12, environment: ["XDG_CONFIG_HOME": Program.configFolder(list: true)],
                command: "\"$KEDGE\" open --archive '\(archive.path)' general")
        }
        let alone = try tmux()
        try alone.waitUntil("opened") { $0.contains { $0.contains("hello") } }
        #expect(try !alone.stillScreen().contains { $0.contains(list) })
        try alone.press("c")
        try alone.waitUntil("shown") { $0.contains { $0.contains("1 general") } }
        try archive.write("conversations/other/messages-000001.jsonl", ScratchArchive.message("o-1", "hi") + "\n")
        try tmux().waitUntil("two") { $0.contains { $0.contains("2 other") } }
    }
}
