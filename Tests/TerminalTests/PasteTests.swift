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
                #expect(Wire([Array(bytes[..<cut]), Array(bytes[cut...])], pause: .milliseconds(1)).inputs == expected)
            }
            #expect(Wire(bytes.map { [$0] }, pause: .milliseconds(1)).inputs == expected)
        }

        @Test func `A paste is text until its end, however long the line stalls within it`() {
            let text = "line one\rline two\r"
            let whole = Array("\(Self.start)\(text)\(Self.end)".utf8)
            for cut in 2..<whole.count {
                for pause in [0.5, 1.2, 2.5, 4.9] {
                    let wire = Wire([Array(whole[..<cut]), Array(whole[cut...])], pause: .seconds(pause))
                    #expect(wire.inputs == [.paste(text)], "cut at \(cut), \(pause) s")
                }
            }
            #expect(Wire(whole.map { [$0] }, pause: .milliseconds(20)).inputs == [.paste(text)])
            // Each byte of the text comes for itself, after a pause; the marks are whole.
            let pieces = [Array(Self.start.utf8)] + text.utf8.map { [$0] } + [Array(Self.end.utf8)]
            #expect(Wire(pieces, pause: .seconds(4)).inputs == [.paste(text)])
        }

        @Test func `A paste without an end stays text after 5 s of silence, and keys are keys again`() throws {
            let pty = try Pty()
            var screen = try ScreenTests.screen(on: pty)
            let start = ContinuousClock.now
            func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
            pty.type(Array("a\(Self.start)one".utf8))
            let before = screen.readInput(at: time(0))
            #expect(before == [.key(.character("a"))])
            pty.type(Array(" two".utf8))
            let early = screen.readInput(at: time(4_900))
            #expect(early.isEmpty && screen.inputDeadline == time(9_900))
            let waiting = screen.readInput(at: time(9_899))
            #expect(waiting.isEmpty)
            let text = screen.readInput(at: time(9_900))
            #expect(text == [.paste("one two")] && screen.inputDeadline == nil)
            // A late end mark has no effect.
            pty.type(Array("\(Self.end)b".utf8))
            let behind = screen.readInput(at: time(9_950))
            #expect(behind == [.key(.character("b"))])
            pty.type(Array("\(Self.start)three".utf8))
            let second = screen.readInput(at: time(10_000))
            #expect(second.isEmpty)
            // Text that has arrived belongs to the paste, however late it is read.
            pty.type(Array("!\(Self.end)".utf8))
            let late = screen.readInput(at: time(29_000))
            #expect(late == [.paste("three!")])
            screen.close()
            _ = pty.finish()
        }

        @Test(arguments: [("\u{1B}", Key.escape), ("\u{3}", .control("c")), ("\u{1B}[A", .up)])
        func `A key that no text has ends a paste whose end is lost, after a pause`(typed: String, key: Key) {
            let half = Array("\(Self.start)half".utf8)
            let late = Wire([half, Array(typed.utf8)], pause: .seconds(1), silence: .milliseconds(100))
            #expect(late.inputs == [.paste("half"), .key(key)])
            // Without a pause it is text, as letters and Enter always are.
            let early = Wire([half, Array(typed.utf8)], pause: .milliseconds(900), silence: .milliseconds(100))
            #expect(early.inputs.isEmpty)
            #expect(Wire([half, Array("\r".utf8)], pause: .seconds(3), silence: .seconds(1)).inputs.isEmpty)
        }

        @Test func `A paste that no message could hold takes bounded memory, and its end is found`() {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            let block = [UInt8](repeating: 0x78, count: 1 << 16)
            var inputs = decoder.decode(Array(Self.start.utf8), at: .now)
            for _ in 0..<160 { inputs += decoder.decode(block, at: .now) }
            inputs += decoder.decode(Array("\(Self.end)b".utf8), at: .now)
            guard case .paste(let text)? = inputs.first else { return #expect(inputs.isEmpty, "no paste") }
            #expect(text.utf8.count == KeyDecoder.longestPaste && inputs.dropFirst() == [.key(.character("b"))])
        }

        @Test func `Several pastes, empty ones and bytes that are not UTF-8 are read`() {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            let bytes = Array((Self.start + Self.end + Self.start).utf8) + [0xFF, 0x41] + Array(Self.end.utf8)
            #expect(decoder.decode(bytes, at: .now) == [.paste(""), .paste("\u{FFFD}A")])
        }
    }
}
