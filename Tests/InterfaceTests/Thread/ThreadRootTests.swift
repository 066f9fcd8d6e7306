import Display
import Messages
import Testing

@testable import Interface

/// The root of a thread is the first message of its pane: it can be selected, and all keys for a message work on it.
struct ThreadRootTests {
    private static func reply(_ index: Int, to root: String) -> Message {
        Message(
            id: MessageID("r-\(index)"), at: Timestamp(milliseconds: 1_740_900_000_000 + Int64(index) * 60_000),
            sender: person(index % 2 == 0 ? "Cy" : "Dee"), text: "reply \(index)", thread: MessageID(root),
            cursor: Cursor(token: "\(index)"))
    }

    private static func open(_ replies: Int, columns: Int = 120, change: (inout Message) -> Void = { _ in }) -> Stage {
        var messages = Script.long(40)
        change(&messages[20])
        messages += (0..<replies).map { reply($0, to: "m-20") }
        var stage = Stage.open(messages, at: "m-20", columns: columns, rows: 20, me: PersonID("ana"))
        stage.settle()
        stage.press(.character("t"))
        stage.settle()
        return stage
    }

    private func selected(_ stage: Stage) -> String? { stage.model.pane.selectedMessage?.id.rawValue }

    @Test(arguments: [60, 120])
    func `In a thread without replies the root is selected, and keys for a message work on it`(columns: Int) {
        var stage = Self.open(0, columns: columns)
        #expect(selected(stage) == "m-20")
        #expect(stage.rows.contains { $0.contains("▌") && $0.contains(columns == 60 ? "20" : "02:20") })
        stage.press(.character("y"), .character("Y"))
        #expect(stage.copies == ["message 20", "general/m-20"])
        stage.press(.character("r"))
        #expect(stage.screen.contains("↳ Ana: message 20"))
        stage.press(.escape, .character("x"))
        #expect(stage.screen.contains("delete"))
        stage.press(.character("n"), .character("e"))
        #expect(stage.model.composer?.area.text == "message 20")
        stage.type("!")
        stage.press(.enter)
        #expect(stage.sent.last?.content == .edit(MessageID("m-20"), text: "message 20!"))
        stage.press(.character("+"))
        #expect(stage.model.panel == .prompt)
    }

    @Test func `The cursor stays on the root when the first reply comes, and goes to a reply of the user's own`() {
        var stage = Self.open(0)
        stage.send(.changed(Stage.general.id, [.arrived(Self.reply(0, to: "m-20"))]))
        #expect(selected(stage) == "m-20")
        stage.press(.character("i"))
        stage.type("mine")
        stage.press(.enter)
        #expect(selected(stage) == "r-0")
    }

    @Test func `The step up from the first reply leads to the root, and the step down back`() {
        var stage = Self.open(3)
        #expect(selected(stage) == "r-2")
        stage.press(.up, .up)
        #expect(selected(stage) == "r-0")
        let replies = stage.rows.map { $0.contains("reply ") }
        stage.press(.up)
        #expect(selected(stage) == "m-20")
        #expect(stage.rows.map { $0.contains("reply ") } == replies)
        #expect(stage.frame.lines.count { $0.spans.contains { $0.style.surface == .selection } } == 2)
        stage.press(.up)
        #expect(selected(stage) == "m-20")
        stage.press(.down)
        #expect(selected(stage) == "r-0")
    }

    @Test func `Home leads to the root of a long thread, and End to its last reply`() {
        var stage = Self.open(300)
        stage.press(.home)
        stage.settle()
        #expect(selected(stage) == "m-20" && stage.screen.contains("reply 0"))
        stage.press(.end)
        stage.settle()
        #expect(selected(stage) == "r-299")
        stage.press(.home)
        stage.settle()
        stage.press(.pageDown)
        #expect(selected(stage)?.hasPrefix("r-") == true)
    }

    @Test func `A click on the root selects it, and a click on a reply that reply`() throws {
        var stage = Self.open(3)
        stage.mouse(.press(clicks: 1), row: 3, column: 80)
        #expect(selected(stage) == "m-20")
        let row = try #require(stage.rows.firstIndex { $0.contains("reply 1") })
        stage.mouse(.press(clicks: 1), row: row, column: 80)
        #expect(selected(stage) == "r-1")
    }

    @Test func `All of the text of a long root is copied and edited`() {
        let long = String(repeating: "a long text ", count: 2_000)
        var stage = Self.open(0) { $0.text = long }
        stage.press(.character("y"))
        #expect(stage.copies == [long])
        stage.press(.character("e"))
        #expect(stage.model.composer?.area.text == long)
    }

    @Test func `The pane without the keys keeps a dim mark at its message, and no mark in the accent`() throws {
        var stage = Self.open(3)
        for _ in 0..<2 {
            let marks = stage.frame.lines.flatMap { line in line.spans.filter { ["▌", "►"].contains($0.text.string) } }
            let accents = marks.filter { $0.style.color == .accent }
            #expect(!accents.isEmpty && marks.count > accents.count)
            #expect(marks.allSatisfy { $0.style.color == .accent || $0.style.attributes.contains(.dim) })
            stage.press(.left)
        }
        // The target of the link is another message by now.
        stage.press(.down, .right)
        let target = try #require(
            stage.frame.lines.flatMap(\.spans).first { $0.text.string == "►" }, "\(stage.screen)")
        #expect(target.style == Style(.standard, .dim))
    }

    @Test func `A line stands between conversation and thread, also where there is no scroll bar`() {
        var stage = Stage.open(
            Script.long(3) + [Self.reply(0, to: "m-1")], at: "m-1", columns: 120, rows: 20, me: PersonID("ana"))
        stage.press(.character("t"))
        stage.settle()
        #expect(stage.model.openThread != nil)
        #expect(stage.rows[2..<19].allSatisfy { $0.dropFirst(71).first == "│" }, "\(stage.screen)")
    }
}
