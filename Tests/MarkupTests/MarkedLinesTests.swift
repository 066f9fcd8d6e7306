import Display
import TestSupport
import Testing

@testable import Markup

/// The marks of texts that have not been scrubbed.
struct MarkedLinesTests {
    private struct Line: Equatable {
        let kind: LineKind
        let quotes: Int
        /// The looks of its pieces, and the marks themselves.
        let looks: [UInt8]
        let marks: [String]

        init(_ kind: LineKind, quotes: Int, _ markup: Markup, _ text: [UInt8]) {
            (self.kind, self.quotes) = (kind, quotes)
            looks = markup.pieces.map(\.look.rawValue)
            marks = markup.pieces.filter { $0.look.contains(.mark) }.map {
                CleanText(String(decoding: text[$0.range], as: UTF8.self)).string
            }
        }
    }

    private static func raw(_ text: String) -> [Line] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            MarkedLines(buffer, hasHeads: true).map {
                Line($0.kind, quotes: $0.quotes, $0.markup, Array(bytes[$0.bytes]))
            }
        }
    }

    private static func scrubbed(_ text: String) -> [Line] {
        var fences = Fences(isCode: false)
        return CleanText.lines(text).map { line in
            let kind = fences.next(line.string)
            let head = kind == .prose ? LineHead(line) : .none
            let markup = kind == .prose ? Markup(line, from: head.hang) : .none
            return Line(kind, quotes: head.quotes, markup, Array(line.string.utf8))
        }
    }

    private static let fragments = [
        "*", "**", "_", "~~", "`", "``", "\\", " ", "\t", "\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\n> ", "\n\t> > ",
        "\n- ",
        "\n```\n", "\n\t```x\n", "[", "](https://e.org) ", "https://e.org/a ", "a", "Б", "é", "e\u{301}", "漢", "。", "👍🏽",
        "👨‍👩‍👧", "❤️",
        "*️⃣", "🇩🇪", "क्", "\u{AD}", "\u{200B}", "\u{1B}", "\u{7F}", "\u{90}", "\u{202E}", "\u{E0FFF}", "カﾞ", "ก\u{E33}",
        "㉈",
        "ℹ\u{1F3FD}",
    ]

    @Test(arguments: [UInt64](1...300))
    func `A text has the marks that the screen shows`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let text = (0..<16).map { _ in Self.fragments.randomElement(using: &random) ?? "" }.joined()
            #expect(Self.raw(text) == Self.scrubbed(text), "seed \(seed): \(text.debugDescription)")
        }
    }

    @Test func `Offsets are those of the text as it is`() {
        let text = Array("👨‍👩‍👧 *a*\n\t> **b**".utf8)
        let pieces = text.withUnsafeBufferPointer { buffer in
            MarkedLines(buffer, hasHeads: true).map { line in
                let bytes = Array(text[line.bytes])
                return line.markup.pieces.map { String(decoding: bytes[$0.range], as: UTF8.self) }
            }
        }
        #expect(pieces == [["*", "a", "*"], ["**", "b", "**"]])
    }

    @Test func `An action has no quotes and no items of lists`() {
        let text = Array("> *a*".utf8)
        text.withUnsafeBufferPointer { buffer in
            #expect(MarkedLines(buffer, hasHeads: false).map(\.quotes) == [0])
            #expect(MarkedLines(buffer, hasHeads: true).map(\.quotes) == [1])
        }
    }
}
