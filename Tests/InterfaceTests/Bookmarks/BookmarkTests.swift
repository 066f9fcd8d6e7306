import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// Messages under letters: m sets a bookmark, ' goes there, and M lists them all.
struct BookmarkTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)

    private static func stage(columns: Int = 80, rows: Int = 20) -> Stage {
        var script = Script("2025-03-05T00:00:00Z")
        for index in 0..<5 { script.add("a build \(index)", from: "Cy", id: "d-\(index)") }
        return Stage.open(
            Script.long(500), at: "m-50", columns: columns, rows: rows, beside: [(dev, script.messages)])
    }

    private static func mark(_ letter: Character, _ message: String, in id: String = "general") throws -> Bookmark {
        try #require(Bookmark(letter, conversation: ConversationID(id), message: MessageID(message)))
    }

    @Test func `A bookmark leads back to its message, also when that is not loaded any more`() throws {
        var stage = Self.stage()
        stage.type("ma")
        #expect(stage.screen.contains("bookmark a is here"))
        stage.answerAll()
        #expect(stage.change { $0.bookmarks } == [try Self.mark("a", "m-50")])
        stage.press(.end)
        stage.settle()
        #expect(stage.selection == "m-499")
        stage.type("'a")
        stage.answerAll()
        #expect(stage.selection == "m-50")
        #expect(stage.screen.contains("message 50"))
    }

    @Test func `The question for a letter is no warning`() {
        for key in ["m", "'"] {
            var stage = Self.stage()
            stage.type(key)
            let colors = stage.frame.lines.last?.spans.map(\.style.color) ?? []
            #expect(colors.contains(.accent) && !colors.contains(.warning), "\(key)")
        }
    }

    @Test func `A letter is for its conversation, a capital for all`() throws {
        var stage = Self.stage()
        stage.type("mamA")
        stage.answerAll()
        stage.press(.control("k"))
        stage.typeAndWait("devel")
        stage.press(.enter)
        stage.settle()
        stage.type("'a")
        stage.answerAll()
        #expect(stage.screen.contains("there is no bookmark a here"))
        #expect(stage.model.conversation == Self.dev)
        stage.type("'A")
        stage.answerAll()
        #expect(stage.model.conversation == Stage.general && stage.selection == "m-50")
    }

    @Test func `A bookmark that another Kedge has set is known, and the letter may be typed before it is read`() throws
    {
        var stage = Self.stage()
        let mark = try Self.mark("b", "m-300")
        stage.change { $0.bookmarks = [mark] }
        stage.type("'b")
        #expect(stage.selection == "m-50")
        stage.answerAll()
        #expect(stage.selection == "m-300")
    }

    @Test func `Two apostrophes lead to where the last jump started, and back again`() {
        var stage = Self.stage()
        stage.press(.end)
        stage.settle()
        stage.type("''")
        stage.settle()
        #expect(stage.selection == "m-50")
        stage.type("''")
        stage.settle()
        #expect(stage.selection == "m-499")
        stage.type("''")
        stage.settle()
        #expect(stage.selection == "m-50")
    }

    @Test func `A bookmark whose message has vanished says so, and the screen stays`() throws {
        var stage = Self.stage()
        let mark = try Self.mark("x", "m-gone")
        stage.change { $0.bookmarks = [mark] }
        stage.type("'x")
        stage.answerAll()
        #expect(stage.screen.contains("the message of bookmark x does not exist any more"))
        #expect(stage.selection == "m-50")
    }

    @Test func `Another key sets no bookmark`() {
        var stage = Self.stage()
        stage.type("m")
        let asked = stage.rows.last ?? ""
        #expect(asked.contains("a capital for the whole archive"))
        stage.press(.escape)
        stage.type("m1")
        stage.answerAll()
        #expect(stage.change { $0.bookmarks }.isEmpty)
        #expect(stage.screen.contains("nothing was set"))
    }

    @Test func `The list shows each message, what is gone, and the surroundings of the selected one`() throws {
        var stage = Self.stage(columns: 80, rows: 30)
        let marks = [
            try Self.mark("b", "m-gone"), try Self.mark("a", "m-300"), try Self.mark("C", "d-3", in: "dev"),
        ]
        stage.change { $0.bookmarks = marks }
        stage.type("M")
        #expect(stage.screen.contains("loading…"))
        stage.answerAll()
        #expect(stage.rows[0].contains("3 bookmarks"))
        #expect(stage.rows[1].hasPrefix("▌a") && stage.rows[1].contains("message 300"))
        #expect(stage.rows[2].contains("does not exist any more"))
        #expect(
            stage.rows[3].contains("C") && stage.rows[3].contains("Development") && stage.rows[3].contains("a build 3"))
        #expect(stage.rows.dropFirst(16).joined().contains("message 299"))
        stage.typeAndWait("build")
        #expect(stage.rows[0].contains("1 bookmark") && stage.rows[1].contains("a build 3"))
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.conversation == Self.dev && stage.selection == "d-3")
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.model.conversation == Stage.general && stage.selection == "m-50")
    }

    @Test func `Del removes the selected bookmark, and the cursor stays near`() throws {
        var stage = Self.stage()
        let marks = [try Self.mark("a", "m-1"), try Self.mark("b", "m-2"), try Self.mark("c", "m-3")]
        stage.change { $0.bookmarks = marks }
        stage.type("M")
        stage.answerAll()
        stage.press(.down, .delete)
        stage.answerAll()
        #expect(stage.change { $0.bookmarks } == [marks[0], marks[2]])
        #expect(stage.rows[2].hasPrefix("▌c"))
        stage.press(.escape)
        #expect(stage.selection == "m-50")
    }

    @Test func `Without bookmarks the list says how to set one`() {
        var stage = Self.stage(columns: 40, rows: 10)
        stage.type("M")
        stage.answerAll()
        #expect(stage.screen.contains("no bookmarks yet"))
        #expect(stage.rows.allSatisfy { $0.count <= 40 })
    }

    @Test func `Prompts name the keys of the user`() {
        let (keymap, _) = Keymap.standard.changed(by: [
            KeyChange("bookmark", [.character("B")], at: "c:2"),
            KeyChange("go-to-bookmark", [.character("`")], at: "c:3"),
        ])
        var stage = Stage.open(Script.long(40), at: "m-20", keymap: keymap)
        stage.type("Ba")
        #expect(stage.screen.contains("` a goes to it"))
        stage.answerAll()
        stage.press(.end)
        stage.type("`")
        #expect(stage.screen.contains("` goes back"))
        stage.type("a")
        #expect(stage.selection == "m-20")
        stage.type("``")
        stage.answerAll()
        #expect(stage.selection == "m-39")
    }
}
