import Display
import Messages
import Testing

@testable import Interface

/// The first row of the messages says whose message it belongs to, and of when, wherever one has scrolled to.
struct RepeatedHeadTests {
    /// Forty messages of a single person within a few minutes, and a message of 30 rows.
    private static func open(columns: Int = 72, isPlain: Bool = false) -> Stage {
        var script = Script("2025-03-01T09:00:00Z")
        for index in 0..<40 { script.add("message \(index)", from: "Ana", after: 2) }
        script.add((0..<30).map { "line \($0)" }.joined(separator: "\n"), from: "Ben", after: 2)
        script.add("the end", from: "Ana", after: 600)
        return Stage.open(script.messages, at: "m-20", columns: columns, rows: 14) { $0.isPlain = isPlain }
    }

    @Test func `The first row repeats time and name, faintly, and every other row stays as it was`() throws {
        var stage = Self.open()
        for _ in 0..<45 {
            let row = try #require(stage.rows.dropFirst(2).first)
            #expect(
                row.contains(#/09:0\d  (Ana|Ben) /#) || row.contains("loading") || row.contains("beginning"), "\(row)")
            let before = stage.rows.dropFirst(2).dropLast().map { $0.dropFirst(1) }
            stage.press(.control("e"))
            stage.settle()
            let after = stage.rows.dropFirst(2).dropLast().map { $0.dropFirst(1) }
            // Where time and name are not repeated, each row has gone up as it was.
            for (old, new) in zip(before.dropFirst(2), after.dropFirst(1)) {
                #expect(old.dropLast() == new.dropLast() || old.count != new.count || old == new)
            }
            #expect(after.dropFirst().count { $0.hasPrefix("09:0") && $0.contains("Ana") } <= 1)
        }
    }

    @Test func `The repeated words are dim, and hits in the row stay highlighted`() throws {
        var stage = Self.open()
        stage.press(.character("/"))
        stage.typeAndWait("message")
        stage.press(.enter)
        stage.settle()
        let line = try #require(stage.frame.lines.dropFirst(2).first)
        let name = try #require(line.spans.first { $0.text.string.hasPrefix("Ana") })
        #expect(name.style.attributes.contains(.dim) && name.style.color == .standard)
        #expect(line.spans.contains { $0.text.string == "message" && $0.style.attributes.contains(.reverse) })
    }

    @Test(arguments: [20, 40, 60])
    func `A narrow screen has no columns for it, so nothing changes there`(columns: Int) {
        let stage = Self.open(columns: columns)
        #expect(stage.rows[2].contains("message"))
        #expect(!stage.rows[2].contains("Ana"))
    }
}
