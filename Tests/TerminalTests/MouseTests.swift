import Display
import Foundation
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct MouseTests {
        static func mouse(_ action: Mouse.Action, _ row: Int, _ column: Int) -> Input {
            .mouse(Mouse(action, at: ScreenPosition(row: row, column: column)))
        }

        /// Decodes bytes that come at once.
        static func decode(_ bytes: [UInt8]) -> [Input] {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            let start = ContinuousClock.now
            return decoder.decode(bytes, at: start) + decoder.expire(at: start + .seconds(10))
        }

        struct Example: CustomTestStringConvertible, Sendable {
            let typed: String
            let inputs: [Input]

            var testDescription: String { typed.debugDescription }

            init(_ typed: String, _ inputs: Input...) {
                self.typed = typed
                self.inputs = inputs
            }
        }

        static let examples = [
            Example("\u{1B}[<0;1;1M\u{1B}[<0;1;1m", mouse(.press(clicks: 1), 0, 0), mouse(.release, 0, 0)),
            Example(
                "a\u{1B}[<0;300;7M\u{1B}[<32;301;8Mb\u{1B}[<0;5;5m", .key(.character("a")),
                mouse(.press(clicks: 1), 6, 299), mouse(.drag, 7, 300), .key(.character("b")), mouse(.release, 4, 4)),
            Example("\u{1B}[<64;3;4M\u{1B}[<65;3;4M", mouse(.wheelUp, 3, 2), mouse(.wheelDown, 3, 2)),
            // The wheel with Shift, Alt or Control; sideways; released; while the mouse moves.
            Example(
                "\u{1B}[<68;1;1M\u{1B}[<73;1;1M\u{1B}[<80;1;1M", mouse(.wheelUp, 0, 0), mouse(.wheelDown, 0, 0),
                mouse(.wheelUp, 0, 0)),
            Example("\u{1B}[<66;1;1M\u{1B}[<67;1;1M\u{1B}[<64;1;1m\u{1B}[<96;1;1M"),
            // Presses with a modifier, and the reports after them.
            Example(
                "\u{1B}[<4;1;1M\u{1B}[<36;1;2M\u{1B}[<4;1;2m\u{1B}[<8;1;1M\u{1B}[<32;1;1M\u{1B}[<16;1;1M\u{1B}[<0;1;1m"),
            // A modifier that comes later does not lose the release.
            Example(
                "\u{1B}[<0;1;1M\u{1B}[<36;1;2M\u{1B}[<4;1;2m\u{1B}[<0;1;2m", mouse(.press(clicks: 1), 0, 0),
                mouse(.drag, 1, 0), mouse(.release, 1, 0)),
            // Other buttons, and motion without one.
            Example(
                "\u{1B}[<1;1;1M\u{1B}[<2;1;1M\u{1B}[<1;1;1m\u{1B}[<33;1;1M\u{1B}[<35;1;1M\u{1B}[<128;1;1M\u{1B}[<32;1;1M"
            ),
            // The old form, whose release names no button.
            Example(
                "\u{1B}[M !!\u{1B}[M@\"#\u{1B}[M#\"#", mouse(.press(clicks: 1), 0, 0), mouse(.drag, 2, 1),
                mouse(.release, 2, 1)),
            Example("\u{1B}[M`!\"\u{1B}[Ma!\"", mouse(.wheelUp, 1, 0), mouse(.wheelDown, 1, 0)),
            Example("\u{1B}[M abd", mouse(.press(clicks: 1), 65, 64), .key(.character("d"))),
            Example("\u{1B}[M\"!!\u{1B}[M#!!x", .key(.character("x"))),
            // The old form cut short: the keys after it are not lost.
            Example("\u{1B}[M\u{1B}[Aa", .key(.up), .key(.character("a"))),
            Example("\u{1B}[M \rb", .key(.character(" ")), .key(.enter), .key(.character("b"))),
            Example("\u{1B}[M !"),
            // Nonsense is skipped as a whole.
            Example(
                "\u{1B}[<Mx\u{1B}[<;;Mx\u{1B}[<0;1Mx\u{1B}[<0;1;1;1Mx\u{1B}[<0;0;1Mx", .key(.character("x")),
                .key(.character("x")), .key(.character("x")), .key(.character("x")), .key(.character("x"))),
            Example(
                "\u{1B}[<99999999999999999999;1;1Mx\u{1B}[<256;1;1M\u{1B}[<0;1;99999999999999999999M",
                .key(.character("x"))),
            Example("\u{1B}[<0;1:2;1M\u{1B}[<0;1;?Mx\u{1B}[<0;1;1$Mx", .key(.character("x")), .key(.character("x"))),
            Example("\u{1B}[<0;9223372036854775807;9223372036854775807M", mouse(.press(clicks: 1), .max - 1, .max - 1)),
            Example("\u{1B}[32;1;1Mx", .key(.character("x"))),
            Example("\u{1B}[<0;1"),
        ]

        @Test(arguments: examples)
        func `Reports become actions of the left button and the wheel, and nothing else`(_ example: Example) {
            #expect(Self.decode(Array(example.typed.utf8)) == example.inputs)
        }

        @Test func `The old form of report reaches as far as a byte does`() {
            #expect(Self.decode([0x1B, 0x5B, 0x4D, 0x20, 0xFF, 0x80]) == [Self.mouse(.press(clicks: 1), 95, 222)])
            #expect(Self.decode([0x1B, 0x5B, 0x4D, 0x20, 0x20, 0x21, 0x78]) == [.key(.character("x"))])
        }

        @Test func `The second press of a cell within 400 ms is a double click, and the third a first one`() {
            let start = ContinuousClock.now
            var counter = ClickCounter()
            func count(_ action: Mouse.Action, _ row: Int, at milliseconds: Int) -> Mouse.Action {
                counter.count(
                    Mouse(action, at: ScreenPosition(row: row, column: 3)), at: start + .milliseconds(milliseconds)
                ).action
            }
            #expect(count(.press(clicks: 1), 0, at: 0) == .press(clicks: 1))
            #expect(count(.release, 0, at: 100) == .release)
            #expect(count(.press(clicks: 1), 0, at: 400) == .press(clicks: 2))
            #expect(count(.press(clicks: 1), 0, at: 500) == .press(clicks: 1))
            #expect(count(.press(clicks: 1), 0, at: 901) == .press(clicks: 1), "too late")
            #expect(count(.press(clicks: 1), 1, at: 910) == .press(clicks: 1), "another cell")
            #expect(count(.drag, 1, at: 920) == .drag)
            #expect(count(.press(clicks: 1), 1, at: 930) == .press(clicks: 1), "behind a drag")
            #expect(count(.wheelUp, 1, at: 940) == .wheelUp)
            #expect(count(.press(clicks: 1), 1, at: 950) == .press(clicks: 1), "behind the wheel")
            #expect(count(.press(clicks: 1), 1, at: 960) == .press(clicks: 2))
        }

        static let on = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?1004h"
        static let off = "\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

        @Test(arguments: [
            ("xterm-256color", 1), ("screen-256color", 1), ("tmux-256color", 1), ("vt100", 0), ("ansi", 0),
        ])
        func `Reports are on while the program has the screen, where the terminal has a mouse`(term: String, count: Int)
            throws
        {
            let pty = try Pty()
            var screen = try ScreenTests.screen(on: pty, term: term)
            screen.draw(ScreenTests.frame(screen.size, Line("one")))
            screen.draw(ScreenTests.frame(screen.size, Line("two")))
            screen.close()
            let output = pty.finish()
            #expect(output.components(separatedBy: Self.on).count - 1 == count)
            #expect(output.components(separatedBy: Self.off).count - 1 == count)
            #expect(output.components(separatedBy: "\u{1B}[?100").count - 1 == 8 * count)
            guard count > 0 else { return }
            // After ncurses' output that takes the screen, and before the output that gives it back.
            let parts = output.components(separatedBy: Self.on)
            #expect(parts[0].contains("one") && !parts[0].contains("two"))
            #expect(parts[1].contains("two"))
            let leave = try #require(output.range(of: "\u{1B}[?1049l"))
            #expect(output[..<leave.lowerBound].contains(Self.off))
        }

        @Test
        func `A redrawn screen turns reports on again, and a screen that was never drawn has changed nothing`() throws {
            let pty = try Pty()
            var screen = try ScreenTests.screen(on: pty)
            screen.draw(ScreenTests.frame(screen.size, Line("one")))
            screen.drawAnew(ScreenTests.frame(screen.size, Line("two")))
            screen.close()
            #expect(pty.finish().components(separatedBy: Self.on).count == 3)
            let untouched = try Pty()
            try ScreenTests.screen(on: untouched).close()
            #expect(!untouched.finish().contains("\u{1B}[?100"))
        }

        @Test func `Mouse actions lie within the screen, in order, with clicks counted`() throws {
            let pty = try Pty(columns: 40, rows: 6)
            var screen = try ScreenTests.screen(on: pty)
            let press = "\u{1B}[<0;5;3M\u{1B}[<0;5;3m"
            pty.type(
                Array("j\(press)\(press)\(press)k\u{1B}[<0;41;1M\u{1B}[<0;1;7M\u{1B}[<32;50;9M\u{1B}[<0;50;9m".utf8))
            let inputs = screen.readInput()
            let clicks = [1, 2, 1].flatMap { [Self.mouse(.press(clicks: $0), 2, 4), Self.mouse(.release, 2, 4)] }
            #expect(
                inputs == [.key(.character("j"))] + clicks + [
                    .key(.character("k")), Self.mouse(.drag, 5, 39), Self.mouse(.release, 5, 39),
                ])
            pty.type(Array("\u{1B}[<65;99;99M".utf8))
            let wheel = screen.readInput()
            #expect(wheel == [Self.mouse(.wheelDown, 5, 39)])
            screen.close()
            _ = pty.finish()
        }
    }
}
