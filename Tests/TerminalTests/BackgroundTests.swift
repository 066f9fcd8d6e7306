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
            screen.draw(Frame(size: screen.size, lines: [bar]))
            pty.type(report)
            #expect(screen.readInput(at: .now + delay) == [])
            screen.draw(Frame(size: screen.size, lines: [bar]))
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

        @Test func `A theme of the settings asks for nothing`() throws {
            let output = try Self.output(ThemeSettings(.dark))
            #expect(!output.contains(Self.question) && output.contains("48;5;236m"))
            #expect(!output.contains(Self.lightBar))
        }

        @Test func `Few colours reverse the bar`() throws {
            let output = try Self.output(ThemeSettings(.sixteen))
            #expect(output.contains("7mGeneral") && !output.contains(Self.question))
        }
    }
}
