import Display
import Foundation
import Testing

@testable import Terminal

extension TerminalTests {
    /// The colours follow the background of the terminal.
    @Suite
    struct BackgroundTests {
        private static let report = Array("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}".utf8)
        private static let question = "\u{1B}]11;?\u{7}"
        private static let darkBar = "48;5;238m"
        private static let lightBar = "48;5;254m"

        /// Draws a bar twice, with the terminal's report between.
        private static func output(_ theme: ThemeSettings, after delay: Duration = .zero) throws -> String {
            let pty = try Pty(columns: 30, rows: 3)
            var screen = try Screen(
                color: true, theme: theme, input: pty.slave, output: pty.slave, term: "xterm-256color")
            let bar = Line("General").padded(to: 30).on(.bar)
            let text = Line("text")
            screen.draw(Frame(size: screen.size, lines: [bar, text]))
            pty.type(report)
            #expect(screen.readInput(at: .now + delay) == [])
            screen.draw(Frame(size: screen.size, lines: [bar, text]))
            screen.close()
            return pty.finish()
        }

        @Test func `A light terminal gets light bars as soon as it has reported its background`() throws {
            let output = try Self.output(ThemeSettings())
            let frames = output.components(separatedBy: Self.question)
            #expect(frames.count == 2, "asked once, after the first frame")
            #expect(frames.first?.contains(Self.darkBar) == true)
            #expect(frames.last?.contains(Self.lightBar) == true)
        }

        @Test func `A report that comes too late changes nothing`() throws {
            #expect(try !Self.output(ThemeSettings(), after: .seconds(2)).contains(Self.lightBar))
        }

        @Test func `A dark theme paints its background on a light terminal, from the first frame on`() throws {
            let output = try Self.output(ThemeSettings(.dark))
            let frames = output.components(separatedBy: Self.question)
            #expect(frames.count == 2)
            #expect(frames.first?.contains("48;5;234m") == true && frames.first?.contains("48;5;237m") == true)
            #expect(frames.last?.contains(Self.lightBar) == false)
        }

        @Test func `A light theme gives a light terminal its own background back`() throws {
            let frames = try Self.output(ThemeSettings(.light)).components(separatedBy: Self.question)
            #expect(frames.count == 2)
            guard let first = frames.first, let second = frames.last else { return }
            #expect(first.contains("48;5;231m") && first.contains("text"))
            #expect(!second.contains("48;5;231m") && second.contains("text"), "drawn anew")
        }

        @Test func `A theme with a background of its own asks for nothing`() throws {
            let output = try Self.output(ThemeSettings(.highContrast))
            #expect(!output.contains(Self.question) && !output.contains(Self.lightBar))
        }

        @Test func `Few colours reverse the bar`() throws {
            let output = try Self.output(ThemeSettings(.sixteen))
            #expect(output.contains("7mGeneral") && !output.contains(Self.question))
        }
    }
}
