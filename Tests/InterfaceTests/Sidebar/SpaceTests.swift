import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// Spaces as groups of the two lists of conversations.
struct SpaceTests {
    private static let kedge = Space(id: "!k", title: "Kedge", place: 0)
    private static let sea = Space(id: "!s", title: "Sea", place: 1)

    private static func conversation(_ title: String, _ space: Space? = nil) -> Conversation {
        Conversation(id: ConversationID(title.lowercased()), title: title, topic: nil, space: space)
    }

    private static func talk(_ text: String, at time: String = "2025-03-09T08:00:00Z") -> [Message] {
        var script = Script(time)
        script.add(text, from: "Ben")
        return script.messages
    }

    private static func stage(columns: Int = 130, rows: Int = 14) -> Stage {
        var stage = Stage.open(
            Script.long(40), at: nil, columns: columns, rows: rows,
            beside: [
                (conversation("Tides", sea), talk("low at noon")),
                (conversation("Design", kedge), talk("boxes", at: "2025-03-01T08:00:00Z")),
                (conversation("Builds", kedge), talk("green", at: "2025-03-08T08:00:00Z")),
                (conversation("Ana"), talk("hello")),
            ], me: PersonID("ana"), hidesList: columns < 120)
        stage.settle()
        return stage
    }

    private static func list(_ stage: Stage, columns: Int = 25) -> String {
        stage.rows.dropFirst().dropLast().map { String($0.prefix(columns)) }.joined(separator: "\n")
    }

    @Test func `The list at the left shows the conversations of a space together, under its title`() throws {
        let stage = Self.stage()
        expect(
            Self.list(stage),
            """
             1 Ana
            ▌2 General
             Kedge
             3 Builds
             4 Design
             Sea
             5 Tides





            """)
        let heading = try #require(stage.frame.lines[3].spans.first { $0.text.string == "Kedge" })
        #expect(heading.style == Style(.standard, .dim))
    }

    @Test func `Keys and clicks pass over the titles`() {
        var stage = Self.stage()
        stage.press(.alt("3"))
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Builds")
        stage.press(.altUp)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "General")
        stage.mouse(.press(clicks: 1), row: 3, column: 5)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "General")
        stage.mouse(.press(clicks: 1), row: 7, column: 5)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Tides")
    }

    @Test func `What comes while the list is shown moves no row, and has its place after c c`() {
        var stage = Self.stage()
        let before = Self.list(stage).split(separator: "\n").prefix(7)
        stage.change { $0.talks.append((Self.conversation("Chart", Self.kedge), Self.talk("here"))) }
        stage.send(.news(.listChanged))
        stage.answerAll()
        let rows = Self.list(stage).split(separator: "\n")
        #expect(rows.prefix(7) == before && rows[7].hasPrefix(" New ") && rows[8].hasPrefix(" 6 Chart"))
        stage.press(.character("c"), .character("c"))
        stage.answerAll()
        #expect(Self.list(stage).split(separator: "\n")[4].hasPrefix(" 4 Chart"), "\(Self.list(stage))")
    }

    @Test func `A conversation that goes takes its title with it when it was the last of its space`() {
        var stage = Self.stage()
        stage.change { $0.talks.removeAll { $0.conversation.title == "Tides" } }
        stage.send(.news(.listChanged))
        stage.answerAll()
        #expect(!Self.list(stage).contains("Sea") && Self.list(stage).contains("Kedge"))
    }

    @Test func `The switcher shows spaces too, below what is unread`() {
        var stage = Self.stage(columns: 72)
        stage.change { store in
            store.talks[2].messages += Self.talk("news", at: "2025-03-10T10:00:00Z").map {
                Message(id: MessageID("x"), at: $0.at, sender: $0.sender, text: $0.text, cursor: $0.cursor)
            }
        }
        var reads = ReadStates()
        for talk in stage.store.talks where talk.conversation.title != "Design" {
            reads.positions[talk.conversation.id] = talk.messages.last.map { ReadPosition(message: $0.id, index: nil) }
        }
        reads.positions[ConversationID("design")] = ReadPosition(message: MessageID("m-0"), index: nil)
        stage.model.reader.reading.states = reads
        stage.press(.control("k"))
        stage.settle()
        let titles = stage.rows[1...7].map { String($0.prefix(12)).split(separator: " ").joined(separator: " ") }
        #expect(
            titles == ["▌Design", "Ana", "General", "── Kedge ──", "Builds", "── Sea ────", "Tides"], "\(stage.screen)")
        stage.press(.down, times: 3)
        #expect(stage.model.rooms.switcher.selectedConversation?.title == "Builds")
        stage.mouse(.press(clicks: 1), row: 4, column: 3)
        #expect(stage.model.rooms.switcher.selectedConversation?.title == "Builds")
        stage.mouse(.press(clicks: 1), row: 7, column: 3)
        #expect(stage.model.rooms.switcher.selectedConversation?.title == "Tides")
    }

    @Test func `Typing the title of a space finds its conversations, without titles among them`() {
        var stage = Self.stage(columns: 72)
        stage.press(.control("k"))
        stage.settle()
        stage.typeAndWait("kedge")
        #expect(stage.model.rooms.switcher.rows.compactMap(\.conversation?.title).sorted() == ["Builds", "Design"])
        #expect(stage.model.rooms.switcher.lines.count == 2 && stage.rows[1].contains("Kedge"), "\(stage.screen)")
    }

    @Test func `A list that is longer than the screen shows the title of a space with its first conversation`() {
        var stage = Self.stage(columns: 72, rows: 5)
        stage.press(.control("k"))
        stage.settle()
        stage.press(.down, times: 5)
        stage.press(.up, times: 4)
        #expect(stage.model.rooms.switcher.selectedConversation?.title == "Ana")
        stage.press(.down, times: 4)
        #expect(stage.rows[3].hasPrefix("▌Tides") && stage.rows[2].contains("Sea"), "\(stage.screen)")
        stage.press(.up, .up)
        #expect(stage.rows[1].contains("Kedge") && stage.rows[2].hasPrefix("▌"), "\(stage.screen)")
    }
}
