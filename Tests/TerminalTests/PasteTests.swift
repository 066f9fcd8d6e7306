import Display
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite("Pasting")
    struct PasteTests {
        private static let start = "\u{1B}[200~"
        private static let end = "\u{1B}[201~"

        @Test("What stands between the marks is one text, wherever the bytes are torn apart")
        func torn() {
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

        @Test("Nobody waits for the end of it as for the end of a key")
        func patience() {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            #expect(decoder.decode(Array("\(Self.start)half \u{1B}".utf8)).isEmpty)
            #expect(!decoder.isWithinSequence)
            #expect(decoder.decode(Array(Self.end.utf8)) == [.paste("half \u{1B}")])
        }

        @Test("Several, one empty, and bytes that are no UTF-8")
        func several() {
            Width.prepare()
            var decoder = KeyDecoder(sequences: [:])
            let bytes = Array((Self.start + Self.end + Self.start).utf8) + [0xFF, 0x41] + Array(Self.end.utf8)
            #expect(decoder.decode(bytes) == [.paste(""), .paste("\u{FFFD}A")])
        }
    }
}
