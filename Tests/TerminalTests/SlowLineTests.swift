import Display
import Foundation
import Testing

@testable import Terminal

/// What a decoder makes of bytes that come in pieces, with the same pause between all of them.
struct Wire {
    let inputs: [Input]

    /// - Parameter silence: the time after the last piece.
    init(_ pieces: [[UInt8]], pause: Duration, silence: Duration = .seconds(10), sequences: [[UInt8]: Key] = [:]) {
        Width.prepare()
        var decoder = KeyDecoder(sequences: sequences)
        var (now, inputs) = (ContinuousClock.now, [Input]())
        /// Time passes as in the event loop, which wakes at each deadline.
        func pass(_ duration: Duration) {
            let end = now + duration
            while let deadline = decoder.deadline, deadline < end {
                now = deadline
                inputs += decoder.expire(at: now)
            }
            now = end
        }
        for (index, piece) in pieces.enumerated() {
            if index > 0 { pass(pause) }
            inputs += decoder.decode(piece, at: now)
        }
        pass(silence)
        self.inputs = inputs
    }
}

extension TerminalTests {
    /// A network delivers the bytes of a key in pieces.
    @Suite
    struct SlowLineTests {
        private static let sequences: [[UInt8]: Key] = [
            Array("\u{1B}[24~".utf8): .function(12), Array("\u{1B}Od".utf8): .held(.control, .left),
        ]

        /// Every kind of sequence that a terminal sends, and of characters of several bytes.
        static let sequenceTexts = [
            "\u{1B}[A", "\u{1B}OA", "\u{1B}[Z", "\u{1B}OP", "\u{1B}OR", "\u{1B}[5~", "\u{1B}[24~", "\u{1B}[[A",
            "\u{1B}Od", "\u{1B}[1;5D", "\u{1B}[3;5~", "\u{1B}[27u", "\u{1B}[99;5u", "\u{1B}[1089::99;5u",
            "\u{1B}[<0;12;5M", "\u{1B}[<64;10;10M", "\u{1B}[<65;200;100M", "\u{1B}[<66;1;1M",
            "\u{1B}[I", "\u{1B}[O", "\u{1B}[?62;22c", "\u{1B}[?0u", "\u{1B}[6;18;9t", "\u{1B}[?2026;2$y",
            "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{7}", "\u{1B}]11;rgb:ff/ff/ff\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
            "\u{1B}[200~exit now\rx\u{1B}[201~", "\u{1B}[200~\u{1B}[201~",
        ]

        private static func whole(_ bytes: [UInt8]) -> [Input] {
            Wire([bytes], pause: .zero, sequences: sequences).inputs
        }

        @Test(arguments: sequenceTexts)
        func `A sequence that is split anywhere, with any pause, is that sequence and no other key`(text: String) {
            let bytes = Array(text.utf8)
            let expected = Self.whole(bytes)
            let key = Input.key(.character("j"))
            for pause in [1, 24, 26, 80, 120, 500, 990, 1_100, 2_500, 4_900] {
                for cut in 1..<bytes.count {
                    let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
                    let inputs = Wire(pieces, pause: .milliseconds(pause), sequences: Self.sequences).inputs
                    // An Esc alone has acted by then.
                    let wanted = cut == 1 && pause > 25 ? [.key(.escape)] + expected : expected
                    #expect(inputs == wanted, "cut at \(cut), \(pause) ms")
                    let after = Wire(
                        pieces + [Array("j".utf8)], pause: .milliseconds(pause), sequences: Self.sequences)
                    #expect(after.inputs == wanted + [key], "cut at \(cut), \(pause) ms, then a key")
                }
                guard pause < 1_000 else { continue }
                let inputs = Wire(bytes.map { [$0] }, pause: .milliseconds(pause), sequences: Self.sequences).inputs
                #expect(inputs == (pause > 25 ? [.key(.escape)] : []) + expected, "byte by byte, \(pause) ms")
            }
        }

        @Test func `A character that is split anywhere is that character`() {
            for text in ["é", "漢", "👍", "a漢b", "\u{1B}[A漢"] {
                let bytes = Array(text.utf8)
                for pause in [1, 80, 20_000] {
                    for cut in 1..<bytes.count where bytes[cut - 1] >= 0x80 || bytes[cut - 1] == 0x61 {
                        let wire = Wire(
                            [Array(bytes[..<cut]), Array(bytes[cut...])], pause: .milliseconds(pause))
                        #expect(wire.inputs == Self.whole(bytes), "\(text) cut at \(cut), \(pause) ms")
                    }
                }
            }
            #expect(Wire("\u{1B}é".utf8.map { [$0] }, pause: .milliseconds(20)).inputs == [.key(.alt("é"))])
        }

        @Test func `No part of a sequence that never ends is a key`() {
            for text in Self.sequenceTexts where !text.contains("200~") {
                let bytes = Array(text.utf8)
                for count in 2..<bytes.count where Self.whole(Array(bytes[..<count])).isEmpty {
                    for pause in [24, 1_100, 4_900] {
                        let pieces = [Array(bytes[..<min(2, count)]), Array(bytes[min(2, count)..<count])]
                        let inputs = Wire(pieces, pause: .milliseconds(pause), sequences: Self.sequences).inputs
                        #expect(inputs.isEmpty, "\(text.debugDescription) cut off at \(count), \(pause) ms")
                    }
                }
            }
        }

        @Test(arguments: ["\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P"])
        func `The start of a sequence is waited for one second, and then keys are keys`(start: String) {
            for key in "jkqA" where !(key == "A" && "[O".contains(start.last ?? " ")) {
                let typed = [Array(start.utf8), Array(String(key).utf8)]
                #expect(Wire(typed, pause: .seconds(1.1)).inputs == [.key(.character(key))], "\(key)")
            }
            #expect(Wire([Array(start.utf8), [0x03]], pause: .milliseconds(10)).inputs == [.key(.control("c"))])
            #expect(Wire([Array(start.utf8), [0x0D]], pause: .milliseconds(10)).inputs == [.key(.enter)])
        }

        @Test func `Keys that are typed after Esc are those keys`() {
            for text in ["j", "[", "O", "[]", "OK", "Or", "]j", "P", "i[1]", "\u{1B}j", "A"] {
                let pieces = [[0x1B]] + text.utf8.map { [$0] }
                let keys = text == "\u{1B}j" ? [Key.escape, .character("j")] : text.map { .character($0) }
                for pause in [120, 400, 1_200] {
                    let inputs = Wire(pieces, pause: .milliseconds(pause)).inputs
                    #expect(inputs == ([.escape] + keys).map(Input.key), "\(text.debugDescription), \(pause) ms")
                }
            }
        }

        @Test func `A report without an end takes bounded memory, and is never typed`() {
            for start in ["\u{1B}]0;", "\u{1B}P1$r", "\u{1B}[1"] {
                Width.prepare()
                var decoder = KeyDecoder(sequences: [:])
                let now = ContinuousClock.now
                var inputs = decoder.decode(Array(start.utf8), at: now)
                for _ in 0..<100 { inputs += decoder.decode([UInt8](repeating: 0x31, count: 1_000), at: now) }
                inputs += decoder.decode(Array("7A\u{1B}\\j".utf8), at: now)
                let isString = !start.contains("[")
                #expect(inputs == (isString ? [.key(.character("j"))] : [.key(.alt("\\")), .key(.character("j"))]))
            }
        }

        @Test(
            arguments: [
                ([:], 25), (["ESCDELAY": "200"], 200), (["ESCDELAY": "0"], 0), (["ESCDELAY": "x"], 25),
                (["ESCDELAY": "-5"], 25), (["SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"], 100),
                (["SSH_TTY": "/dev/pts/1"], 100), (["SSH_TTY": ""], 25), (["TMUX": "/tmp/x,1,0"], 100),
                (["TERM": "tmux-256color"], 100), (["SSH_TTY": "/dev/pts/1", "ESCDELAY": "50"], 50),
            ] as [([String: String], Int)])
        func `An Esc waits as long as ESCDELAY says, and longer over a network`(
            environment: [String: String], milliseconds: Int
        ) {
            let delay = KeyDecoder.escapeDelay(environment: environment)
            #expect(delay == .milliseconds(milliseconds))
            var decoder = KeyDecoder(sequences: [:], escapeDelay: delay)
            let now = ContinuousClock.now
            #expect(decoder.decode([0x1B], at: now) == [] && decoder.deadline == now + delay)
            #expect(milliseconds == 0 || decoder.expire(at: now + delay - .milliseconds(1)) == [])
            #expect(decoder.expire(at: now + delay) == [.key(.escape)])
        }
    }

    /// Kitty's keyboard protocol.
    @Suite
    struct KeyboardProtocolTests {
        @Test(
            arguments: [
                ("[27u", [.escape]), ("[27;129u", [.escape]), ("[97;5u", [.control("a")]),
                ("[99;133u", [.control("c")]),
                ("[105;5u", [.tab]), ("[109;5u", [.enter]), ("[91;5u", [.escape]), ("[32;5u", [.control("@")]),
                ("[47;5u", [.control("_")]), ("[97;3u", [.alt("a")]), ("[97;4u", [.alt("A")]),
                ("[49:33;4u", [.alt("!")]), ("[1089::99;5u", [.control("c")]), ("[13;3u", [.altEnter]),
                ("[13;2u", [.enter]), ("[9;2u", [.backTab]), ("[127;3u", [.alt("\u{7F}")]),
                ("[127;5u", [.held(.control, .backspace)]), ("[57414u", [.enter]), ("[57399u", [.character("0")]),
                ("[57415u", [.character("=")]), ("[57419u", [.up]), ("[57426;5u", [.held(.control, .delete)]),
                ("[97u", [.character("a")]), ("[233;2u", [.character("É")]),
                // Releases, Super, Ctrl with Alt, and keys without a meaning.
                ("[97;1:3u", []), ("[97;9u", []), ("[97;7u", []), ("[57441u", []), ("[99999999999;1u", []), ("[u", []),
            ] as [(String, [Key])])
        func `Its keys are the keys that they are without it`(text: String, keys: [Key]) {
            #expect(Wire([Array("\u{1B}\(text)".utf8)], pause: .zero).inputs == keys.map(Input.key))
        }

        private static let question = "\u{1B}[?u"
        private static let on = "\u{1B}[>5u"
        private static let off = "\u{1B}[<u"

        /// Draws, lets the terminal reply, gives the terminal away, takes it again, and ends.
        private static func output(_ reply: String, term: String = "xterm-256color") throws -> String {
            let pty = try Pty()
            var screen = try ScreenTests.screen(on: pty, term: term)
            screen.draw(ScreenTests.frame(screen.size, Line("one")))
            pty.type(Array(reply.utf8))
            #expect(screen.readInput() == [])
            screen.draw(ScreenTests.frame(screen.size, Line("two")))
            _ = screen.handOver()
            screen.drawAnew(ScreenTests.frame(screen.size, Line("three")))
            screen.close()
            return pty.finish()
        }

        @Test func `It is on while the program has the screen of a terminal that knows it`() throws {
            let parts = try Self.output("\u{1B}[?0u").components(separatedBy: Self.on)
            #expect(parts.count == 3)
            #expect(parts[0].components(separatedBy: Self.question).count == 2, "asked once")
            #expect(parts[0].contains("one") && !parts[0].contains("two"))
            for part in parts.dropFirst() {
                // On the screen that is left, which has a stack of its own.
                let off = try #require(part.range(of: Self.off))
                let leave = try #require(part.range(of: "\u{1B}[?1049l"))
                #expect(off.lowerBound < leave.lowerBound)
                #expect(part.components(separatedBy: Self.off).count == 2)
            }
        }

        @Test func `A terminal that does not know it is asked once, if at all, and told nothing`() throws {
            for (term, count) in [("xterm-256color", 1), ("vt100", 0)] {
                let output = try Self.output("", term: term)
                #expect(output.components(separatedBy: Self.question).count - 1 == count)
                #expect(!output.contains(Self.on) && !output.contains(Self.off))
            }
        }
    }
}
