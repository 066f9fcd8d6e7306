import Display
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct KeyTests {
        struct Example: CustomTestStringConvertible, Sendable {
            let typed: String
            let keys: [Key]

            var testDescription: String { typed.debugDescription }

            init(_ typed: String, _ keys: Key...) {
                self.typed = typed
                self.keys = keys
            }
        }

        static let examples = [
            Example("aé漢👍", .character("a"), .character("é"), .character("漢"), .character("👍")),
            Example("e\u{301}👨\u{200D}👩x", .character("e\u{301}"), .character("👨\u{200D}👩"), .character("x")),
            Example("\r\t\u{7F}\u{8}", .enter, .tab, .backspace, .backspace),
            Example(
                "\u{3}\u{1A}\u{13}\u{11}\u{F}\u{19}\u{16}", .control("c"), .control("z"), .control("s"),
                .control("q"), .control("o"), .control("y"), .control("v")),
            Example(
                "\0\u{1C}\u{1D}\u{1E}\u{1F}\n", .control("@"), .control("\\"), .control("]"), .control("^"),
                .control("_"), .control("j")),
            Example("\u{1B}", .escape),
            Example("\u{1B}\u{1B}", .escape, .escape),
            Example("\u{1B}a\u{1B}é\u{1B}\r", .alt("a"), .alt("é"), .altEnter),
            Example(
                "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{7}a\u{1B}]11;rgb:ff/ff/ff\u{1B}\\b", .character("a"), .character("b")),
            // No hand types the start of a sequence.
            Example("\u{1B}["), Example("\u{1B}O"), Example("\u{1B}]"), Example("\u{1B}P"),
            Example("\u{1B}]11;rgb:1c1c"), Example("\u{1B}P1$r0"), Example("\u{1B}[<64;10"), Example("\u{1B}[[x"),
            Example("\u{1B}]11;rgb\ra\u{1B}]x b", .enter, .character("a"), .character(" "), .character("b")),
            Example("\u{1B}X\u{1B}^\u{1B}_\u{1B}__", .alt("X"), .alt("^"), .alt("_"), .alt("_"), .character("_")),
            Example("\u{1B}\u{1B}[A", .escape, .up),
            Example("\u{1B}\u{1}", .escape, .control("a")),
            Example("\u{1B}[A\u{1B}OA\u{1B}[B\u{1B}[C\u{1B}[D", .up, .up, .down, .right, .left),
            Example("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~\u{1B}[F\u{1B}[4~", .home, .home, .home, .home, .end, .end),
            Example("\u{1B}[5~\u{1B}[6~\u{1B}[2~\u{1B}[3~", .pageUp, .pageDown, .insert, .delete),
            Example("\u{1B}[Z", .backTab),
            Example(
                "\u{1B}OP\u{1B}[11~\u{1B}[[A\u{1B}[15~\u{1B}[24~", .function(1), .function(1), .function(1),
                .function(5), .function(12)),
            Example("\u{1B}Oq\u{1B}OM\u{1B}Ok", .character("1"), .enter, .character("+")),
            Example("\u{1B}[1;5Aa", .held(.control, .up), .character("a")),
            Example(
                "\u{1B}[1;3A\u{1B}[1;3D\u{1B}[1;9C\u{1B}[1;2H\u{1B}[1;8F", .altUp, .held(.alt, .left),
                .held(.alt, .right), .held(.shift, .home), .held([.control, .alt, .shift], .end)),
            Example("\u{1B}[3;5~\u{1B}[5;3~\u{1B}[1;129A", .held(.control, .delete), .held(.alt, .pageUp), .up),
            Example("\u{1B}[1;5R\u{1B}[24;80R\u{1B}[15;2~\u{1B}[201~\u{1B}[1;17A"),
            Example("\u{1B}[?2026;2$yb", .character("b")),
            Example("\u{1B}]11;rgb:0/0/0\u{7}e\u{1B}P1$r\u{1B}\\f", .character("e"), .character("f")),
            Example("\u{1B}[12"),
            Example("\u{9B}A", .character("A")),
        ]

        @Test(arguments: examples)
        func `Bytes become keys`(_ example: Example) {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            let start = ContinuousClock.now
            let inputs =
                decoder.decode(Array(example.typed.utf8), at: start) + decoder.expire(at: start + .seconds(10))
            #expect(inputs == example.keys.map(Input.key))
        }

        @Test(
            arguments: [
                [0xFF], [0xC3], [0xE6, 0xBC], [0x80, 0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            ] as [[UInt8]])
        func `Bytes that are not UTF-8 are dropped, and nothing else is`(_ bytes: [UInt8]) {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            #expect(
                decoder.decode([0x61] + bytes + [0x62], at: .now) == [.key(.character("a")), .key(.character("b"))])
        }

        @Test func `No sequence of bytes blocks the decoder`() {
            Width.prepare()
            let interesting: [UInt8] = [
                0x1B, 0x5B, 0x4F, 0x4D, 0x3B, 0x31, 0x7E, 0x24, 0x5D, 0x07, 0x41, 0xC3, 0xA9, 0x00, 0x3C,
            ]
            var stack: [[UInt8]] = [[]]
            while let bytes = stack.popLast() {
                var decoder = KeyDecoder(sequences: [:])
                let start = ContinuousClock.now
                _ = decoder.decode(bytes, at: start)
                _ = decoder.expire(at: start + .seconds(10))
                let after = decoder.decode(Array("j".utf8), at: start + .seconds(11))
                if after.last != .key(.character("j")) || decoder.deadline != nil { Issue.record("stuck at \(bytes)") }
                if bytes.count < 4 { stack += interesting.map { bytes + [$0] } }
            }
        }
    }
}
