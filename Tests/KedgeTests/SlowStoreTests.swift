import Foundation
import Testing

/// What a page on its way looks like, in a real terminal, on a store that is slow or fails.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SlowStoreTests {
    private func open(_ simulation: String, rows: Int = 30) throws -> Tmux {
        try Tmux(
            columns: 140, rows: rows, environment: ["KEDGE_SIMULATE": simulation],
            command: "\"$KEDGE\" open --archive '\(Program.demo)' general --at m-001500")
    }

    /// The message area without the mark of the selection and the scroll bar.
    private func messages(_ screen: [String]) -> [String] {
        screen.dropFirst(2).dropLast().map { row in
            let text = row.last.map { "│┃".contains($0) } == true ? row.dropLast() : row[...]
            return text.dropFirst().trimmingCharacters(in: .whitespaces)
        }
    }

    @Test(arguments: [("PageUp", true), ("PageDown", false)])
    func `No row moves when a page arrives after 800 ms`(key: String, isOlder: Bool) throws {
        let tmux = try open("latency:800ms")
        try tmux.waitUntil("loading") { $0.contains { $0.contains("loading…") } }
        var screen = try tmux.waitUntilStill("opened") { $0.last?.contains("general/m-001500") == true }
        let name = isOlder ? "older" : "newer"
        var arrivals = 0
        for _ in 0..<60 where arrivals < 3 {
            try tmux.press(key)
            screen = try tmux.waitForChange(from: screen)
            let isLoading = { [messages] (screen: [String]) in
                let edge = isOlder ? messages(screen).first : messages(screen).last
                return edge?.contains("loading \(name) messages…") == true
            }
            guard isLoading(screen) else { continue }
            // The rest of the step waits for the page; a key that does nothing gives it up.
            try tmux.press("F7")
            screen = try tmux.waitForChange(from: screen)
            guard isLoading(screen) else { continue }
            let before = messages(screen)
            screen = try tmux.waitUntilStill("arrived") { screen in
                !screen.contains { $0.contains("loading \(name) messages…") }
            }
            let after = messages(screen)
            #expect(isOlder ? after.dropFirst() == before.dropFirst() : after.dropLast() == before.dropLast())
            arrivals += 1
        }
        #expect(arrivals == 3)
    }

    @Test func `A failing store shows the reason at its edge and is retried, while everything else works`() throws {
        let tmux = try open("failures:1.0,after:1")
        var screen = try tmux.waitUntilStill("opened") { $0.last?.contains("general/m-001500") == true }
        for _ in 0..<40 where !messages(screen)[0].contains("did not load") {
            try tmux.press("PageUp")
            screen = try tmux.screen()
        }
        screen = try tmux.waitUntilStill("failed") { $0[2].contains("older messages did not load") }
        #expect(screen[2].contains("the simulated line failed"))
        let rows = messages(screen).dropFirst()
        try tmux.waitUntil("tried again by itself") { $0[2].contains("next try in 4 s") }
        #expect(try messages(tmux.stillScreen()).dropFirst() == rows)
        screen = try tmux.stillScreen()
        try tmux.press("Up", "Enter")
        try tmux.waitUntil("tried again by Enter, which lengthens no pause") { now in
            now[2] != screen[2] && now[2].contains("request") && now[2].contains("next try in 4 s")
        }
        try tmux.press("Down", "Down")
        try tmux.press("Home")
        try tmux.waitUntil("the jump failed") { $0.last?.contains("not loaded: the simulated line failed") == true }
        #expect(try messages(tmux.stillScreen()).dropFirst() == rows)
        try tmux.press("q")
        try tmux.waitUntil("left") { $0.contains { $0.hasPrefix("$ ") } }
    }

    @Test func `A failed opening shows the reason, and Enter retries at once`() throws {
        let tmux = try open("failures:1.0")
        try tmux.waitUntil("failed") { $0.contains { $0.contains("next try in 2 s · Enter tries now · q quits") } }
        try tmux.press("Enter")
        try tmux.waitUntil("tried again") { $0.contains { $0.contains("next try in 4 s") } }
        try tmux.press("q")
        try tmux.waitUntil("left") { $0.contains { $0.hasPrefix("$ ") } }
    }
}
