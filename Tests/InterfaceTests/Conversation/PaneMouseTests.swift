import Display
import Messages
import Testing

@testable import Interface

/// The mouse on the messages.
struct PaneMouseTests {
    private static func open(_ text: String, columns: Int = 90) -> Stage {
        var messages = Script.long(30)
        messages[10].text = text
        messages[10].reactions = [
            Reaction(emoji: "👍", people: [person("Ben"), person("Cy")]), Reaction(emoji: "🎉", people: [person("Ana")]),
        ]
        return Stage.open(messages, at: "m-10", columns: columns, rows: 20, me: PersonID("ana"))
    }

    /// The cell in which an emoji is drawn.
    private func cell(_ emoji: Character, in stage: Stage) throws -> (row: Int, column: Int) {
        let row = try #require(stage.rows.firstIndex { $0.contains(emoji) })
        let before = stage.rows[row].prefix { $0 != emoji }
        return (row, CleanText(String(before)).columns)
    }

    @Test(arguments: ["a short text", String(repeating: "a long text ", count: 11)], [50, 90])
    func `A click on a reaction adds it, or takes one's own back`(text: String, columns: Int) throws {
        for (emoji, isOwn) in [("👍", false), ("🎉", true)] {
            var stage = Self.open(text, columns: columns)
            let (row, column) = try cell(Character(emoji), in: stage)
            stage.mouse(.press(clicks: 1), row: row, column: column)
            #expect(stage.sent.map(\.content) == [.reaction(MessageID("m-10"), emoji: emoji, isRemoved: isOwn)])
            stage.mouse(.press(clicks: 2), row: row, column: column)
            #expect(stage.sent.count == 1)
            stage.mouse(.press(clicks: 1), row: row, column: column - 2)
            #expect(stage.sent.count <= (emoji == "🎉" ? 2 : 1))
        }
    }

    @Test(arguments: ["a short text", String(repeating: "a long text ", count: 11)], [50, 90, 140])
    func `A click on the number of replies opens the thread, and a double click does no more`(
        text: String, columns: Int
    )
        throws
    {
        for hasReactions in [false, true] {
            var messages = Script.long(30)
            messages[10].text = text
            messages[10].replyCount = 2
            if hasReactions { messages[10].reactions = [Reaction(emoji: "👍", people: [person("Ben"), person("Cy")])] }
            let later = Script.long(32)
            for index in 30..<32 { messages.append(Script.reply(to: 10, "reply \(index)", like: later[index])) }
            var stage = Stage.open(messages, at: "m-12", columns: columns, rows: 20, me: PersonID("ana"))
            let row = try #require(stage.rows.firstIndex { $0.contains("2 replies") })
            let column = stage.rows[row].firstRange(of: "2 replies").map { range in
                CleanText(String(stage.rows[row][..<range.lowerBound])).columns
            }
            let start = try #require(column)
            stage.mouse(.press(clicks: 1), row: row, column: start - 1)
            stage.mouse(.release, row: row, column: start - 1)
            stage.settle()
            #expect(stage.selection == "m-10" && stage.model.openThread == nil && stage.sent.isEmpty)
            for clicks in 1...2 {
                stage.mouse(.press(clicks: clicks), row: row, column: start)
                stage.mouse(.release, row: row, column: start)
            }
            stage.settle()
            #expect(stage.model.openThread?.thread == MessageID("m-10") && stage.sent.isEmpty)
        }
    }

    @Test func `A click on the number of replies does not leave a text that is being written`() throws {
        var messages = Script.long(30)
        messages[10].replyCount = 2
        var stage = Stage.open(messages, at: "m-12", columns: 90, rows: 20, me: PersonID("ana"))
        stage.press(.character("i"))
        let row = try #require(stage.rows.firstIndex { $0.contains("2 replies") })
        let before = try #require(stage.rows[row].firstRange(of: "2 replies")?.lowerBound)
        stage.mouse(.press(clicks: 1), row: row, column: CleanText(String(stage.rows[row][..<before])).columns)
        stage.settle()
        #expect(stage.model.panel == .composer && stage.model.openThread == nil && stage.selection == "m-10")
    }

    @Test func `A drag over messages selects them, and a click selects one`() throws {
        var stage = Self.open("a short text")
        func row(_ text: String) throws -> Int { try #require(stage.rows.firstIndex { $0.contains(text) }) }
        let (first, last) = (try row("message 11"), try row("message 13"))
        stage.mouse(.press(clicks: 1), row: first)
        stage.mouse(.release, row: first)
        #expect(stage.model.pane.mark == nil && stage.selection == "m-11")
        stage.mouse(.press(clicks: 1), row: first)
        func texts() -> [Substring] { stage.rows.dropFirst(2).dropLast().map { $0.dropFirst() } }
        let before = texts()
        stage.mouse(.drag, row: first)
        #expect(stage.model.pane.mark == nil)
        stage.mouse(.drag, row: last)
        stage.mouse(.release, row: last)
        #expect(stage.model.pane.markedRange?.first == MessageID("m-11"))
        #expect(stage.model.pane.markedRange?.last == MessageID("m-13"))
        #expect(stage.rows.last?.contains("3 messages selected") == true)
        #expect(texts() == before)
        // Beyond the last row the messages scroll.
        let shown = stage.selection
        stage.mouse(.press(clicks: 1), row: last)
        for _ in 0..<6 { stage.mouse(.drag, row: 19) }
        #expect(stage.selection != shown)
    }
}
