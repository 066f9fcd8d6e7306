import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// A text of several lines.
struct TextAreaTests {
    @Test func `Every edit can be undone and redone`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var area = TextArea("Good morning\n天気 is fine")
        let first = area.text
        let edits: [Action] = [
            .fieldBackspace, .fieldDelete, .fieldDeleteWord, .fieldDeleteToStart, .fieldDeleteToEnd, .fieldYank,
            .fieldNewLine, .fieldLeft, .fieldWordLeft, .fieldEnd, .fieldStart, .fieldWordRight,
        ]
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                _ = area.insert(["x"])
            } else if let action = edits.randomElement(using: &random) {
                _ = area.edit(action)
            }
            #expect((0...area.characters.count).contains(area.cursor))
        }
        let last = area.text
        for _ in 0..<400 { _ = area.edit(.fieldUndo) }
        #expect(area.text == first, "seed \(seed)")
        for _ in 0..<400 { _ = area.edit(.fieldRedo) }
        #expect(area.text == last, "seed \(seed)")
    }

    @Test func `Characters typed in a row are undone together`() {
        var area = TextArea()
        for character in "word and" { _ = area.insert([character]) }
        _ = area.edit(.fieldUndo)
        #expect(area.text == "word ")
    }

    @Test func `Rows contain all of the text and fit the width, and the cursor is on its character`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                ["a", "b ", "漢", "👍🏽", "\n", " ", "e\u{301}", "\t"].randomElement(using: &random) ?? ""
            }.joined()
            var area = TextArea(text)
            for _ in 0..<Int.random(in: 0...20, using: &random) { _ = area.edit(.fieldLeft) }
            let columns = Int.random(in: 3...20, using: &random)
            let rows = area.rows(columns: columns, height: 1_000)
            #expect(rows.rows.allSatisfy { $0.text.columns < columns }, "seed \(seed)")
            let joined = rows.rows.map { area.characters[$0.range] }.joined()
            #expect(joined.filter { $0 != "\n" } == area.characters.filter { $0 != "\n" }, "seed \(seed)")
            #expect(rows.place(row: rows.cursor.row, column: rows.cursor.column) == area.cursor, "seed \(seed) \(text)")
        }
    }

    @Test func `Only the newest of large changes can be undone, and many small ones`() {
        func undone(_ changes: Int, of size: Int) -> Int {
            var area = TextArea()
            for _ in 0..<changes {
                // Blanks, since each of them is a change of its own.
                _ = area.insert(Array(repeating: " ", count: size))
                if size > 1 { _ = area.edit(.fieldDeleteToStart) }
            }
            var count = 0
            while true {
                let before = area.characters.count
                _ = area.edit(.fieldUndo)
                if area.characters.count == before { return count }
                count += 1
            }
        }
        #expect(undone(5, of: TextArea.longest) == 2)
        #expect(undone(600, of: 1) == 500)
    }

    @Test(arguments: [" ", ""])
    func `The rows of a long line keep their breaks while the user types after them`(separator: String) {
        // Words of many lengths, so that rows are of many lengths too.
        let words = (0..<12_000).map { String(repeating: "x", count: $0 * 7 % 11 + 1) }.joined(separator: separator)
        for steps in [0, 30_000] {
            var area = TextArea(words)
            for _ in 0..<steps { _ = area.edit(.fieldLeft) }
            var before = breaks(of: area)
            for _ in 0..<100 {
                let place = area.cursor
                _ = area.insert(["y"])
                let now = breaks(of: area)
                // The word that is being typed may take a row of its own; all that stands before it stays.
                let common = max(before.first ?? 0, now.first ?? 0)..<place - 60
                #expect(now.filter(common.contains) == before.filter(common.contains))
                before = now
            }
        }
    }

    private func breaks(of area: TextArea) -> [Int] {
        area.rows(columns: 60, height: 20).rows.map(\.range.lowerBound)
    }

    @Test func `The cached rows equal those found from the beginning, after any edit`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let edits: [Action] = [
            .fieldBackspace, .fieldDelete, .fieldDeleteWord, .fieldDeleteToStart, .fieldDeleteToEnd, .fieldYank,
            .fieldNewLine, .fieldLeft, .fieldWordLeft, .fieldEnd, .fieldStart, .fieldWordRight, .fieldUndo, .fieldRedo,
        ]
        let pieces: [Character] = ["a", "b", " ", "漢", "👍🏽", "\n", "\u{301}", "\u{200B}", "\t", "\u{3000}", "\u{2003}"]
        for _ in 0..<100 {
            var area = TextArea(String((0..<200).map { _ in pieces.randomElement(using: &random) ?? "a" }))
            let columns = Int.random(in: 2...12, using: &random)
            for _ in 0..<100 {
                area.layOut(columns: columns)
                if Bool.random(using: &random) {
                    let count = Int.random(in: 1...5, using: &random)
                    _ = area.insert((0..<count).map { _ in pieces.randomElement(using: &random) ?? "a" })
                } else if let action = edits.randomElement(using: &random) {
                    _ = area.edit(action)
                }
                if Int.random(in: 0..<4, using: &random) == 0 { _ = area.moveRows(-3, columns: columns) }
                var other = area
                other.layOut(columns: columns + 1)
                let known = area.rows(columns: columns, height: 500)
                let found = other.rows(columns: columns, height: 500)
                #expect(known.rows.map(\.range) == found.rows.map(\.range), "seed \(seed)")
                #expect(known.cursor == found.cursor, "seed \(seed)")
            }
        }
    }

    @Test func `Rows are cached, so that a frame examines few of them`() {
        var stage = Stage.open(Script.long(8), at: nil, columns: 80, rows: 24, me: PersonID("ben"))
        stage.passTime()
        stage.press(.character("i"))
        stage.send(.input([.paste(String(repeating: "0123456789abcde ", count: 6_000))]))
        for key: Key in [.character("y"), .up, .character("y"), .home, .backspace, .end, .control("_")] {
            stage.press(key)
            let area = stage.model.composer?.area
            #expect(area?.known == area?.rowStarts(columns: stage.model.composerColumns), "\(key)")
        }
        stage.send(.resized(Size(columns: 60, rows: 24)))
        #expect(stage.model.composer?.area.known.columns == stage.model.composerColumns)
    }
}
