import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// The list of conversations at the left, and steps among conversations.
struct SidebarTests {
    private static func conversation(_ title: String) -> Conversation {
        Conversation(id: ConversationID(title.lowercased()), title: title, topic: nil)
    }

    private static func talk(_ text: String) -> [Message] {
        var script = Script("2025-03-09T08:00:00Z")
        script.add(text, from: "Ben")
        return script.messages
    }

    private static func stage(columns: Int = 120, rows: Int = 12, hidesList: Bool = false) -> Stage {
        var stage = Stage.open(
            Script.long(400), at: "m-200", columns: columns, rows: rows,
            beside: [
                (conversation("Harbour"), talk("Berth 7 is free")), (conversation("Archive"), talk("old things")),
            ], me: PersonID("ana"), hidesList: hidesList)
        stage.settle()
        return stage
    }

    /// Somebody writes into another conversation.
    private static func arrive(_ text: String, in id: String, _ stage: inout Stage) {
        var script = Script("2025-03-10T12:00:00Z")
        script.add(text, from: "Ben", id: "new-\(text)")
        stage.send(.arrived([Arrival(conversation: ConversationID(id), message: script.messages[0])]))
        stage.answerAll()
    }

    @Test func `A screen of 120 columns lists the conversations, with the current one marked`() {
        let stage = Self.stage()
        #expect(stage.rows[1].hasPrefix(" 1 Archive         │"))
        #expect(stage.rows[2].hasPrefix("▌2 General         │"))
        #expect(stage.rows[3].hasPrefix(" 3 Harbour         │"))
        #expect(stage.rows[10].hasPrefix("                   │"))
        #expect(!stage.rows[0].contains("│") && stage.rows[11].hasPrefix(" general/m-200"))
        #expect(stage.rows[4].count == 120)
        let narrow = Self.stage(columns: 119)
        #expect(!narrow.screen.contains("1 Archive"))
    }

    @Test func `What is new is told by badges, mentions first, and no row changes its place`() {
        var stage = Self.stage()
        let before = stage.rows.map { $0.dropFirst(20) }
        Self.arrive("hello", in: "harbour", &stage)
        #expect(stage.rows[3].hasPrefix(" 3 Harbour       1 │"))
        Self.arrive("@ana come", in: "harbour", &stage)
        #expect(stage.rows[3].hasPrefix(" 3 Harbour    @1 2 │"))
        let badge = stage.frame.lines[3].spans.first { $0.text.string == " @1" }
        #expect(badge?.style == Style(.unread, .bold))
        #expect(stage.rows.dropLast().map { $0.dropFirst(20) } == before.dropLast())
        stage.press(.alt("3"))
        stage.answerAll()
        #expect(stage.rows[3].hasPrefix("▌3 Harbour         │"))
    }

    @Test func `Alt and a number, Alt and an arrow, or a click go to a conversation`() {
        var stage = Self.stage()
        stage.press(.alt("1"))
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Archive")
        stage.press(.altDown)
        stage.answerAll()
        stage.press(.altDown)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Harbour")
        stage.press(.altDown)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Archive")
        stage.press(.altUp)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Harbour")
        stage.mouse(.press(clicks: 1), row: 2, column: 5)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "General")
        #expect(stage.selection == "m-200")
        stage.press(.alt("9"))
        #expect(stage.rows.last?.contains("there is no conversation 9") == true)
    }

    @Test func `On a narrow screen the same keys ask for the list first`() {
        var stage = Self.stage(columns: 80, hidesList: false)
        stage.press(.alt("3"))
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Harbour")
    }

    @Test func `c hides the list and shows it again, and the messages keep their rows`() {
        var stage = Self.stage()
        let selected = stage.rows.firstIndex { $0.contains("▌20:13") || $0.contains("message 200") }
        stage.press(.character("c"))
        stage.answerAll()
        #expect(!stage.screen.contains("1 Archive"))
        #expect(stage.rows.firstIndex { $0.contains("message 200") } == selected)
        stage.press(.character("c"))
        stage.answerAll()
        #expect(stage.rows.firstIndex { $0.contains("message 200") } == selected)
        #expect(stage.rows[1].hasPrefix(" 1 Archive         │"))
        var narrow = Self.stage(columns: 80)
        narrow.press(.character("c"))
        #expect(narrow.rows.last?.contains("needs 120 columns") == true)
    }

    @Test func `Its edge can be dragged`() {
        var stage = Self.stage()
        stage.mouse(.press(clicks: 1), row: 5, column: 19)
        stage.mouse(.drag, row: 5, column: 29)
        stage.mouse(.release, row: 5, column: 29)
        stage.answerAll()
        #expect(stage.rows[1].hasPrefix(" 1 Archive" + String(repeating: " ", count: 19) + "│"))
        stage.mouse(.drag, row: 5, column: 40)
        #expect(stage.rows[1].hasPrefix(" 1 Archive" + String(repeating: " ", count: 19) + "│"))
    }

    @Test func `A draft is marked`() {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("half a thought")
        stage.press(.escape)
        stage.settle()
        #expect(stage.rows[2].hasPrefix("▌2 General       ✎ │"))
    }

    @Test func `A list longer than the screen scrolls under the wheel, and shows the current conversation`() {
        let many = (10..<60).map { (Self.conversation("Channel \($0)"), Self.talk("hello")) }
        var stage = Stage.open(
            Script.long(40), at: nil, columns: 140, rows: 12, beside: many, hidesList: false)
        stage.settle()
        #expect(stage.rows[10].contains("▌  General") || stage.screen.contains("▌  General"))
        stage.mouse(.wheelUp, row: 4, column: 3)
        #expect(!stage.screen.contains("▌  General"))
        stage.press(.altUp)
        stage.answerAll()
        #expect(stage.screen.contains("▌  Channel 59"))
    }

    @Test func `Every size of the screen has a frame with the list too`() {
        var stage = Self.stage(columns: 150, rows: 14)
        let before = stage.frame
        for columns in [119, 120, 121, 130, 160, 200] {
            for rows in 1...14 {
                stage.send(.resized(Size(columns: columns, rows: rows)))
                stage.answerAll()
                #expect(stage.frame.lines.count == rows)
                #expect(stage.frame.lines.allSatisfy { $0.columns <= columns })
            }
        }
        stage.send(.resized(Size(columns: 150, rows: 14)))
        stage.answerAll()
        #expect(stage.frame == before)
    }
}
