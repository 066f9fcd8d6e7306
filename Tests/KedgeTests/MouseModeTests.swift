import Foundation
import Testing

/// The mouse of a real terminal, which must never be left reporting to a shell.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct MouseModeTests {
    private let middle = "\"$KEDGE\" open --archive '\(Program.demo)' general --at m-001500"

    private func wait(_ tmux: Tmux, _ what: String, until isOn: Bool) throws {
        try tmux.waitUntil(what) { _ in
            (try? tmux.ask("#{mouse_button_flag}#{mouse_sgr_flag}")) == (isOn ? "11" : "00")
        }
    }

    @Test func `Mouse reports are on while the screen is there, and off after q, ^Z and signals`() throws {
        let tmux = try Tmux(columns: 80, rows: 24)
        for (keys, signal) in [(["q"], nil), (["C-c"], nil), ([], "TERM"), ([], "HUP")] as [([String], String?)] {
            try tmux.type("clear; \(middle); echo left")
            try tmux.waitUntil("opened") { $0.last?.contains("general/m-001500") == true }
            try wait(tmux, "on", until: true)
            for key in keys { try tmux.press(key) }
            if let signal {
                _ = try Program.run(
                    "/usr/bin/env", ["pkill", "-\(signal)", "-P", try tmux.ask("#{pane_pid}"), "kedge"])
            }
            try tmux.waitUntil("left") { $0.contains("left") }
            try wait(tmux, "off", until: false)
        }
        try tmux.type("clear; \(middle)")
        try tmux.waitUntil("opened") { $0.last?.contains("general/m-001500") == true }
        try tmux.press("C-z")
        try tmux.waitUntil("stopped") { $0.contains { $0.contains("Stopped") } }
        try wait(tmux, "off", until: false)
        try tmux.type("fg")
        try tmux.waitUntil("continued") { $0.last?.contains("general/m-001500") == true }
        try wait(tmux, "on again", until: true)
    }
}
