import Display
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct PasteTests {
        private static let start = "\u{1B}[200~"
        private static let end = "\u{1B}[201~"

        @Test func `The text between the marks is one paste, in whatever pieces it arrives`() {
            Width.prepare()
            let text = "line\r\nEsc \u{1B}[A \u{1B}[200~ 天気 q\u{3}"
            let bytes = Array("a\(Self.start)\(text)\(Self.end)b".utf8)
            let expected: [Input] = [.key(.character("a")), .paste(text), .key(.character("b"))]
            for cut in 0...bytes.count {
                var decoder = KeyDecoder(sequences: [:])
                #expect(decoder.decode(Array(bytes[..<cut])) + decoder.decode(Array(bytes[cut...])) == expected)
            }
            var decoder = KeyDecoder(sequences: [:])
            #expect(bytes.flatMap { decoder.decode([$0]) } == expected)
        }

        @Test func `A paste does not delay keys`() {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            #expect(decoder.decode(Array("\(Self.start)half \u{1B}".utf8)).isEmpty)
            #expect(!decoder.isWithinSequence)
            #expect(decoder.decode(Array(Self.end.utf8)) == [.paste("half \u{1B}")])
        }

        @Test func `A paste without an end ends after a pause of a second, and keys are keys again`() throws {
            let pty = try Pty()
            var screen = try ScreenTests.screen(on: pty)
            let start = ContinuousClock.now
            func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
            pty.type(Array("a\(Self.start)one".utf8))
            let before = screen.readInput(at: time(0))
            #expect(before == [.key(.character("a"))])
            pty.type(Array(" two".utf8))
            let early = screen.readInput(at: time(900))
            #expect(early.isEmpty && screen.inputDeadline == time(1_900))
            let waiting = screen.readInput(at: time(1_899))
            #expect(waiting.isEmpty)
            let text = screen.readInput(at: time(1_900))
            #expect(text == [.paste("one two")] && screen.inputDeadline == nil)
            // A late end mark has no effect.
            pty.type(Array("\(Self.end)b".utf8))
            let behind = screen.readInput(at: time(1_950))
            #expect(behind == [.key(.character("b"))])
            pty.type(Array("\(Self.start)three".utf8))
            let second = screen.readInput(at: time(2_000))
            #expect(second.isEmpty)
            // Text that has arrived belongs to the paste, however late it is read.
            pty.type(Array("!\(Self.end)".utf8))
            let late = screen.readInput(at: time(9_000))
            #expect(late == [.paste("three!")])
            screen.close()
            _ = pty.finish()
        }

        @Test func `Several pastes, empty ones and bytes that are not UTF-8 are read`() {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            let bytes = Array((Self.start + Self.end + Self.start).utf8) + [0xFF, 0x41] + Array(Self.end.utf8)
            #expect(decoder.decode(bytes) == [.paste(""), .paste("\u{FFFD}A")])
        }
    }
}
