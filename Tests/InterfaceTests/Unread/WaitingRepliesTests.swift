import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// Replies in threads that name the user wait for him, from one run to the next.
struct WaitingRepliesTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)

    private static func reply(_ id: String, _ text: String = "@ana: look", to root: Int = 3) -> Message {
        var script = Script("2025-03-05T10:00:00Z")
        script.add(text, from: "Cy", id: id)
        return Script.reply(to: root, text, like: script.messages[0])
    }

    /// In front of "general", as Ana.
    private static func stage(
        _ general: [Message] = Script.long(30), dev: [Message] = Script.long(5),
        positions: [ConversationID: ReadPosition] = [:]
    ) -> Stage {
        var stage = Stage(general, columns: 120, rows: 14, me: PersonID("ana"))
        stage.change { $0.talks.append((Self.dev, dev)) }
        stage.model.reader.reading.states = ReadStates(
            positions: positions, baseline: [Stage.general.id: MessageID("m-29"), Self.dev.id: MessageID("m-4")])
        stage.start(at: .latest)
        stage.answerAll()
        stage.passTime()
        return stage
    }

    private func arrive(_ message: Message, _ stage: inout Stage) {
        stage.change { $0.talks[0].messages.append(message) }
        stage.send(.changed(Stage.general.id, [.arrived(message)]))
        stage.passTime()
    }

    /// What a later run knows.
    private func positions(_ stage: Stage) -> [ConversationID: ReadPosition] { stage.model.reading.states.positions }

    @Test func `Replies that came in other threads unseen are counted, and reached`() {
        var stage = Self.stage(dev: Script.long(5) + [Self.reply("r1"), Self.reply("r2", "no"), Self.reply("r3")])
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.contains { $0.contains("Dev") && $0.contains(" @2 ") && !$0.contains("new") })
        stage.press(.escape, .alt("a"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.dev.id)
        #expect(stage.model.pane.thread == MessageID("m-3") && stage.selection == "r1")
        #expect(positions(stage)[Self.dev.id]?.threads == ThreadMarks(upTo: MessageID("r3")))
        stage.go(to: "general")
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.screen.contains("nothing new in other conversations"))
    }

    @Test func `u opens the thread of a waiting reply at it, and the way back leads to the same screen`() {
        var stage = Self.stage()
        let before = stage.rows.dropLast()
        for id in ["r1", "r2"] { arrive(Self.reply(id), &stage) }
        arrive(Self.reply("r3", to: 5), &stage)
        stage.press(.character("u"))
        stage.settle()
        #expect(stage.model.pane.thread == MessageID("m-3") && stage.selection == "r1")
        stage.press(.character("u"))
        stage.settle()
        #expect(stage.model.pane.thread == MessageID("m-5") && stage.selection == "r3")
        #expect(stage.model.reading.threads?.open == [])
        stage.press(.character("u"))
        stage.settle()
        #expect(stage.screen.contains("nothing new here"))
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.selection == "m-29" && stage.model.openThread == nil)
        #expect(stage.rows.dropLast().dropFirst(2) == before.dropFirst(2))
    }

    @Test(arguments: [32, 80])
    func `u goes to the unread messages of the conversation before it goes to a waiting reply`(count: Int) {
        var stage = Self.stage(Script.long(count) + [Self.reply("r1")])
        // Of two messages, the line is on the screen already.
        if count > 32 {
            stage.press(.character("u"))
            stage.settle()
            #expect(!stage.model.isInThread && stage.selection == "m-31")
        }
        stage.press(.character("u"))
        stage.settle()
        #expect(stage.model.pane.thread == MessageID("m-3") && stage.selection == "r1")
        stage.press(.control("o"), .character("u"))
        stage.settle()
        #expect(!stage.model.isInThread && stage.selection == "m-31")
    }

    @Test func `Replies that came without the focus have a line in the open thread, and u goes to it`() {
        var stage = Self.stage(Script.long(30) + [Self.reply("r0", "a thread", to: 28)])
        stage.press(.up, .character("t"))
        stage.settle()
        stage.send(.focus(true))
        arrive(Self.reply("r1", to: 28), &stage)
        #expect(stage.entries.filter(\.startsUnread).isEmpty)
        stage.send(.focus(false))
        for index in 0..<30 { arrive(Self.reply("n\(index)", to: 28), &stage) }
        stage.send(.focus(true))
        #expect(stage.entries.filter(\.startsUnread).map(\.id) == [MessageID("n0")])
        #expect(stage.model.reading.threads?.open == [])
        stage.press(.character("u"))
        stage.settle()
        #expect(stage.model.isInThread && stage.selection == "n0")
        stage.press(.end)
        stage.settle()
        stage.send(.focus(false))
        arrive(Self.reply("x0", to: 28), &stage)
        stage.send(.focus(true))
        #expect(stage.entries.filter(\.startsUnread).map(\.id) == [MessageID("x0")])
    }

    @Test func `A reply that was deleted does not wait any more`() {
        var stage = Self.stage()
        for id in ["r1", "r2"] { arrive(Self.reply(id), &stage) }
        #expect(stage.rows.last?.contains("General: 2 for you") == true)
        for (id, rest) in [("r1", "General: 1 for you"), ("r2", "")] {
            var gone = Self.reply(id)
            (gone.text, gone.isDeleted) = ("", true)
            stage.send(.changed(Stage.general.id, [.updated(gone)]))
            stage.passTime()
            #expect(stage.rows.last?.contains(rest.isEmpty ? "General: " : rest) == !rest.isEmpty)
        }
        stage.press(.character("u"))
        #expect(stage.screen.contains("nothing new here"))
    }

    @Test func `A reply that came while the help covers its thread waits until the help is closed`() {
        var stage = Self.stage(Script.long(30) + [Self.reply("r0", "a thread", to: 28)])
        stage.press(.up, .character("t"))
        stage.settle()
        stage.press(.character("h"))
        arrive(Self.reply("r1", to: 28), &stage)
        stage.press(.down)
        #expect(stage.model.reading.threads?.open.map(\.message) == [MessageID("r1")])
        stage.press(.escape)
        #expect(stage.model.openThread?.thread == MessageID("m-28"))
        #expect(stage.model.reading.threads?.open == [])
    }

    @Test func `A waiting reply is still there in the next run, even if the end was read since`() {
        var stage = Self.stage()
        stage.send(.focus(true))
        arrive(Self.reply("r1"), &stage)
        arrive(Script.long(31)[30], &stage)
        arrive(Script.long(32)[31], &stage)
        let kept = positions(stage)
        #expect(kept[Stage.general.id]?.message == MessageID("m-31"))
        let waiting = [ThreadReply(thread: MessageID("m-3"), message: MessageID("r1"))]
        #expect(kept[Stage.general.id]?.threads?.open == waiting)
        var next = Self.stage(stage.store.talks[0].messages, positions: kept)
        #expect(next.rows.last?.contains("General: 1 for you") == true)
        next.press(.alt("a"))
        next.settle()
        #expect(next.model.pane.thread == MessageID("m-3") && next.selection == "r1")
        #expect(next.rows.last?.contains("in General") == false)
        let third = Self.stage(next.store.talks[0].messages, positions: positions(next))
        #expect(third.rows.last?.contains("in General") == false)
    }

    @Test func `A reply that came while its thread was on the screen does not wait`() {
        var stage = Self.stage(Script.long(30) + [Self.reply("r0", "a thread", to: 28)])
        stage.press(.up, .character("t"))
        stage.settle()
        #expect(stage.model.openThread?.thread == MessageID("m-28"))
        arrive(Self.reply("r1", to: 28), &stage)
        #expect(stage.rows.last?.contains("in General") == false)
        let next = Self.stage(stage.store.talks[0].messages, positions: positions(stage))
        #expect(next.rows.last?.contains("in General") == false)
    }

    @Test func `In the first run, before there is a baseline, replies wait as well`() {
        var stage = Stage(Script.long(30), columns: 120, rows: 14, me: PersonID("ana"))
        stage.start(at: .latest)
        stage.answerAll()
        stage.passTime()
        arrive(Self.reply("r1"), &stage)
        arrive(Script.long(31)[30], &stage)
        let next = Self.stage(stage.store.talks[0].messages, positions: positions(stage))
        #expect(next.rows.last?.contains("General: 1 for you") == true)
    }
}
