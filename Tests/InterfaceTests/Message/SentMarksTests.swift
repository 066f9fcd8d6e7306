import Display
import Markup
import Messages
import TestSupport
import Testing

@testable import Interface

/// What the screen shows as bold is what is sent as bold.
struct SentMarksTests {
    private static let pieces = [
        "word ", "a longer line of words that wraps\n", "\n", "\n```\n", "\n```c\n", "\n> quoted ", "\n- item ", "天気",
        "e\u{301}", "**bold** ",
        "*", "**", "`", "_", "~~", "[a](https://example.org) ", "https://example.org/a ", "\r\n", "\t", "\u{2028}",
        "x\ry\n", "👍🏽",
        "🇩🇪",
    ]

    /// The kinds of the lines, and the looks in them.
    private func told(_ lines: some Sequence<(LineKind, isQuote: Bool, Markup)>) -> [String] {
        lines.map { "\($0) \($1) \($2.pieces.map(\.look.rawValue))" }
    }

    @Test(arguments: 0..<200)
    func `A text is shown with the marks that are sent`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = ""
        let count = seed % 10 == 0 ? 20_000 : 200
        // Some texts have lines that are longer than a section.
        let isBroken = seed % 20 != 0
        while text.utf8.count < count {
            let piece = Self.pieces.randomElement(using: &random) ?? ""
            if isBroken || !piece.contains(where: \.isNewline) { text += piece }
        }
        var script = Script("2025-03-01T12:00:00Z")
        script.add(text, from: "Ana", kind: seed % 3 == 0 ? .action : .text)
        let message = script.messages[0]
        let shown = Entry(message, after: nil, zone: .utc).body.lines.map { ($0.kind, $0.head.isQuote, $0.markup) }
        let sent = Array(text.utf8).withUnsafeBufferPointer { bytes in
            MarkedLines(bytes, hasHeads: message.kind == .text).map { ($0.kind, $0.quotes > 0, $0.markup) }
        }
        #expect(told(shown) == told(sent), "seed \(seed): \(text.debugDescription)")
    }
}
