import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// What is asked about a message of one conversation is never done in another.
struct ComposerPlaceTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)

    private static func stage() -> Stage {
        var stage = Stage.open(
            Script.long(8), at: nil, beside: [(dev, Script.long(5))], me: PersonID("ben"))
        stage.passTime()
        return stage
    }

    private func posts(_ stage: Stage) -> [Post] {
        stage.others.compactMap { if case .ask(.send(let post, _, _), _) = $0 { post } else { nil } }
    }

    /// Chooses the other conversation, whose page is on its way then.
    private func leave(_ stage: inout Stage) {
        stage.press(.control("k"))
        stage.answerAll()
        stage.passTime()
        stage.type("Dev")
        stage.press(.enter)
    }

    @Test func `A user who begins to write does so in the conversation that is on its way`() {
        for keys in [["i"], ["r"], ["k", "x"], ["+"]] {
            var stage = Self.stage()
            leave(&stage)
            for key in keys { stage.press(.character(Character(key))) }
            stage.answerAll()
            #expect(stage.model.conversation?.id == Self.dev.id, "\(keys)")
            #expect(stage.model.panel != nil, "\(keys)")
        }
    }

    @Test func `A panel about a message closes with its conversation`() {
        var stage = Self.stage()
        leave(&stage)
        stage.model.layers.ask(Permission.toDelete(MessageID("m-3")))
        stage.answerAll()
        #expect(stage.model.conversation?.id == Self.dev.id && stage.model.panel == nil)
        stage.press(.character("y"))
        #expect(posts(stage).isEmpty)
    }

    @Test func `Posts are sent one after the other, in the order in which they were written`() throws {
        var stage = Self.stage()
        stage.press(.character("i"))
        for text in ["one", "two", "three"] {
            stage.type(text)
            stage.press(.enter)
        }
        #expect(posts(stage).count == 1)
        let first = try #require(posts(stage).first)
        stage.send(.reply(.post(Stage.general.id, first.id), .done(.failure(.unavailable("slow")))))
        #expect(posts(stage).count == 1)
        stage.passTime()
        #expect(posts(stage).map(\.id) == [first.id, first.id])
        stage.send(.reply(.post(Stage.general.id, first.id), .done(.success(()))))
        #expect(posts(stage).count == 3)
        stage.send(.reply(.post(Stage.general.id, posts(stage)[2].id), .done(.failure(.notSent("refused")))))
        #expect(posts(stage).count == 4)
        let texts = posts(stage).map { if case .message(let text, _, _) = $0.content { text } else { "" } }
        #expect(texts == ["one", "one", "two", "three"])
    }

    @Test func `An edit gives back the reply that it interrupted, which is saved meanwhile`() throws {
        var stage = Self.stage()
        stage.press(.up, .character("r"))
        stage.type("my answer")
        stage.press(.escape)
        let own = try #require(stage.entries.last { $0.message.sender?.id == PersonID("ben") }).id
        _ = stage.model.reader.pane.timeline.jump(to: own, aligned: .minimal)
        stage.press(.character("e"))
        stage.type(" and more")
        stage.passTime()
        let kept = stage.others.compactMap { if case .keepDraft(_, let draft) = $0 { draft } else { nil } }.last
        #expect(kept?.text == "my answer")
        stage.press(.escape, .character("i"), .enter)
        guard case .message("my answer", let replyTo?, nil)? = posts(stage).last?.content else {
            Issue.record("\(posts(stage))")
            return
        }
        #expect(replyTo != own)
    }
}
