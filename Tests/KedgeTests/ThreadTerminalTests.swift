import Foundation
import Testing

/// Threads in real terminals: side by side and alone, written into by several.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ThreadTerminalTests {
    private let archive: ScratchArchive

    init() throws {
        archive = try ScratchArchive()
        try archive.write("people.json", "[]")
        let lines =
            [
                ScratchArchive.message("m-1", "the root"),
                ScratchArchive.message("m-2", "in it", more: #","thread":"m-1""#),
            ]
            + (3...60).map { ScratchArchive.message("m-\($0)", "main \($0)") }
            + (61...90).map { ScratchArchive.message("m-\($0)", "reply \($0)", more: #","thread":"m-30""#) }
        try archive.write(ScratchArchive.segment, lines.map { $0 + "\n" }.joined())
    }

    private func kedge(as person: String, columns: Int, at id: String) throws -> Tmux {
        let environment = [
            "ARCHIVE": archive.path, "XDG_RUNTIME_DIR": archive.path + "-run",
            "XDG_STATE_HOME": archive.path + "-state-" + person,
        ]
        let tmux = try Tmux(columns: columns, rows: 20, environment: environment)
        try tmux.type(
            "clear; \"$KEDGE\" open --archive \"$ARCHIVE\" general/\(id) --as \(person) --new-person; echo left $?")
        try tmux.waitUntil("opened") { $0.last?.contains("general/\(id)") == true }
        return tmux
    }

    @Test func `A thread opens beside the conversation or in its place, and Esc brings back the exact screen`() throws {
        for columns in [60, 120] {
            let tmux = try kedge(as: "ana", columns: columns, at: "m-30")
            try tmux.waitUntil("the summary") { screen in
                // The index is there.
                screen[0].contains("29 of 59") && screen.last?.contains("indexing") == false
                    && screen.contains { $0.contains("30 replies, last ") }
            }
            let before = try tmux.stillScreen()
            try tmux.press("t")
            try tmux.waitUntil("the thread") {
                $0.contains { $0.contains("reply 90") } && $0.contains { $0.contains(" 30 replies ") }
            }
            #expect(try tmux.stillScreen().contains { $0.contains("main 31") } == (columns == 120))
            try tmux.press("PageUp")
            try tmux.waitUntil("scrolled") { !$0.contains { $0.contains("reply 90") } }
            try tmux.press("Escape")
            try tmux.waitUntil("the screen from before") { $0 == before }
        }
    }

    @Test
    func `Replies by two readers of a thread and a shell are there once on both screens, and the conversation stays`()
        throws
    {
        let (ana, cy) = (try kedge(as: "ana", columns: 120, at: "m-30"), try kedge(as: "cy", columns: 120, at: "m-30"))
        for tmux in [ana, cy] {
            try tmux.press("t")
            try tmux.waitUntil("the thread") { $0.contains { $0.contains("reply 90") } }
        }
        let main = { (screen: [String]) in
            screen[2..<14].map { String($0.prefix(72)).replacing(#/ *(\d+↵|\d+ repl.*)/#, with: "") }
        }
        let before = main(try ana.stillScreen())
        for tmux in [ana, cy] {
            try tmux.press("i")
            try tmux.waitUntil("composer") { $0.last?.contains("Enter send") == true }
        }
        for number in 1...10 {
            try ana.post("a \(number)")
            try cy.post("c \(number)")
            #expect(
                try archive.kedge("send", "general", "s \(number)", "--thread", "m-30", "--as", "sh", "--new-person")
                    .status == 0)
        }
        for tmux in [ana, cy] {
            try tmux.waitUntil("all replies") { $0.contains { $0.contains(" 60 replies ") } }
            try tmux.press("Escape")
            try tmux.waitUntil("no composer") { $0.last?.contains("general/") == true }
        }
        let replies = try archive.records().filter { $0["thread"] as? String == "m-30" }.compactMap {
            $0["text"] as? String
        }
        #expect(replies.count == 60 && Set(replies).count == 60)
        #expect(main(try ana.stillScreen()) == before)
        let right = { (tmux: Tmux) in
            try tmux.stillScreen().dropFirst(2).dropLast().map { $0.dropFirst(73).replacing("▌", with: " ") }
        }
        #expect(try right(ana) == right(cy))
    }

    @Test func `A link to a reply opens its thread at the reply`() throws {
        let tmux = try kedge(as: "ana", columns: 120, at: "m-70")
        let screen = try tmux.stillScreen()
        #expect(screen.contains { $0.contains("reply 70") } && screen.contains { $0.contains("main 30") })
    }

    @Test func `Messages in another conversation are reported`() throws {
        try archive.write("conversations/dev/conversation.json", #"{"id":"dev","title":"Dev"}"#)
        try archive.write("conversations/dev/messages-000001.jsonl", "")
        let tmux = try kedge(as: "ana", columns: 120, at: "m-30")
        // Until it is followed, nothing new is told of.
        try tmux.waitUntil("told of") { screen in
            _ = try? archive.kedge("send", "dev", "hello @ana", "--as", "cy", "--new-person")
            return screen.last?.contains("Dev: ") == true
        }
        try tmux.press("M-a")
        try tmux.waitUntil("there") { $0.first?.contains("Dev") == true && $0.last?.contains("Dev: ") == false }
    }
}
