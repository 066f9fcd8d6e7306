import CNcurses
import Display
import Foundation
import TestSupport
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct ClipboardTests {
        static func sequence(_ text: String, _ multiplexer: Multiplexer?) throws -> String {
            String(decoding: try #require(ClipboardText(text)).sequence(through: multiplexer), as: UTF8.self)
        }

        @Test func `The sequence carries the text in base 64, for each multiplexer`() throws {
            let plain = "\u{1B}]52;c;aGkg8J+RjQo=\u{7}"
            #expect(try Self.sequence("hi 👍\n", nil) == plain)
            #expect(try Self.sequence("hi 👍\n", .tmux) == plain + "\u{1B}Ptmux;\u{1B}" + plain + "\u{1B}\\")
            #expect(try Self.sequence("hi 👍\n", .screen) == plain + "\u{1B}P" + plain + "\u{1B}\\")
            #expect(try Self.sequence("", nil) == "\u{1B}]52;c;\u{7}")
        }

        @Test
        func `For screen a long sequence is cut into pieces that fit its buffer, and nothing is lost between them`()
            throws
        {
            for length in [171, 172, 400, 1_000, 100_000] {
                let text = String(repeating: "x", count: length)
                let output = try Self.sequence(text, .screen)
                let start = "\u{1B}P"
                let end = "\u{1B}\\"
                let pieces = output.components(separatedBy: end).filter { $0.hasPrefix(start) }.map { $0.dropFirst(2) }
                #expect(pieces.allSatisfy { $0.utf8.count <= 240 })
                if length > 200 { #expect(output.hasPrefix(start)) }
                #expect(pieces.joined() == (try Self.sequence(text, nil)) || length < 200)
            }
        }

        @Test func `Copied text is exact, except for controls that a shell would obey`() throws {
            let all = "a\r\nb\tc\u{1B}[2J\u{7F}\u{0}\u{85}\u{9B}d \u{202E}é漢👨\u{200D}👩\u{3}\n"
            #expect(ClipboardText(all)?.string == "a\nb\tc[2Jd \u{202E}é漢👨\u{200D}👩\n")
            let output = try Self.sequence(all, .tmux)
            #expect(output.unicodeScalars.filter { $0.value < 0x20 && $0.value != 0x1B && $0.value != 7 }.isEmpty)
            let base64 = try #require(
                output.components(separatedBy: ";c;").dropFirst().first?.components(separatedBy: "\u{7}").first)
            #expect(
                Data(base64Encoded: base64).map { String(decoding: $0, as: UTF8.self) } == ClipboardText(all)?.string)
        }

        @Test func `More than 1 MiB is refused`() {
            #expect(ClipboardText(String(repeating: "x", count: 1 << 20)) != nil)
            #expect(ClipboardText(String(repeating: "x", count: 1 << 20) + "x") == nil)
            #expect(ClipboardText(String(repeating: "é", count: (1 << 19) + 1)) == nil)
        }

        @Test(
            arguments: [
                ([:], nil), (["TERM": "xterm-256color"], nil), (["TERM": "tmux-256color"], .tmux),
                (["TERM": "screen-256color"], .screen), (["TERM": "screen-256color", "TMUX": "/tmp/x,1,0"], .tmux),
                (["TERM": "screen", "STY": "1.pts"], .screen), (["TERM": "xterm", "STY": "1.pts"], .screen),
                (["TERM": "xterm", "TMUX": "/tmp/x,1,0"], .tmux), (["TERM": "xterm", "TMUX": "", "STY": ""], nil),
            ] as [([String: String], Multiplexer?)])
        func `The multiplexer is known by its variables`(environment: [String: String], expected: Multiplexer?) {
            #expect(Multiplexer(environment: environment) == expected)
        }

        @Test
        func `Text is copied at once and completely, between frames, and no cell of the next frame is lost`() throws {
            let pty = try Pty(columns: 40, rows: 3)
            var screen = try ScreenTests.screen(on: pty)
            screen.draw(ScreenTests.frame(screen.size, Line("before")))
            let text = String(repeating: "0123456789", count: 20_000)
            screen.copy(try #require(ClipboardText(text)), through: nil)
            screen.draw(ScreenTests.frame(screen.size, Line("before"), Line("behind")))
            screen.close()
            let output = pty.finish()
            let parts = output.components(separatedBy: try Self.sequence(text, nil))
            #expect(parts.count == 2)
            #expect(parts.first?.contains("before") == true && parts.first?.contains("behind") == false)
            #expect(parts.last?.contains("behind") == true && parts.last?.contains("before") == false)
        }

        @Test func `Copying to a terminal that is gone gives up`() throws {
            let ends = try PseudoTerminal(columns: 40, rows: 6)
            let (master, slave) = (ends.master, ends.slave)
            let screen = try Screen(color: true, input: slave, output: slave, term: "xterm-256color")
            close(master)
            screen.copy(try #require(ClipboardText("text")), through: .tmux)
            screen.close()
            close(slave)
        }
    }
}
