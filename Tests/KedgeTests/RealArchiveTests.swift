import Foundation
import Testing

/// A real conversation of 247,963 messages, read from the screen of a real terminal and compared with its files.
@Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(if: Program.hasPublicArchive, "shared/data/public-irc is not beside the repository"))
struct RealArchiveTests {
    private static let target = "2008-04-27-a-1003"

    @Test func `3,000 messages up, 6,000 down, Home and End show every message in order, none twice`() throws {
        let lines = try messageTexts()
        let middle = try #require(lines.firstIndex { $0.id == Self.target })
        let tmux = try Tmux(
            columns: 100, rows: 30,
            command: "\"$KEDGE\" open --archive '\(Program.publicArchive)' ubuntu/\(Self.target)")
        var screen = try tmux.waitUntilStill("opened") { $0.last?.contains("ubuntu/\(Self.target)") == true }
        let row = try #require(screen.firstIndex { $0.hasPrefix("▌06:00") && $0.contains("* pclynch smiles") })
        #expect((14...16).contains(row), "in the middle of the first frame")
        // Where it stands comes in with the index, and what is quoted from far away; no row moves.
        let first = messageRows(screen)
        screen = try tmux.waitUntilStill("indexed") { place($0) > 0 }
        #expect(place(screen) == middle + 1)
        for (before, after) in zip(first, messageRows(screen)) where !before.contains("↳") {
            #expect(before == after)
        }
        // From now on the last row is another when a key has moved the rows, and only then.
        screen = try tmux.waitUntilStill("the whole index", seconds: 600) { $0.last?.contains("indexing") == false }

        while place(screen) > middle + 1 - 3_020 { screen = try turn(tmux, "PageUp", from: screen).screen }
        var rows = messageRows(screen)
        while place(screen) < middle + 1 + 3_020 {
            let turned = try turn(tmux, "PageDown", from: screen)
            screen = turned.screen
            rows += messageRows(screen).suffix(turned.rows)
        }
        let expected = lines[(middle - 3_000)...(middle + 3_000)].map(\.text).joined()
        #expect(shown(rows).contains(expected), "the texts of 6,001 messages, in order, with nothing between")

        try tmux.press("Home")
        let beginning = lines[0...5].map(\.text).joined()
        screen = try tmux.waitUntilStill("the beginning") { screen in
            // The title is drawn first.
            screen[2].contains("beginning of the conversation") && shown(messageRows(screen)).hasPrefix(beginning)
        }
        #expect(place(screen) == 1)
        try tmux.press("End")
        let status = try #require(screen.last)
        screen = try tmux.waitUntilStill("the end") { screen in
            // The last row is drawn last.
            screen[0].contains("247,963 of 247,963") && screen.last != status
                && screen.last?.hasPrefix(" ubuntu/") == true
        }
        #expect(lines.suffix(12).map(\.text).joined().hasSuffix(shown(messageRows(screen.suffix(8))).suffix(100)))
    }

    /// Turns by a screen and waits for the pages it needs. Checks that the rows moved together, and that the arrival of a page
    /// moved no row, unless the key waited for it: then the turn is whole.
    private func turn(_ tmux: Tmux, _ key: String, from old: [String]) throws -> (screen: [String], rows: Int) {
        try tmux.press(key)
        var screen = try tmux.waitForChange(from: old, ofLastRow: true)
        let isLoading = { (row: String) in
            row.contains("loading older messages…") || row.contains("loading newer messages…")
        }
        let waits = screen.last?.contains("1 step waits for more messages…") == true
        if messageRows(screen).contains(where: isLoading) {
            let before = messageRows(screen)
            screen = try tmux.waitUntilStill("loaded") { !messageRows($0).contains(where: isLoading) }
            let isStill = zip(before, messageRows(screen)).allSatisfy { isLoading($0) || $0 == $1 }
            #expect(waits || isStill, "a page moves no row")
        }
        let (from, to) = (messageRows(old), messageRows(screen))
        // A whole screen less two rows, or as far as there was something when the key came.
        let distances = [from.count - 2] + Array(1..<from.count - 2)
        let rows = distances.first { rows in
            let (kept, shown) =
                key == "PageDown"
                ? (from.dropFirst(rows), to.dropLast(rows)) : (from.dropLast(rows), to.dropFirst(rows))
            // The topmost row of a screen also has the time and the name of its message.
            guard let old = kept.first, let new = shown.first, isSame(old, new) else { return false }
            return kept.dropFirst().elementsEqual(shown.dropFirst())
        }
        let story = (["--- before"] + from + ["--- after \(key)"] + to).joined(separator: "\n")
        let moved = try #require(rows, "the rows do not move together:\n\(story)")
        #expect(!waits || moved == from.count - 2, "a key that waited for a page turns by a whole screen")
        return (screen, moved)
    }

    /// Whether two rows are the same, but for a time and a name where the other one has blanks.
    private func isSame(_ a: String, _ b: String) -> Bool {
        // A row may have the time alone.
        let shared = a.commonPrefix(with: b).count
        let (a, b) = (a.dropFirst(shared), b.dropFirst(shared))
        let adds = { (row: Substring, other: Substring) in
            row.hasPrefix(" ") && other.hasSuffix(row.drop { $0 == " " })
        }
        return a == b || adds(a, b) || adds(b, a)
    }

    /// What the title says: the number of the selected message.
    private func place(_ screen: [String]) -> Int {
        let words = screen[0].split(separator: " ")
        let number = words.firstIndex(of: "of").flatMap { words.indices.contains($0 - 1) ? words[$0 - 1] : nil }
        return number.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// The rows of the message area without the scroll bar, which comes with the index, row by row, and the marks of the
    /// selection. Without a bar a row ends with its text.
    private func messageRows(_ screen: some BidirectionalCollection<String>) -> [String] {
        let rows = screen.count > 20 ? Array(screen.dropFirst(2).dropLast()) : Array(screen.dropLast())
        return rows.map { row in
            var text = row.last.map { "│┃".contains($0) } == true ? row.dropLast() : row[...]
            while text.last == " " { text.removeLast() }
            return " " + text.dropFirst()
        }
    }

    /// What the texts say, in the letters that no drawing changes: ASCII without blanks. Previews, days and edges are
    /// not part of it.
    private func shown(_ rows: [String]) -> String {
        rows.filter { !$0.contains("─────") && !$0.contains("beginning of the conversation") }
            .map { String($0.dropFirst(24)) }
            .filter { !$0.hasPrefix("↳ ") }
            .map(letters).joined()
    }

    private func letters(_ text: String) -> String {
        String(text.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.map(Character.init))
    }

    /// The messages as their files have them.
    private func messageTexts() throws -> [(id: String, text: String)] {
        let folder = Program.publicArchive + "/conversations/ubuntu"
        let segments = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
        return try segments.sorted().flatMap { segment in
            try String(contentsOfFile: folder + "/" + segment, encoding: .utf8).split(separator: "\n").map { line in
                let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                let text = record["text"] as? String ?? ""
                let name = record["kind"] as? String == "action" ? "* \(record["from"] as? String ?? "") " : ""
                return (record["id"] as? String ?? "", letters(name + text))
            }
        }
    }
}
