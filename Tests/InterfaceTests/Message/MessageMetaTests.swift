import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// Reactions and the number of replies stand at the end of the text, whatever the text is.
struct MessageMetaTests {
    private static let texts = [
        "one",
        "- first\n- second, which is a rather long item that goes on up to the end of its row and beyond it, as some do",
        "1. a\n2. b\n   and more of b that is very long indeed and fills all of the row until nothing is left of it at all",
        "```\nlet code = 1\n```",
        "```\nnever closed, and so long that it takes all of the columns that there are on the screen, at 72 that is",
        "> quoted\nand said", String(repeating: "天気", count: 60), String(repeating: "x", count: 150),
        (1...60).map { "- item \($0) of a list" }.joined(separator: "\n"),
    ]

    private static func entry(_ text: String, reactions: Int, replies: Int, files: Int = 0) -> Entry {
        var script = Script("2025-03-01T12:00:00Z")
        script.add(text, from: "Ana") { message in
            message.reactions = (0..<reactions).map { index in
                Reaction(emoji: ["👍", "🎉", "😀"][index % 3], people: (0...index).map { person("P\($0)") })
            }
            message.replyCount = replies
            message.attachments = (0..<files).map {
                Attachment(
                    name: "a very long name of a file that takes all the columns there are \($0)", path: nil, size: 1)
            }
        }
        return Entry(script.messages[0], after: nil, zone: .utc)
    }

    private func lines(_ entry: Entry, _ columns: Int) -> [String] {
        let grid = Grid(columns: columns)
        let rows = MessageRows(entry, grid: grid)
        let view = MessageView(
            entry, rows: rows, grid: grid, isSelected: false, target: nil, query: nil, visible: 0..<rows.height)
        return (0..<rows.height).map { view.line($0).text }
    }

    @Test(arguments: [20, 30, 40, 60, 61, 72, 80, 100, 200], texts)
    func `Reactions and replies are counted in the last row and in no other`(columns: Int, text: String) {
        for (reactions, replies) in [(1, 0), (3, 0), (0, 1), (0, 1_200), (3, 12), (30, 5)] {
            let entry = Self.entry(text, reactions: reactions, replies: replies)
            let plain = lines(Self.entry(text, reactions: 0, replies: 0), columns)
            let lines = lines(entry, columns)
            #expect(lines.count == plain.count, "it takes no row")
            for (line, without) in zip(lines, plain).dropLast() { #expect(line == without, "\(columns): \(text)") }
            let last = lines.last ?? ""
            #expect(["👍", "🎉", "😀", "↵", "repl"].contains(where: last.contains), "\(columns): \(last)")
            let shown = String((plain.last ?? "").reversed().drop { $0 == " " }.reversed())
            #expect(last.hasPrefix(shown) || text.hasPrefix("- item"), "nothing of the text is hidden: \(last)")
            #expect(CleanText(last).columns <= columns)
        }
    }

    @Test(arguments: [20, 40, 72, 120]) func `A message with only files has these counts as well`(columns: Int) {
        let lines = lines(Self.entry("", reactions: 2, replies: 3, files: 2), columns)
        #expect(["👍", "🎉", "↵", "repl"].contains(where: (lines.last ?? "").contains), "\(lines)")
        #expect(lines.count == self.lines(Self.entry("", reactions: 0, replies: 0, files: 2), columns).count)
    }

    @Test func `Each byte of a text is in its rows once, in order`() {
        for columns in 1...130 {
            for text in Self.texts {
                let entry = Self.entry(text, reactions: 0, replies: 0)
                let rows = MessageRows(entry, grid: Grid(columns: columns))
                let places = rows.rows.map(\.place)
                #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(columns): \(places)")
                for row in rows.rows.indices { #expect(rows.row(ofPlace: rows.place(ofRow: row)) == row) }
            }
        }
    }
}
