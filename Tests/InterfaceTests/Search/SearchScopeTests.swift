import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// Tab takes the words of a search from the conversation to all conversations, and back.
struct SearchScopeTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)

    private static func stage() -> Stage {
        Stage.open(Script.long(100), at: "m-50", columns: 100, rows: 20, beside: [(dev, Script.long(60))])
    }

    @Test func `From the conversation to everywhere: the words stay, and the hit is selected`() {
        var stage = Self.stage()
        stage.press(.character("/"))
        #expect(stage.rows[19].contains("Tab searches everywhere"))
        stage.typeAndWait("message 7")
        let hit = stage.model.timeline.selection
        stage.press(.tab)
        stage.settle()
        #expect(stage.rows[0].contains("Search everywhere: message 7"))
        #expect(stage.model.search.selected?.message == hit)
        #expect(stage.model.search.selected?.conversation == Stage.general.id)
        #expect(stage.rows[19].contains("Tab here"))
    }

    @Test func `Esc brings back the screen from before the search in the conversation`() {
        var stage = Self.stage()
        let before = stage.rows
        stage.press(.character("/"))
        stage.typeAndWait("message 7")
        #expect(stage.rows != before)
        stage.press(.tab)
        stage.settle()
        stage.press(.escape)
        stage.settle()
        #expect(stage.rows == before)
    }

    @Test func `From everywhere to the conversation, and on with n`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("message 6")
        stage.press(.tab)
        stage.settle()
        #expect(stage.model.panel == .find && stage.rows[19].contains("/message 6"))
        #expect(stage.model.timeline.selection == MessageID("m-60"))
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.panel == nil)
        stage.press(.character("n"))
        stage.settle()
        #expect(stage.model.timeline.selection == MessageID("m-61"))
    }

    @Test func `Without words, the search everywhere has those that it had`() {
        var stage = Self.stage()
        stage.press(.character("s"))
        stage.typeAndWait("message 6")
        stage.press(.escape, .character("/"), .tab)
        stage.settle()
        #expect(stage.model.panel == .search && stage.model.search.field.text == "message 6")
    }

    @Test func `A user who moves is not taken back to the hit`() {
        var stage = Self.stage()
        stage.press(.character("/"))
        stage.typeAndWait("message 7")
        stage.press(.tab, .down)
        stage.settle()
        #expect(stage.model.search.wanted == nil)
    }

    @Test func `Other lists do not offer it`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        #expect(!stage.rows[19].contains("Tab"))
    }
}
