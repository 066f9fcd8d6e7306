import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// What comes into the conversations that one does not look at.
struct ElsewhereTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)

    private static func stage() -> Stage {
        Stage.open(
            Script.long(30), at: nil, columns: 100, rows: 12,
            beside: [
                (dev, Array(Script.long(5))), (Conversation(id: ConversationID("ops"), title: "Ops", topic: nil), []),
            ],
            me: PersonID("ana"))
    }

    private func arrival(
        _ id: String, _ text: String, in conversation: String = "dev", from name: String = "Cy", thread: String? = nil
    ) -> Arrival {
        Arrival(
            conversation: ConversationID(conversation),
            message: Message(
                id: MessageID(id), at: Timestamp(milliseconds: 1_741_608_000_000), sender: person(name), text: text,
                thread: thread.map { MessageID($0) }, cursor: Cursor(token: id)))
    }

    /// They come into the store too.
    private func receive(_ arrivals: [Arrival], _ stage: inout Stage) {
        stage.change { store in
            for arrival in arrivals {
                let index = store.talks.firstIndex { $0.conversation.id == arrival.conversation }
                if let index { store.talks[index].messages.append(arrival.message) }
            }
        }
        stage.send(.arrived(arrivals))
    }

    private func notified(_ stage: Stage) -> [String] {
        stage.others.compactMap { if case .notify(let name, let text, _) = $0 { "\(name): \(text)" } else { nil } }
    }

    @Test func `The status line counts messages elsewhere, and nothing else moves`() {
        var stage = Self.stage()
        let before = stage.rows
        stage.send(.arrived([arrival("a", "one"), arrival("b", "two")]))
        #expect(stage.rows.last?.contains("dev: 2 new") == true)
        #expect(stage.rows.dropLast() == before.dropLast())
        stage.send(.arrived([arrival("c", "hello", in: "ops")]))
        #expect(stage.rows.last?.contains("2 conversations: 3 new") == true)
        #expect(notified(stage).isEmpty)
    }

    @Test func `A conversation that was never listed is named by its title as soon as it is known`() {
        var stage = Self.stage()
        stage.send(.arrived([arrival("a", "one")]))
        stage.answerAll()
        #expect(stage.rows.last?.contains("Dev: 1 new") == true)
        stage.send(.arrived([arrival("b", "two", in: "of nobody")]))
        #expect(stage.waiting.isEmpty)
    }

    @Test func `The user's own messages and those of this conversation are not counted`() {
        var stage = Self.stage()
        let before = stage.rows
        stage.send(.arrived([arrival("a", "mine", from: "Ana"), arrival("b", "here", in: "general")]))
        #expect(stage.rows == before)
    }

    @Test func `A mention elsewhere is reported with its conversation, and reached by a key`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        stage.press(.escape)
        receive([arrival("a", "@ana: look"), arrival("b", "no, nothing")], &stage)
        #expect(notified(stage) == ["Cy in Dev: @ana: look"])
        #expect(stage.rows.last?.contains("Dev: 2 new, 1 for you") == true)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.dev.id)
        // To the first of them, since one has never read there.
        #expect(stage.selection == "a")
        #expect(stage.rows.last?.contains("Dev: ") == false)
    }

    @Test func `A reply in a thread of the user is reported as a mention is, here and elsewhere`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        stage.press(.escape)
        let reply = arrival("a", "and then", thread: "m-1")
        stage.change { $0.talks[1].messages.append(reply.message) }
        stage.send(
            .arrived([
                Arrival(conversation: Self.dev.id, message: reply.message, isInOwnThread: true),
                Arrival(
                    conversation: Self.dev.id, message: arrival("b", "mine", from: "Ana", thread: "m-1").message,
                    isInOwnThread: true),
            ]))
        #expect(notified(stage) == ["Cy in Dev: and then"])
        #expect(stage.rows.last?.contains("Dev: 1 for you") == true)
        let here = arrival("c", "and here", in: "general", thread: "m-3").message
        let other = arrival("d", "not yours", in: "general", thread: "m-4").message
        stage.send(.changed(Stage.general.id, [.inOwnThreads([here.id]), .arrived(here), .arrived(other)]))
        #expect(notified(stage) == ["Cy in Dev: and then", "Cy: and here"])
        #expect(stage.model.reading.threads?.open.map(\.message) ?? [] == [here.id])
    }

    @Test func `A mention in a thread leads into the thread, and other replies are not reported`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        stage.press(.escape)
        receive([arrival("r1", "one more", thread: "m-3")], &stage)
        #expect(stage.rows.last?.contains("Dev") == false)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.rows.last?.contains("nothing new in other conversations") == true)
        receive([arrival("r2", "what do you say, @ana?", thread: "m-3"), arrival("r3", "?", thread: "m-3")], &stage)
        #expect(notified(stage) == ["Cy in Dev: what do you say, @ana?"])
        // What was told before is so no more.
        #expect(stage.rows.last?.contains("nothing is new") == false)
        #expect(stage.rows.last?.contains("Dev: 1 for you") == true)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.contains { $0.contains("Dev") && $0.contains(" @1 ") })
        stage.press(.escape, .alt("a"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.dev.id)
        #expect(stage.model.pane.thread == MessageID("m-3"))
        #expect(stage.selection == "r2")
    }

    @Test func `A mention in a thread of this conversation leads into it, whatever the user reads besides`() {
        var stage = Self.stage()
        stage.passTime()
        let before = stage.rows
        func arrive(_ id: String, _ text: String, thread: String) {
            let message = arrival(id, text, thread: thread).message
            stage.change { $0.talks[0].messages.append(message) }
            stage.send(.changed(Stage.general.id, [.arrived(message)]))
            stage.passTime()
        }
        arrive("r1", "nothing", thread: "m-20")
        #expect(stage.rows.last == before.last)
        arrive("r2", "@ana: look", thread: "m-20")
        arrive("r3", "@ana: again", thread: "m-20")
        arrive("r4", "@ana: and here", thread: "m-22")
        #expect(stage.rows.last?.contains("General: 3 for you") == true)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.contains { $0.contains("General") && $0.contains(" @3 ") })
        stage.type("dev")
        stage.press(.enter)
        stage.settle()
        #expect(stage.rows.last?.contains("General: 3 for you") == true)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.model.pane.thread == MessageID("m-20") && stage.selection == "r2")
        #expect(stage.rows.last?.contains("General: 1 for you") == true)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.model.pane.thread == MessageID("m-22") && stage.selection == "r4")
        #expect(stage.rows.last?.contains("in General") == false)
        // It is before one's eyes.
        arrive("r5", "@ana: once more", thread: "m-22")
        #expect(stage.rows.last?.contains("in General") == false)
    }

    @Test func `In a conversation that was never opened, the line is above the first message reported as new`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        stage.press(.escape)
        receive((1...3).map { arrival("n\($0)", "new \($0)") }, &stage)
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.dev.id && stage.selection == "n1")
        let line = stage.rows.firstIndex { $0.contains("new since you were here") }
        #expect(line.map { stage.rows[$0 + 1].contains("new 1") } == true)
        stage.press(.home, .character("u"))
        stage.settle()
        #expect(stage.selection == "n1")
    }

    @Test func `u leads to the first message that has come below the screen`() {
        var stage = Self.stage()
        stage.passTime()
        stage.press(.pageUp, .pageUp)
        stage.answerAll()
        for id in ["n1", "n2"] {
            let message = arrival(id, "new").message
            stage.change { $0.talks[0].messages.append(message) }
            stage.send(.changed(Stage.general.id, [.arrived(message)]))
            stage.passTime()
        }
        #expect(stage.screen.contains("↓ 2 new"))
        stage.press(.character("u"))
        stage.settle()
        #expect(stage.selection == "n1")
        stage.press(.end, .character("u"))
        stage.settle()
        #expect(stage.screen.contains("nothing new here"))
    }

    @Test func `An open list of conversations updates its counts, and keeps its order`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        let order = stage.model.rooms.switcher.rows.map(\.id)
        stage.press(.down)
        let selected = stage.model.rooms.switcher.selectedConversation
        stage.send(.arrived([arrival("a", "the newest", in: "ops"), arrival("b", "hey @ana", in: "ops")]))
        #expect(stage.model.rooms.switcher.rows.map(\.id) == order)
        #expect(stage.model.rooms.switcher.selectedConversation == selected)
        #expect(stage.rows.contains { $0.contains("Ops") && $0.contains("hey @ana") && $0.contains("@1 2 new") })
    }
}
