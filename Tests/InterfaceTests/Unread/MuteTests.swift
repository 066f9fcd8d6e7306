import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// A muted conversation shows only mentions.
struct MuteTests {
    private static let ana = PersonID("ana")
    private static let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)

    private static func stage(columns: Int = 130) -> Stage {
        var script = Script("2025-03-05T00:00:00Z")
        script.add("a build", from: "Cy", id: "d-0")
        var stage = Stage.open(
            Script.long(50), at: nil, columns: columns, rows: 20, beside: [(dev, script.messages)], me: ana,
            hidesList: false)
        stage.send(
            .news(.baseline([ConversationID("general"): MessageID("m-49"), ConversationID("dev"): MessageID("d-0")])))
        return stage
    }

    private static func arrive(_ text: String, _ id: String, in stage: inout Stage) {
        var script = Script("2025-03-06T00:00:00Z")
        script.add(text, from: "Cy", id: id)
        stage.change { store in
            for index in store.talks.indices where store.talks[index].conversation == dev {
                store.talks[index].messages += script.messages
            }
        }
        stage.send(.arrived(script.messages.map { Arrival(conversation: dev.id, message: $0) }))
    }

    private static func row(_ stage: Stage) -> Line? {
        stage.frame.lines.first { $0.text.prefix(30).contains("Development") }
    }

    @Test func `A muted conversation has no badge except for mentions, and is dim`() throws {
        var stage = Self.stage()
        stage.send(.news(.muted([Self.dev.id])))
        Self.arrive("a build", "d-1", in: &stage)
        #expect(!stage.screen.contains("1 new"))
        let row = try #require(Self.row(stage))
        #expect(!row.text.prefix(27).dropFirst(4).contains(" 1 "))
        #expect(row.spans.contains { $0.text.string.contains("Development") && $0.style.attributes.contains(.dim) })
        Self.arrive("@ana look", "d-2", in: &stage)
        #expect(stage.screen.contains("Development: 1 for you"))
        #expect(Self.row(stage)?.text.contains("@1") == true)
        stage.send(.news(.muted([])))
        #expect(stage.screen.contains("Development: 2 new"))
    }

    @Test func `Alt-m mutes the conversation on the screen, and its title says so`() {
        var stage = Self.stage()
        stage.press(.alt("m"))
        stage.answerAll()
        #expect(stage.change { $0.muted } == [Stage.general.id])
        #expect(stage.rows[0].contains("General   muted"))
        stage.press(.alt("m"))
        stage.answerAll()
        #expect(stage.change { $0.muted }.isEmpty && !stage.rows[0].contains("muted"))
    }

    @Test func `In the switcher a muted conversation stands after those with unread messages`() {
        var stage = Self.stage(columns: 100)
        Self.arrive("a build", "d-1", in: &stage)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows[1].contains("Development") && stage.rows[1].contains("1 new"))
        stage.press(.alt("m"))
        stage.settle()
        #expect(stage.rows[1].contains("muted") && !stage.rows[1].contains("1 new"))
        #expect(stage.change { $0.muted } == [Self.dev.id])
        stage.press(.escape)
        Self.arrive("a build", "d-2", in: &stage)
        stage.send(.arrived([]))
        stage.press(.alt("a"))
        stage.settle()
        #expect(stage.model.conversation == Stage.general && stage.screen.contains("nothing new"))
    }

    @Test func `Without a mention it is sorted as a conversation without unread messages`() {
        var stage = Self.stage(columns: 100)
        var other = Script("2025-03-07T00:00:00Z")
        other.add("later", from: "Cy", id: "o-0")
        let quiet = Conversation(id: ConversationID("quiet"), title: "Quiet", topic: nil)
        stage.change { $0.talks.append((quiet, other.messages)) }
        stage.send(
            .news(
                .baseline([
                    ConversationID("general"): MessageID("m-49"), ConversationID("dev"): MessageID("d-0"),
                    quiet.id: MessageID("o-0"),
                ])))
        Self.arrive("a build", "d-1", in: &stage)
        for (muted, first) in [([], "Development"), ([Self.dev.id], "Quiet")] as [(Set<ConversationID>, String)] {
            stage.send(.news(.muted(muted)))
            stage.press(.control("k"))
            stage.settle()
            #expect(stage.rows.dropFirst().first { !$0.contains("General") }?.contains(first) == true)
            stage.press(.escape)
        }
    }
}
