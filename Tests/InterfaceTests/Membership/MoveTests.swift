import Display
import Messages
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Conversations whose people have moved to another one.
struct MoveTests {
    private static let successor = Successor(
        conversation: ConversationID("new"), address: "https://matrix.to/#/!new?via=e.org")
    private static let text = "people have moved to another room · Enter goes there"

    private static func general(_ successor: Successor?) -> Conversation {
        Conversation(id: Stage.general.id, title: "General", topic: "Where we talk", successor: successor)
    }

    private static let new = Conversation(
        id: ConversationID("new"), title: "New", topic: nil, predecessor: Stage.general.id)

    private static func stage(_ successor: Successor?, count: Int = 40, at position: PageRequest.Position = .latest)
        -> Stage
    {
        var stage = Stage(Script.long(count), columns: 72, rows: 12, me: PersonID("ben")) { $0.canJoin = true }
        stage.change {
            $0.talks = [(general(successor), $0.talks[0].messages), (new, Script.long(5))]
        }
        stage.start(in: general(successor), at: position)
        stage.answerAll()
        return stage
    }

    @Test func `The end says that people have moved, and Enter goes there, and back from its beginning`() {
        var stage = Self.stage(Self.successor)
        #expect(stage.rows[10].contains(Self.text), "\(stage.screen)")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "New")
        #expect(stage.screen.contains("beginning of the conversation · Enter goes to the room before it"))
        stage.press(.home)
        stage.answerAll()
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "General")
    }

    @Test func `The cursor goes to that row, and a click on it goes there`() {
        var stage = Self.stage(Self.successor)
        stage.press(.down)
        #expect(stage.rows[10].hasPrefix("▌") && stage.model.timeline.selectedEdge == .newer)
        stage.press(.up)
        #expect(stage.model.timeline.selectedEdge == nil)
        stage.mouse(.press(clicks: 1), row: 10)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "New")
    }

    @Test func `A room that the user has left says so, in the title and in the lists`() throws {
        let left = Conversation(id: Stage.general.id, title: "General", topic: nil, hasLeft: true)
        func stage(in conversation: Conversation) -> Stage {
            var stage = Stage(Script.long(40), columns: 130, rows: 12, me: PersonID("ben"), hidesList: false)
            stage.change { $0.talks = [(left, $0.talks[0].messages), (Self.new, Script.long(5))] }
            stage.start(in: conversation, at: .latest)
            stage.answerAll()
            stage.settle()
            return stage
        }
        #expect(stage(in: left).rows[0].contains("General   left"))
        var other = stage(in: Self.new)
        #expect(!other.rows[0].contains("left"))
        let row = try #require(other.frame.lines.first { $0.text.prefix(30).contains("General") })
        #expect(row.spans.contains { $0.text.string.contains("General") && $0.style.attributes.contains(.dim) })
        other.press(.control("k"))
        other.settle()
        #expect(other.rows.filter { $0.contains(" left ") }.count == 1, "\(other.screen)")
    }

    @Test func `A room that is not here is joined first`() {
        var stage = Self.stage(Successor(conversation: nil, address: Self.successor.address))
        stage.press(.enter)
        let joined = stage.others.compactMap { if case .ask(.join(let address), _) = $0 { address } else { nil } }
        #expect(joined == [Self.successor.address])
        stage.send(.reply(.request(.join(Self.successor.address)), .conversation(.success(Self.new))))
        stage.answerAll()
        #expect(stage.model.conversation?.title == "New")
    }

    @Test(arguments: [PageRequest.Position.latest, .message(MessageID("m-20"))])
    func `No row moves when people move while the conversation is open`(position: PageRequest.Position) {
        var stage = Self.stage(nil, at: position)
        let before = stage.rows.dropLast()
        stage.change { $0.talks[0].conversation = Self.general(Self.successor) }
        stage.send(.news(.listChanged))
        stage.answerAll()
        #expect(stage.rows.dropLast() == before, "\(stage.screen)")
        #expect(stage.rows[11].contains("people have moved to another room"))
        stage.press(.end)
        stage.answerAll()
        #expect(stage.rows[10].contains(Self.text), "\(stage.screen)")
    }

    @Test func `Enter goes there at once when people have just moved`() {
        var stage = Self.stage(nil)
        stage.change { $0.talks[0].conversation = Self.general(Self.successor) }
        stage.send(.news(.listChanged))
        stage.answerAll()
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "New")
    }

    @Test func `A conversation that fits the screen has both rows`() {
        let stage = Self.stage(Self.successor, count: 2)
        #expect(stage.rows[2].contains("beginning of the conversation"), "\(stage.screen)")
        #expect(stage.screen.contains(Self.text))
    }

    @Test func `On a narrow screen the key is left out`() {
        var stage = Self.stage(Self.successor)
        stage.send(.resized(Size(columns: 40, rows: 10)))
        stage.answerAll()
        #expect(stage.screen.contains("people have moved to another room"), "\(stage.screen)")
    }
}
