import Display
import Messages
import Testing

@testable import Interface

struct TerminalTitleTests {
    @Test func `The title names the conversation and counts what is new`() {
        let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
        var stage = Stage.open(Script.long(40), at: "m-5", beside: [(dev, Script.long(5))], me: PersonID("ana"))
        #expect(stage.model.terminalTitle.string == "Kedge: General")
        var script = Script("2025-03-10T12:00:00Z")
        script.add("hello", from: "Ben", id: "new")
        stage.send(.arrived([Arrival(conversation: dev.id, message: script.messages[0])]))
        #expect(stage.model.terminalTitle.string == "Kedge: General (1)")
    }

    @Test func `Without a conversation it is the name of the program`() {
        #expect(Stage([]).model.terminalTitle.string == "Kedge")
    }
}
