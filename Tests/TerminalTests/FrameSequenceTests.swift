import Display
import Foundation
import TestSupport
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct FrameSequenceTests {
        private static let sequences = 100

        @Test func `After any sequence of frames the screen equals the last frame drawn on an empty screen`() throws {
            let seed = ProcessInfo.processInfo.environment["KEDGE_SEED"].flatMap(UInt64.init) ?? 1
            print("seed \(seed): \(Self.sequences) sequences of frames")
            let emulator = try Emulator()
            for number in 0..<UInt64(Self.sequences) {
                var maker = FrameMaker(seed: seed &+ number)
                let steps = maker.steps()
                guard try Self.difference(steps, in: emulator) != nil else { continue }
                let few = try Self.shrunk(steps, in: emulator)
                let difference = try Self.difference(few, in: emulator) ?? "none when drawn again"
                Issue.record(
                    "KEDGE_SEED=\(seed &+ number): \(difference)\n\(few.map(\.description).joined(separator: "\n"))")
                return
            }
        }

        @Test(arguments: [
            ("a漢", "a漢"), ("aa漢", "aa"), ("aa漢x", "aa"), ("aaa漢", "aaa漢"), ("a漢漢", "a漢漢"), ("aaaax", "aaaax"),
        ])
        func `A wide character just before the last cell of the screen is not split`(end: String, shown: String) throws
        {
            let emulator = try Emulator()
            let start = String(repeating: "a", count: 15)
            let frame = Frame(size: Size(columns: 20, rows: 2), lines: [Line("漢字"), Line(CleanText(start + end))])
            let screen = try emulator.show([try Self.output(of: [Step(frame: frame)])])[0]
            #expect(screen.columns == [20, 20])
            #expect(screen.text == "漢字\n" + start + shown)
        }

        /// Leaves out steps, one by one, as long as there is a difference.
        private static func shrunk(_ steps: [Step], in emulator: Emulator) throws -> [Step] {
            var steps = steps
            var index = 0
            while index < steps.count && steps.count > 1 {
                var fewer = steps
                fewer.remove(at: index)
                if try difference(fewer, in: emulator) != nil { steps = fewer } else { index += 1 }
            }
            return steps
        }

        /// The difference between the screen after all steps and the last frame; nil when there is none.
        private static func difference(_ steps: [Step], in emulator: Emulator) throws -> String? {
            guard let last = steps.last else { return nil }
            let shown = try emulator.show([try output(of: steps), try output(of: [Step(frame: last.frame)])])
            let rows = [shown[0].text, last.frame.text].map {
                $0.split(separator: "\n", omittingEmptySubsequences: false)
            }
            for (row, texts) in zip(rows[0], rows[1]).enumerated() where texts.0 != texts.1 {
                return "row \(row) is\n\(texts.0)\nand should be\n\(texts.1)"
            }
            for (row, looks) in zip(shown[0].rows, shown[1].rows).enumerated() where looks.0 != looks.1 {
                return "row \(row) looks like \(looks.0) and should look like \(looks.1)"
            }
            for (row, columns) in shown[0].columns.enumerated() where columns != last.frame.size.columns {
                return "row \(row) ends at column \(columns): \(shown[0].rows[row])"
            }
            let cursor = last.frame.cursor.map { "\($0.row):\($0.column)" }
            let cursors = [shown[0].cursor, shown[1].cursor]
            return cursors == [cursor, cursor]
                ? nil : "the cursor is at \(cursors) and should be at \(cursor ?? "none")"
        }

        /// The output for the terminal up to the last step.
        private static func output(of steps: [Step]) throws -> [(columns: Int, rows: Int, bytes: String)] {
            guard var size = steps.first?.frame.size else { return [] }
            let pty = try Pty(columns: size.columns, rows: size.rows)
            var screen = try ScreenTests.screen(on: pty, term: "tmux-256color")
            var sizes = [size]
            for step in steps {
                if step.frame.size != size {
                    size = step.frame.size
                    sizes.append(size)
                    pty.say(resized)
                    pty.resize(columns: size.columns, rows: size.rows)
                    let now = screen.updateSize()
                    #expect(now == size)
                }
                if step.isAnew { pty.say("\u{1B}[Hsomebody else\r\n\u{1B}[2Mwrote this") }
                if step.isAnew { screen.drawAnew(step.frame) } else { screen.draw(step.frame) }
            }
            pty.say(ended)
            screen.close()
            let frames = pty.finish().components(separatedBy: ended)[0]
            return zip(sizes, frames.components(separatedBy: resized)).map { ($0.columns, $0.rows, $1) }
        }

        // Not for the terminal: it only marks where to cut the output.
        private static let resized = "\u{1B}]resized\u{7}"
        private static let ended = "\u{1B}]ended\u{7}"
    }
}

extension Pty {
    /// Writes like another program on the same terminal.
    fileprivate func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(slave, $0.baseAddress, $0.count) }
    }
}
