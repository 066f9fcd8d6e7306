import Messages
import TestSupport
import Testing
import Timeline

@testable import Display
@testable import Interface
@testable import InterfaceSupport

/// A rewrite of a log removes messages, or all of a conversation, that something else still refers to.
struct RemovedMessagesTests {
    private static let general = Stage.general.id

    private static func open(_ count: Int = 400, at id: String? = "m-202") -> Stage {
        var stage = Stage.open(Script.long(count), at: id, rows: 16, me: PersonID("ben"))
        stage.settle()
        return stage
    }

    /// The next reload finds no conversation.
    private static func loseConversation(_ stage: inout Stage) {
        stage.send(.changed(general, [.replaced]))
        let effects = stage.waiting
        stage.forgetWaiting()
        for case .ask(_, .list(let request)) in effects {
            stage.send(.reply(.list(request), .page(.failure(.noSuchConversation(general, nearest: [])))))
        }
    }

    // MARK: - A conversation

    @Test func `A failure to load a conversation is reported until it is loaded again`() {
        var stage = Self.open()
        Self.loseConversation(&stage)
        #expect(stage.screen.contains("not loaded: "))
        stage.send(.changed(Self.general, [.replaced]))
        #expect(stage.screen.contains("not loaded: "))
        stage.answerAll()
        #expect(!stage.screen.contains("not loaded: "))
    }

    // MARK: - Places that one comes back to

    private static let other = Conversation(id: ConversationID("other"), title: "Other", topic: nil)

    private static func besideOther() -> Stage {
        let beside = [(other, Script.long(10))]
        var stage = Stage.open(Script.long(400), at: "m-202", rows: 16, beside: beside, me: PersonID("ben"))
        stage.settle()
        return stage
    }

    private static func remove(_ ids: Set<Int>, _ stage: inout Stage, isTold: Bool) {
        let left = Script.long(400).enumerated().filter { !ids.contains($0.offset) }.enumerated().map {
            $1.element.at($0)
        }
        stage.change { $0.talks[0].messages = left }
        if isTold { stage.send(.changed(general, [.replaced])) }
        stage.settle()
    }

    private static func row(_ text: String, _ stage: Stage) -> Int? {
        stage.rows.firstIndex { $0.contains("\(text) ") || $0.hasSuffix(text) }
    }

    @Test(arguments: [Set([202]), Set(195..<211), Set(100..<300)])
    func `A jump back to a removed message leads to its nearest survivor, in its row`(gone: Set<Int>) throws {
        var stage = Self.open()
        let row = try #require(Self.row("message 202", stage))
        stage.press(.character("G"))
        stage.settle()
        stage.press(.character("g"))
        stage.settle()
        Self.remove(gone, &stage, isTold: true)
        for _ in 0..<2 {
            stage.press(.control("o"))
            stage.settle()
        }
        let survivor = (202..<400).first { !gone.contains($0) } ?? 0
        let former = (0..<202).last { !gone.contains($0) } ?? 0
        let nearest = 202 - former < survivor - 202 ? former : survivor
        #expect(!stage.screen.contains("not loaded"))
        #expect(stage.selection == "m-\(nearest)")
        #expect(Self.row("message \(nearest)", stage) == row)
        stage.press(.tab)
        stage.settle()
        #expect(stage.rows.contains { $0.contains("message 399") })
    }

    @Test(arguments: [Key.control("o"), .control("k")])
    func `A conversation that was left at a removed message opens at its nearest survivor`(key: Key) throws {
        var stage = Self.besideOther()
        let row = try #require(Self.row("message 202", stage))
        stage.go(to: "other")
        #expect(stage.model.conversation?.id == Self.other.id)
        Self.remove([202], &stage, isTold: false)
        if key == .control("k") { stage.go(to: "general") } else { stage.press(key) }
        stage.settle()
        #expect(stage.model.conversation?.id == Self.general)
        #expect(!stage.screen.contains("not loaded"))
        #expect(stage.selection == "m-203" && Self.row("message 203", stage) == row)
    }

    @Test func `A link requests its message alone, removed or not`() {
        var stage = Self.open()
        stage.press(.character("G"))
        stage.settle()
        Self.remove([202], &stage, isTold: true)
        _ = stage.model.inReader { $0.go(to: .position(.message(MessageID("m-202"))), $1) }
        #expect(stage.model.pending?.position == .message(MessageID("m-202")))
    }
}

extension Message {
    /// The same message at a place of the fake store.
    fileprivate func at(_ index: Int) -> Message {
        Message(id: id, at: at, sender: sender, text: text, cursor: Messages.Cursor(token: "\(index)"))
    }
}
