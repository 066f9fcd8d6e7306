import Messages
import TestSupport
import Testing
import Timeline

@testable import Display
@testable import Interface

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
        for case .loadList(let request, _) in effects {
            stage.send(.list(request, .failure(.noSuchConversation(general, nearest: []))))
        }
    }

    // MARK: - A conversation

    @Test func `That a conversation could not be loaded is told until it is loaded again`() {
        var stage = Self.open()
        Self.loseConversation(&stage)
        #expect(stage.screen.contains("not loaded: "))
        stage.send(.changed(Self.general, [.replaced]))
        #expect(stage.screen.contains("not loaded: "))
        stage.answerAll()
        #expect(!stage.screen.contains("not loaded: "))
    }
}
