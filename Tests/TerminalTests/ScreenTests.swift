import CNcurses
import Display
import Foundation
import TestSupport
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct ScreenTests {
        static func screen(on pty: Pty, color: Bool = true, term: String? = "xterm-256color") throws -> Screen {
            try Screen(color: color, input: pty.slave, output: pty.slave, term: term)
        }

        static func frame(_ size: Size, _ lines: Line...) -> Frame {
            Frame(size: size, lines: lines)
        }

        @Test(arguments: [
            "xterm-256color", "xterm", "screen-256color", "tmux-256color", "linux", "vt100", "ansi",
        ])
        func `The terminal shows the text of a frame, with its marks and up to the last cell`(term: String) throws {
            let pty = try Pty(columns: 8, rows: 2)
            var screen = try Self.screen(on: pty, term: term)
            let size = screen.size
            #expect(size == Size(columns: 8, rows: 2))
            screen.draw(
                Self.frame(screen.size, Line("漢字e\u{301}é", Style(.accent, .bold)), Line("12345678", Style(.name(3)))))
            screen.close()
            let output = pty.finish()
            #expect(output.contains("漢字e\u{301}é"))
            // The last cell is drawn without wrapping at the edge, or by an insertion before it.
            let row = output.components(separatedBy: "1234567").last ?? ""
            #expect(output.contains("1234567") && row.contains("8"))
        }

        @Test func `Hostile text never reaches the terminal as a control`() throws {
            func output(_ text: CleanText) throws -> String {
                let pty = try Pty(columns: 60, rows: 3)
                var screen = try Self.screen(on: pty)
                screen.draw(Self.frame(screen.size, [Span(text)]))
                screen.close()
                return pty.finish()
            }
            func controls(_ output: String) -> [Unicode.Scalar] {
                output.unicodeScalars.filter {
                    $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E
                }
            }
            let hostile = "\u{1B}]0;x\u{7}\u{1B}[2J\u{9B}5m\u{202E}\r\n\0\u{7F}\u{1B}P\u{1B}\\end"
            let harmless = CleanText(String(repeating: "x", count: CleanText(hostile).columns))
            let drawn = try output(CleanText(hostile))
            #expect(drawn.contains("␛]0;x␇␛[2J\u{FFFD}5m"))
            #expect(controls(drawn) == controls(try output(harmless)))
        }

        @Test func `A second frame sends only the differences`() throws {
            let pty = try Pty(columns: 80, rows: 24)
            var screen = try Self.screen(on: pty)
            let lines = (0..<24).map { Line(CleanText("this is row number \($0)")) }
            screen.draw(Frame(size: screen.size, lines: lines))
            screen.draw(Frame(size: screen.size, lines: lines))
            screen.draw(Frame(size: screen.size, lines: lines.dropLast() + [[Span("last")]]))
            screen.close()
            let output = pty.finish()
            #expect(output.components(separatedBy: "number 7").count == 2, "drawn once")
            #expect(output.contains("last"))
        }

        /// The number of writes of this thread to files and terminals.
        private static func writes() throws -> Int {
            let counts = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
            let line = counts.split(separator: "\n").first { $0.hasPrefix("syscw: ") }
            return try #require(line.flatMap { Int($0.dropFirst("syscw: ".count)) })
        }

        @Test func `Each frame is written in one piece`() throws {
            let pty = try Pty(columns: 80, rows: 24)
            var screen = try Self.screen(on: pty)
            var counts: [Int] = []
            for frame in 0..<3 {
                let before = try Self.writes()
                screen.draw(Frame(size: screen.size, lines: (0..<24).map { Line(CleanText("\(frame): row \($0)")) }))
                counts.append(try Self.writes() - before)
            }
            // After the first frame the screen requests reports of the mouse, marks around pastes, and the background.
            #expect(counts == [4, 1, 1])
            screen.close()
            #expect(pty.finish().contains("row 23"))
        }

        @Test
        func `The terminal enters and leaves its second screen once, and echoes no key typed before a frame`() throws {
            let pty = try Pty()
            var screen = try Self.screen(on: pty)
            pty.type(Array("abc\r".utf8))
            let keys = screen.readInput()
            #expect(keys == [.key(.character("a")), .key(.character("b")), .key(.character("c")), .key(.enter)])
            screen.draw(Self.frame(screen.size, Line("text")))
            screen.close()
            let output = pty.finish()
            #expect(output.components(separatedBy: "\u{1B}[?1049h").count == 2)
            #expect(output.components(separatedBy: "\u{1B}[?1049l").count == 2)
            #expect(!output.contains("abc"))
        }

        @Test func `The terminal moves scrolled rows, and does not receive them again`() throws {
            let pty = try Pty(columns: 80, rows: 24)
            var screen = try Self.screen(on: pty)
            for top in 0..<4 {
                // Rows without a letter in common, so that none can be made from another.
                let rows = (top..<top + 22).map { row in
                    let pair = [UInt8(0x41 + row), UInt8(0x61 + row)].map { Character(Unicode.Scalar($0)) }
                    return Line(CleanText(String(repeating: String(pair), count: 30)))
                }
                screen.draw(Frame(size: screen.size, lines: [Line("title")] + rows + [Line("status")]))
            }
            screen.close()
            let output = pty.finish()
            #expect(output.components(separatedBy: "MmMmMm").count - 1 == 10, "drawn once")
        }

        /// The size of the output for the last of some frames, and for everything after it.
        private static func output(ofLast frames: [Frame], term: String) throws -> Int {
            func count(_ frames: some Sequence<Frame>) throws -> Int {
                let pty = try Pty(columns: 100, rows: 30)
                var screen = try Self.screen(on: pty, term: term)
                for frame in frames { screen.draw(frame) }
                screen.close()
                return pty.finish().utf8.count
            }
            return try count(frames) - count(frames.dropLast())
        }

        @Test(arguments: [
            ("xterm-256color", 68), ("tmux-256color", 68), ("screen-256color", 68), ("xterm", 63), ("linux", 70),
        ])
        func `A new row costs little more than its text`(term: String, limit: Int) throws {
            let frames = (0..<2).map { top in
                let rows = (top..<top + 27).map { row -> Line in
                    let text = String(repeating: Character(Unicode.Scalar(UInt8(0x41 + row))), count: 40)
                    return [
                        Span(" ", Style(.accent)), Span("09:00  ", Style(.standard, .dim)),
                        Span("\(row % 10)a           ", Style(.name(3))), Span(CleanText(text)),
                    ]
                }
                return Frame(size: Size(columns: 100, rows: 30), lines: [Line("title"), Line("day")] + rows)
            }
            let bytes = try Self.output(ofLast: frames, term: term)
            #expect(bytes - 52 <= limit, "\(bytes) bytes, of which 52 are text")
        }

        @Test func `Blanks are drawn plain where their look does not show, unless that costs more bytes`() throws {
            func output(_ line: Line) throws -> String {
                let pty = try Pty()
                var screen = try Self.screen(on: pty, color: false)
                screen.draw(Self.frame(screen.size, Line("x"), line))
                screen.close()
                return pty.finish()
            }
            let dim = Style(.standard, .dim)
            #expect(try !output([Span("     ", dim), Span("a")]).contains("\u{1B}[;2m"))
            #expect(try output([Span("a"), Span(" b ", dim), Span("c")]).contains("a \u{1B}[;2mb\u{1B}[m c"))
            #expect(try output([Span("a b", dim)]).contains("\u{1B}[;2ma b\u{1B}[m"))
            #expect(
                try output([Span("a", dim), Span(" "), Span("b", Style(.standard, .bold))])
                    .contains("\u{1B}[;2ma \u{1B}[;1mb"))
            // A blank is not drawn with a look that would show on it.
            for attributes in [Style.Attributes.underline, .reverse] {
                #expect(
                    try output([Span("a", Style(.standard, attributes)), Span(" b", dim)])
                        .contains("a\u{1B}[m \u{1B}[;2mb"))
            }
            // An underline, a reversal and a mark show.
            for attributes in [Style.Attributes.underline, .reverse] {
                #expect(
                    try output([Span("a"), Span(" ", Style(.standard, attributes)), Span("b")]).contains("m \u{1B}[m"))
            }
            #expect(try output([Span("a"), Span(" \u{301}", dim), Span("b")]).contains("\u{1B}[;2m \u{301}\u{1B}[m"))
        }

        @Test func `Redrawing turns off line drawing that another program has left on`() throws {
            let pty = try Pty()
            var screen = try Self.screen(on: pty)
            screen.draw(Self.frame(screen.size, Line("first")))
            screen.drawAnew(Self.frame(screen.size, Line("second")))
            screen.close()
            let parts = pty.finish().components(separatedBy: "first")
            #expect(parts.last?.components(separatedBy: "second").first?.contains("\u{1B}(B") == true)
        }

        @Test func `Redrawing sends everything again`() throws {
            let pty = try Pty()
            var screen = try Self.screen(on: pty)
            screen.draw(Self.frame(screen.size, Line("everything")))
            screen.drawAnew(Self.frame(screen.size, Line("everything")))
            screen.close()
            #expect(pty.finish().components(separatedBy: "everything").count == 3)
        }

        @Test func `A wide character never exceeds the edge, for a frame of any size`() throws {
            let pty = try Pty(columns: 3, rows: 1)
            var screen = try Self.screen(on: pty)
            screen.draw(Frame(size: Size(columns: 10, rows: 4), lines: [Line("漢字漢字"), Line("below")]))
            screen.draw(Frame(size: Size(columns: 1, rows: 0), lines: []))
            screen.close()
            let output = pty.finish()
            #expect(output.contains("漢") && !output.contains("字") && !output.contains("below"))
        }

        @Test func `Colour is used only when wanted and available; without it accents are bold`() throws {
            func output(color: Bool, term: String) throws -> String {
                let pty = try Pty()
                var screen = try Self.screen(on: pty, color: color, term: term)
                screen.draw(Self.frame(screen.size, [Span("accent", Style(.accent)), Span("name", Style(.name(-5)))]))
                screen.close()
                return pty.finish()
            }
            #expect(try output(color: true, term: "xterm-256color").contains("\u{1B}[38;5;32maccent"))
            #expect(try output(color: true, term: "xterm").contains("\u{1B}[36maccent"))
            for plain in [try output(color: false, term: "xterm-256color"), try output(color: true, term: "vt220")] {
                #expect(plain.contains("\u{1B}[;1m"))
                #expect(!plain.contains("\u{1B}[3"))
            }
        }

        @Test(arguments: ["xterm-256color", "linux", "vt100"])
        func `Afterwards the terminal is as it was`(term: String) throws {
            let pty = try Pty()
            let before = pty.settings
            var screen = try Self.screen(on: pty, term: term)
            #expect(pty.settings != before)
            screen.draw(Self.frame(screen.size, Line("text")))
            screen.close()
            #expect(pty.settings == before)
            let output = pty.finish()
            if term == "xterm-256color" {
                let leave = try #require(output.range(of: "\u{1B}[?1049l"))
                #expect(output[..<leave.lowerBound].contains("\u{1B}[?1049h"))
                let hide = try #require(output.range(of: "\u{1B}[?25l", options: .backwards))
                let show = try #require(output.range(of: "\u{1B}[?25h", options: .backwards))
                #expect(hide.lowerBound < show.lowerBound, "the cursor is visible")
            }
        }

        @Test func `The size follows the terminal and is never zero`() throws {
            let pty = try Pty(columns: 40, rows: 6)
            var screen = try Self.screen(on: pty)
            for (columns, rows) in [(100, 50), (1, 1), (2, 1), (300, 3), (80, 24)] {
                pty.resize(columns: columns, rows: rows)
                let size = screen.updateSize()
                #expect(size == Size(columns: columns, rows: rows))
                let line = Line(CleanText(String(repeating: "漢", count: 200)))
                let lines = Array(repeating: line, count: rows)
                screen.draw(Frame(size: screen.size, lines: lines, cursor: ScreenPosition(row: 0, column: 0)))
            }
            pty.resize(columns: 0, rows: 0)
            let size = screen.updateSize()
            #expect(size.columns > 0 && size.rows > 0)
            screen.close()
            _ = pty.finish()
        }

        @Test func `Keys are decoded as this terminal sends them`() throws {
            let pty = try Pty()
            var screen = try Self.screen(on: pty, term: "linux")
            let none = screen.readInput()
            #expect(none.isEmpty)
            let start = ContinuousClock.now
            pty.type(Array("a\u{3}\u{1A}é\u{1B}[[A\u{1B}[A\r\u{1B}".utf8))
            let early = screen.readInput(at: start)
            #expect(screen.inputDeadline == start + .milliseconds(25))
            let keys = early + screen.readInput(at: start + .milliseconds(25))
            #expect(
                keys
                    == ([
                        .character("a"), .control("c"), .control("z"), .character("é"), .function(1), .up, .enter,
                        .escape,
                    ] as [Key]).map(Input.key))
            let isClosed = screen.isClosed
            #expect(!isClosed)
            screen.close()
            _ = pty.finish()
        }

        @Test func `No byte of a large input is lost`() throws {
            let pty = try Pty()
            var screen = try Self.screen(on: pty)
            let typed = String(repeating: "漢é\u{1B}[A", count: 400)
            pty.type(Array(typed.utf8))
            let keys = screen.readInput()
            #expect(keys == (0..<400).flatMap { _ in [.key(.character("漢")), .key(.character("é")), .key(.up)] })
            screen.close()
            _ = pty.finish()
        }

        @Test func `A terminal that is gone is noticed`() throws {
            let ends = try PseudoTerminal(columns: 40, rows: 6)
            let (master, slave) = (ends.master, ends.slave)
            var screen = try Screen(color: true, input: slave, output: slave, term: "xterm-256color")
            close(master)
            for _ in 0..<2 {
                let keys = screen.readInput()
                let isClosed = screen.isClosed
                #expect(keys == [] && isClosed)
            }
            screen.draw(Self.frame(screen.size, Line("nobody sees this")))
            screen.close()
            close(slave)
        }

        @Test(
            arguments: [
                (nil, "TERM is not set"), ("", "TERM is not set"), ("no-such-thing", "'no-such-thing'"),
                ("dumb", "'dumb'"),
                ("../../etc/passwd", "terminfo"), ("\u{1B}[2J", "'␛[2J'"),
            ] as [(String?, String)])
        func `A descriptor or terminal that cannot show a screen is an error that says what to do`(
            term: String?, expected: String
        ) throws {
            let pty = try Pty()
            let before = pty.settings
            let error = #expect(throws: TerminalError.self) { _ = try Self.screen(on: pty, term: term) }
            let text = try #require(error).description
            #expect(text.contains(expected))
            #expect(!text.contains("\n"))
            #expect(pty.settings == before)
            #expect(pty.finish() == "")
            let null = open("/dev/null", O_RDWR)
            defer { close(null) }
            #expect(throws: TerminalError.self) {
                _ = try Screen(color: true, input: null, output: null, term: "xterm")
            }
        }
    }
}
