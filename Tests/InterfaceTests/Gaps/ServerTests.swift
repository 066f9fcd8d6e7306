import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// The store has a server: it may be out of reach, and it gives posts other IDs.
struct ServerTests {
    private static let offline = StoreChange.reach(.offline(reason: "no route to host"))

    private static func stage() -> Stage {
        var stage = Stage.open(Script.long(40), at: nil, columns: 72, rows: 12, me: PersonID("ana"))
        stage.passTime()
        return stage
    }

    @Test func `The title says that the server is out of reach, and the reason is told once`() {
        var stage = Self.stage()
        #expect(!stage.screen.contains("offline"))
        stage.send(.changed(Stage.general.id, [Self.offline]))
        #expect(stage.rows[0].contains("General   offline"))
        #expect(stage.rows[11].contains("offline: no route to host"))
        stage.press(.up)
        #expect(!stage.rows[11].contains("no route"))
        stage.send(.changed(Stage.general.id, [Self.offline]))
        #expect(!stage.rows[11].contains("no route"))
        stage.send(.changed(Stage.general.id, [.reach(.online), .filled]))
        #expect(!stage.screen.contains("offline"))
    }

    @Test func `Another try with the same failure is not told, and the notice goes when the server is back`() {
        var stage = Self.stage()
        func fail(after milliseconds: Int, _ reason: String = "no answer") -> Event {
            .changed(Stage.general.id, [.reach(.offline(reason: "\(reason) after \(milliseconds) ms"))])
        }
        stage.send(fail(after: 3))
        #expect(stage.rows[11].contains("offline: no answer after 3 ms"))
        stage.press(.up)
        stage.send(fail(after: 14))
        #expect(!stage.rows[11].contains("no answer"))
        stage.send(fail(after: 14, "the login has ended"))
        #expect(stage.rows[11].contains("the login has ended"))
        stage.send(.changed(Stage.general.id, [.reach(.online), .filled]))
        #expect(!stage.screen.contains("offline"))
    }

    @Test(arguments: [false, true])
    func `The echo of a post has another ID and stands in its row`(isLate: Bool) throws {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.type("Good morning")
        stage.press(.enter, .escape)
        let post = try #require(stage.sent.first)
        let pending = stage.rows
        if isLate { stage.send(.reply(.post(Stage.general.id, post.id), .done(.success(())))) }
        let echo = Message(
            id: MessageID("$event"), at: post.at, sender: Person(id: PersonID("ana"), name: "Ana"),
            text: "Good morning",
            transaction: post.id, cursor: Cursor(token: "40"))
        stage.send(.changed(Stage.general.id, [.arrived(echo)]))
        if !isLate { stage.send(.reply(.post(Stage.general.id, post.id), .done(.success(())))) }
        stage.passTime()
        #expect(stage.entries.last?.id == MessageID("$event"))
        #expect(stage.model.writing.outbox[Stage.general.id] == nil)
        #expect(stage.rows.count { $0.contains("Good morning") } == 1)
        let row = try #require(pending.firstIndex { $0.contains("Good morning") })
        #expect(stage.rows[row].contains("Good morning"))
    }

    @Test func `A gap that can be filled is a row that loads, and a failure is tried again`() {
        var stage = Stage(Script.long(60), columns: 72, rows: 14)
        stage.change {
            $0.gaps = [20]; $0.fillsGaps = true
        }
        stage.start(at: .message(MessageID("m-21")))
        stage.answer { if case .ask(_, .list) = $0 { true } else { false } }
        stage.press(.up, times: 3)
        #expect(stage.screen.contains("loading older messages") && !stage.screen.contains("no messages here"))
        stage.failAll("the server is tired")
        #expect(stage.screen.contains("older messages did not load"))
        stage.passTime()
        stage.change { $0.gaps = [] }
        stage.answerAll()
        #expect(stage.entries.first?.id == MessageID("m-0") && stage.screen.contains("message 19"))
    }
}
