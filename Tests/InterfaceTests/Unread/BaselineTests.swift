import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// What is new in conversations that were never opened, and which message is the first.
struct BaselineTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
    private static let late = Conversation(id: ConversationID("late"), title: "Late", topic: nil)

    /// In front of "general", read to its end, as Ana.
    private static func stage(_ dev: [Message], late: [Message] = []) -> Stage {
        var stage = Stage.open(
            Script.long(30), at: nil, columns: 100, rows: 14, beside: [(Self.dev, dev), (Self.late, late)],
            me: PersonID("ana"))
        stage.send(.news(.baseline([Stage.general.id: MessageID("m-29"), Self.dev.id: MessageID("m-4")])))
        return stage
    }

    private static func script(_ senders: String...) -> [Message] {
        var script = Script("2025-03-01T10:00:00Z")
        for (index, name) in senders.enumerated() { script.add("@ana: message \(index)", from: name, after: 400) }
        return script.messages
    }

    /// The message below the line on the screen.
    private func belowLine(_ stage: Stage) -> String? {
        stage.rows.firstIndex { $0.contains("new since you were here") }.map { stage.rows[$0 + 1] }
    }

    @Test func `Messages from before the first opening count as read, and later ones are counted below a line`() {
        var stage = Self.stage(Self.script("Ana", "Ben", "Ana", "Ben", "Ben", "Ana", "Ben", "Ben"))
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.contains { $0.contains("Dev") && $0.contains("@2 2 new") })
        #expect(!stage.rows.contains { $0.contains("General") && $0.contains("new") })
        stage.press(.escape, .alt("a"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.dev.id && stage.selection == "m-6")
        #expect(belowLine(stage)?.contains("message 6") == true)
        stage.press(.home, .character("u"))
        stage.settle()
        #expect(stage.selection == "m-6")
    }

    @Test func `Without later messages nothing is new`() {
        var stage = Self.stage(Self.script("Ana", "Ben", "Ana", "Ben", "Ben", "Ana"))
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.screen.contains("nothing new in other conversations"))
        stage.go(to: "dev")
        #expect(belowLine(stage) == nil)
        stage.press(.character("u"))
        #expect(stage.screen.contains("nothing new here"))
        #expect(stage.marks.last == "m-5")
    }

    @Test func `A conversation that appears later is unread from its first message`() {
        var stage = Self.stage(Self.script("Ana", "Ben", "Ana", "Ben", "Ben"), late: Self.script("Ana", "Ben", "Ben"))
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.contains { $0.contains("Late") && $0.contains("@2 2 new") })
        stage.press(.escape, .alt("a"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.late.id && stage.selection == "m-1")
        #expect(belowLine(stage)?.contains("message 1") == true)
    }

    @Test func `The line may be above the very first message`() {
        var stage = Self.stage(Self.script("Ana", "Ben", "Ana", "Ben", "Ben"), late: Self.script("Ben", "Ana"))
        stage.go(to: "late")
        #expect(belowLine(stage)?.contains("message 0") == true)
    }

    @Test func `Without a baseline nothing counts but reported arrivals`() {
        var stage = Stage.open(
            Script.long(30), at: nil, columns: 100, rows: 14, beside: [(Self.dev, Self.script("Ben", "Ben"))],
            me: PersonID("ana"))
        #expect(stage.model.isFirstOpening)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.screen.contains("nothing new in other conversations"))
        stage.send(.arrived([Arrival(conversation: Self.dev.id, message: Self.script("Ben", "Ben")[1])]))
        stage.send(.news(.baseline([Self.dev.id: MessageID("m-0")])))
        #expect(!stage.model.isFirstOpening)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.selection == "m-1" && belowLine(stage)?.contains("message 1") == true)
    }

    @Test func `Opening at new messages shows the first one by others, without the mark of a target`() {
        var stage = Stage(Self.script("Ben", "Ana", "Ana", "Ben", "Ben"), columns: 72, rows: 14, me: PersonID("ana"))
        let read = ReadPosition(message: MessageID("m-0"), index: 0)
        stage.model.reader.reading.states.positions[Stage.general.id] = read
        stage.startAtUnread()
        stage.answerAll()
        #expect(stage.selection == "m-3" && belowLine(stage)?.contains("message 3") == true)
        #expect(!stage.screen.contains("►"))
    }

    @Test func `The user's own messages alone make no line, and are read when they are seen`() {
        let messages = Self.script("Ben", "Ana", "Ana")
        let stage = Stage.open(messages, read: 1, rows: 14, me: PersonID("ana"))
        #expect(belowLine(stage) == nil && stage.marks == ["m-2"])
    }

    @Test func `A line whose message is removed is above the next one by others`() {
        let all = Self.script("Ben", "Ben", "Ana", "Ben")
        var stage = Stage.open(all, read: 1, rows: 14, me: PersonID("ana"))
        #expect(belowLine(stage)?.contains("message 1") == true)
        stage.change { $0.talks[0].messages.remove(at: 1) }
        stage.send(.changed(Stage.general.id, [.replaced]))
        stage.settle()
        #expect(belowLine(stage)?.contains("message 3") == true)
    }
}
