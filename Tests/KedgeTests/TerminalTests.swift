import Foundation
import Testing

/// Kedge as people use it: in a real terminal, by its keys.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct TerminalTests {
    private let middle = "\"$KEDGE\" open --archive '\(Program.demo)' general --at m-001500"

    /// With its place in the title, which comes with the index.
    private func isMiddle(_ screen: [String]) -> Bool {
        screen.last?.contains("general/m-001500") == true && screen[0].contains(" of ")
    }

    @Test func `A message opens in the middle of the screen and marked`() throws {
        let tmux = try Tmux(columns: 100, rows: 30, command: middle)
        let screen = try tmux.waitUntilStill("opened", isMiddle)
        let target = try #require(screen.firstIndex { $0.hasPrefix("▌07:19  Ana Ruiz") })
        #expect((6...14).contains(target))
        #expect(screen[0].hasPrefix(" General"))
        #expect(screen[0].hasSuffix("of 3,206"))
    }

    @Test func `Quitting by q, ^C, SIGTERM or SIGHUP gives the terminal back as it was`() throws {
        let ways: [(key: String?, signal: String?, status: Int)] = [
            ("q", nil, 0), ("C-c", nil, 130), (nil, "TERM", 143), (nil, "HUP", 129), (nil, "INT", 130),
        ]
        for (key, signal, status) in ways {
            let tmux = try Tmux(columns: 80, rows: 24)
            try tmux.type("PS1='> '; stty -g > \"$HOME/before\"; \(middle); echo left $?; stty -g > \"$HOME/after\"")
            try tmux.waitUntil("opened") { $0.last?.contains("general/m-001500") == true }
            if let key { try tmux.press(key) }
            if let signal {
                let pane = try #require(Int(try tmux.ask("#{pane_pid}")))
                _ = try Program.run("/usr/bin/env", ["pkill", "-\(signal)", "-P", "\(pane)", "kedge"])
            }
            try tmux.waitUntil("left") { $0.contains("left \(status)") }
            try tmux.type("cmp \"$HOME/before\" \"$HOME/after\" && echo the same")
            try tmux.waitUntil("as it was") { $0.contains("the same") }
        }
    }

    @Test func `An unknown message leaves no screen and exits with 1`() throws {
        let tmux = try Tmux(columns: 100, rows: 10)
        try tmux.type("\"$KEDGE\" open --archive '\(Program.demo)' general/nowhere; echo left $?")
        let screen = try tmux.waitUntilStill("left") { $0.contains("left 1") }
        #expect(screen.contains { $0.hasPrefix("kedge: there is no message \"nowhere\" in \"general\"") })
        #expect(screen[0].contains("$KEDGE"), "what was on the screen is still there")
    }

    @Test func `^Z gives the terminal to the shell, and fg returns to the same screen`() throws {
        let tmux = try Tmux(columns: 100, rows: 30, command: middle)
        let before = try tmux.waitUntilStill("opened", isMiddle)
        try tmux.press("C-z")
        try tmux.waitUntil("stopped") { $0.contains { $0.contains("Stopped") } }
        try tmux.type("fg")
        try tmux.waitUntil("the same screen") { $0 == before }
    }

    @Test func `^Z under a parent gives the shell its terminal too`() throws {
        let tmux = try Tmux(columns: 100, rows: 30, command: "sh -c \(Program.quoted(middle + "; true"))")
        try tmux.waitUntil("opened") { $0.last?.contains("general/m-001500") == true }
        try tmux.press("C-z")
        try tmux.waitUntil("stopped") { $0.contains { $0.contains("Stopped") } }
        try tmux.type("echo the shell $((40 + 2))")
        try tmux.waitUntil("the shell") { $0.contains("the shell 42") }
        try tmux.type("fg")
        try tmux.waitUntil("continued") { $0.last?.contains("general/m-001500") == true }
    }

    @Test func `On a terminal list is in columns, with colour when wanted`() throws {
        let tmux = try Tmux(columns: 100, rows: 30)
        let list = "\"$KEDGE\" list --archive '\(Program.demo)'"
        try tmux.type("\(list); echo done")
        let screen = try tmux.waitUntilStill("listed") { $0.contains("done") }
        let rows = screen.filter { $0.contains(" 2025-") || $0.contains(" 2024-") }
        #expect(rows.count == 8)
        #expect(Set(rows.compactMap { $0.range(of: " 202")?.lowerBound.utf16Offset(in: $0) }).count == 1)
        for (setting, isColored) in [("A=1", true), ("NO_COLOR=1", false), ("TERM=dumb", false)] {
            try tmux.type("clear; env \(setting) \(list); echo done \(setting)")
            try tmux.waitUntil("listed") { $0.contains("done \(setting)") }
            #expect(try tmux.hasColors() == isColored, "\(setting)")
        }
    }

    @Test func `Messages appended while the user reads are there at the next End`() throws {
        let folder = Program.stateFolder.appending(path: "growing-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder + "/conversations/one", withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            Program.forget(archive: folder)
        }
        let log = folder + "/conversations/one/messages-000001.jsonl"
        let line = { (number: Int) in
            #"{"type":"message","id":"m\#(number)","at":"2025-03-01T09:00:00Z","from":"ana","text":"line \#(number)"}"#
                + "\n"
        }
        try #"{"format":"kedge","version":1}"#.write(
            toFile: folder + "/archive.json", atomically: false, encoding: .utf8)
        try "[]".write(toFile: folder + "/people.json", atomically: false, encoding: .utf8)
        try (0..<100).map(line).joined().write(toFile: log, atomically: false, encoding: .utf8)
        let tmux = try Tmux(columns: 80, rows: 12, command: "\"$KEDGE\" open --archive '\(folder)' one")
        try tmux.waitUntil("opened") { $0.last?.contains("one/m99") == true }
        let file = try #require(FileHandle(forWritingAtPath: log))
        try file.seekToEnd()
        try file.write(contentsOf: Data((100..<103).map(line).joined().utf8))
        try tmux.press("End")
        try tmux.waitUntil("the new ones") { $0.contains { $0.contains("line 102") } && $0[0].contains("of 103") }
    }

    @Test func `Sizes from 1x1 to 200x60 are drawn, and returning gives the first screen`() throws {
        let tmux = try Tmux(columns: 100, rows: 30, command: middle)
        let before = try tmux.waitUntilStill("opened", isMiddle)
        let marks = [
            (40, 10, " general/m-001500"), (20, 5, " general/m-001500"), (200, 60, " general/m-001500"),
            (61, 24, " general"),
            (60, 3, " general/m-001500"), (2, 2, "g"), (1, 1, ""),
        ]
        for (columns, rows, status) in marks {
            try tmux.resize(columns: columns, rows: rows)
            try tmux.waitUntil("drawn at \(columns)x\(rows)") { screen in
                screen.count == rows && screen.last?.hasPrefix(status) == true
                    && screen.contains { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
            }
        }
        try tmux.resize(columns: 100, rows: 30)
        try tmux.waitUntil("back") { $0 == before }
    }

    @Test(arguments: [
        ("TERM=nonsense", "TERM is 'nonsense'"), ("TERM=", "TERM is not set"), ("TERM=dumb", "TERM is 'dumb'"),
        ("-u TERM", "TERM is not set"),
    ])
    func `An unsuitable terminal is named, with a remedy`(setting: String, complaint: String) throws {
        let tmux = try Tmux(columns: 120, rows: 10)
        try tmux.type("env \(setting) \(middle); echo left $?")
        let screen = try tmux.waitUntilStill("left") { $0.contains("left 2") }
        #expect(screen.contains { $0.hasPrefix("kedge: \(complaint)") })
    }

    @Test(arguments: ["empty", "welcome"])
    func `A conversation with no message or one has a useful screen`(conversation: String) throws {
        let tmux = try Tmux(
            columns: 80, rows: 12, command: "\"$KEDGE\" open --archive '\(Program.demo)' \(conversation)")
        let last = conversation == "empty" ? "no messages here yet" : "welcome/"
        // Whether one may write is known a moment after the first frame.
        let before = try tmux.waitUntilStill("opened") {
            $0.last?.contains(last) == true && (conversation == "empty" || $0.last?.contains("i write") == true)
        }
        for key in ["Up", "Down", "PageUp", "PageDown", "Home", "End", "C-e", "C-y", "C-u", "C-d", "Enter"] {
            try tmux.press(key)
        }
        try tmux.press("h")
        try tmux.waitUntil("the help") { $0[0].hasPrefix(" Keys") }
        try tmux.press("Escape")
        try tmux.waitUntil("the same screen") { $0 == before }
    }

    @Test func `Every row of a message of 300 lines can be seen`() throws {
        let tmux = try Tmux(
            columns: 100, rows: 20, command: "\"$KEDGE\" open --archive '\(Program.demo)' dev/m-001060")
        try tmux.waitUntil("opened") { screen in screen.contains { $0.contains("z unfolds") } }
        try tmux.press("z")
        var screen = try tmux.waitUntilStill("unfolded") { screen in !screen.contains { $0.contains("z unfolds") } }
        let text = try Program.kedge("show", "dev/m-001060", "--context", "0", "--json", "--archive", Program.demo)
            .output
        let message = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let lines = try #require(message.first?["text"] as? String).split(separator: "\n")
        var missing = Set(lines.map { String($0.prefix(40)) })
        while true {
            for row in screen { missing = missing.filter { !row.contains($0.trimmingCharacters(in: .whitespaces)) } }
            guard screen.last?.contains("dev/m-001060") == true else { break }
            try tmux.press("Down")
            screen = try tmux.waitForChange(from: screen)
        }
        #expect(missing.isEmpty)
    }
}
