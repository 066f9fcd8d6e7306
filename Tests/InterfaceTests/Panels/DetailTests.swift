import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// Lists about the selected message and about the conversation.
struct DetailTests {
    private static func talk() -> [Message] {
        var script = Script("2025-03-05T09:00:00Z")
        script.add("plain", from: "Ana", id: "plain")
        script.add("loved", from: "Ben", id: "loved") { message in
            message.reactions = [
                Reaction(emoji: "👍", people: [person("Ana"), person("Cy")]),
                Reaction(emoji: "🎉", people: [person("Dee")], count: 1_205),
            ]
        }
        script.add("the third text", from: "Ben", id: "edited") { $0.isEdited = true }
        script.add("", from: "Ben", id: "deleted") { ($0.isEdited, $0.isDeleted) = (true, true) }
        return script.messages
    }

    private static func stage(at id: String, columns: Int = 80, rows: Int = 24) -> Stage {
        Stage.open(talk(), at: id, columns: columns, rows: rows, me: PersonID("ana"))
    }

    private static func version(_ text: String, _ at: String, isFirst: Bool = false) throws -> MessageVersion {
        MessageVersion(at: try #require(Timestamp(iso8601: at)), text: text, isFirst: isFirst)
    }

    // MARK: - Reactions

    @Test func `Each reaction lists its people, and the number of those without a name`() {
        var stage = Self.stage(at: "loved")
        let before = stage.frame
        stage.press(.character("W"))
        stage.answerAll()
        #expect(stage.rows[0].contains("1,207 reactions, 2 emoji"))
        #expect(stage.rows[1].contains("👍  2") && stage.rows[1].contains("Ana") && stage.rows[1].contains("you"))
        #expect(stage.rows[2].contains("Cy") && !stage.rows[2].contains("👍"))
        #expect(stage.rows[3].contains("🎉  1,205") && stage.rows[3].contains("Dee"))
        #expect(stage.rows[4].contains("1,204 people without a name here"))
        stage.typeAndWait("cy")
        #expect(stage.rows[1].contains("Cy") && stage.rows[2].allSatisfy { $0 == " " })
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test(arguments: [60, 100])
    func `Names of pictures are whole, with their counts`(columns: Int) {
        var script = Script("2025-03-05T10:00:00Z")
        script.add("see", from: "Ana") { message in
            message.reactions = [
                Reaction(emoji: ":party_parrot_deluxe:", people: [person("Ben")]),
                Reaction(emoji: ":party_parrot_festive:", people: [person("Cy")]),
                Reaction(emoji: "(picture)", people: [person("Dee")]),
            ]
        }
        var stage = Stage.open(script.messages, at: nil, columns: columns, me: PersonID("ana"))
        stage.press(.character("W"))
        stage.answerAll()
        #expect(stage.rows[1].contains(":party_parrot_deluxe:  1   Ben"))
        #expect(stage.rows[2].contains(":party_parrot_festive:  1  Cy"))
        #expect(stage.rows[3].contains("(picture)  1               Dee"), "\(stage.screen)")
        stage.send(.resized(Size(columns: 32, rows: 14)))
        #expect(stage.rows[1].contains("…  1  Ben") && stage.rows[2].contains("…  1  Cy"), "\(stage.screen)")
    }

    @Test func `All names come later, and a failure is told`() {
        var stage = Self.stage(at: "loved")
        stage.press(.character("W"))
        stage.forgetWaiting()
        let number = stage.model.layers.sheets
        stage.send(.reply(.sheet(number, rest: .problems), .message(.failure(.unavailable("the line is down")))))
        #expect(stage.rows.last?.contains("not all names: the line is down") == true)
        var whole = Self.talk()[1]
        whole.reactions = [Reaction(emoji: "👍", people: [person("Ana"), person("Cy"), person("Eve")])]
        stage.send(.reply(.sheet(number - 1, rest: .problems), .message(.success(whole))))
        #expect(!stage.screen.contains("Eve"))
        stage.send(.reply(.sheet(number, rest: .problems), .message(.success(whole))))
        #expect(stage.screen.contains("Eve"))
    }

    @Test func `Without reactions there is no list`() {
        var stage = Self.stage(at: "plain")
        stage.press(.character("W"))
        #expect(stage.screen.contains("nobody has reacted"))
        #expect(stage.model.panel == nil)
    }

    // MARK: - Earlier texts

    @Test func `All texts of a message are listed, the newest first, with the whole selected one`() throws {
        var stage = Self.stage(at: "edited")
        let texts = [
            try Self.version("the first text\nof two lines", "2025-03-05T09:03:00Z", isFirst: true),
            try Self.version("the second text", "2025-03-05T09:10:00Z"),
            try Self.version("the third text", "2025-03-05T10:00:00Z"),
        ]
        stage.change { $0.versions = [MessageID("edited"): texts] }
        stage.press(.character("E"))
        #expect(stage.screen.contains("loading…"))
        stage.answerAll()
        #expect(stage.rows[0].contains("3 texts"))
        #expect(
            stage.rows[1].contains("10:00") && stage.rows[1].contains("now") && stage.rows[1].contains("the third text")
        )
        #expect(stage.rows[2].contains("09:10") && stage.rows[2].contains("edited"))
        #expect(stage.rows[3].contains("09:03") && stage.rows[3].contains("first"))
        #expect(stage.rows.dropFirst(9).joined().contains("the third text"))
        // The line above the text carries its day, so that no line of the day stands directly below it.
        let day = stage.rows.indices.filter { stage.rows[$0].contains("March 2025") }
        #expect(day.count == 1 && stage.rows[day.first ?? 0].hasPrefix("── "), "\(stage.screen)")
        let below = day.first.map { stage.rows[$0 + 1] } ?? ""
        #expect(below.contains("the third text"), "the text begins directly below it")
        stage.press(.down, .down)
        #expect(stage.rows.dropFirst(9).contains { $0.contains("of two lines") })
        stage.press(.escape)
        #expect(stage.selection == "edited")
    }

    @Test func `Where the archive has only the last text, the list says so`() throws {
        var stage = Self.stage(at: "edited")
        let texts = [try Self.version("the third text", "2025-03-05T10:00:00Z")]
        stage.change { $0.versions = [MessageID("edited"): texts] }
        stage.press(.character("E"))
        stage.answerAll()
        #expect(stage.rows.last?.contains("its earlier texts are not in this archive") == true)
    }

    @Test(arguments: [("plain", "never edited"), ("deleted", "its texts are not shown")])
    func `A message that was not edited, or is deleted, has no list of texts`(id: String, notice: String) {
        var stage = Self.stage(at: id)
        stage.press(.character("E"))
        #expect(stage.screen.contains(notice))
        #expect(stage.model.panel == nil)
    }

    // MARK: - Members

    @Test func `The members of a conversation are listed under its topic, and found by their names`() {
        let members = [Person(id: PersonID("ana"), name: "Ana Ruiz"), person("Ben"), person("Cy")]
        let team = Conversation(
            id: ConversationID("team"), title: "Team", topic: "Who does which part", members: members)
        var stage = Stage.open(
            Self.talk(), at: nil, columns: 80, rows: 24, beside: [(team, Self.talk())], me: PersonID("ana"))
        stage.press(.control("k"))
        stage.typeAndWait("team")
        stage.press(.enter)
        stage.settle()
        stage.press(.character("w"))
        stage.answerAll()
        #expect(stage.rows[0].contains("Team:") && stage.rows[0].contains("3 members"))
        #expect(stage.rows[1].contains("Who does which part"))
        #expect(stage.rows[3].contains("Ana Ruiz  ana  you"))
        stage.typeAndWait("cy")
        #expect(stage.rows[3].contains("▌Cy"))
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.panel == .search && stage.model.search.field.text == "from:cy in:team ")
    }

    @Test func `What is known of the members is not told as all there are`() {
        let team = Conversation(
            id: ConversationID("team"), title: "Team", topic: nil, members: [person("Ana"), person("Ben")],
            memberCount: 122)
        var stage = Stage.open(Self.talk(), at: nil, columns: 80, rows: 24, beside: [(team, Self.talk())])
        stage.press(.control("k"))
        stage.typeAndWait("team")
        stage.press(.enter)
        stage.settle()
        stage.press(.character("w"))
        #expect(stage.rows[0].contains("122 members, 2 known"))
        stage.forgetWaiting()
        let (number, question) = (stage.model.layers.sheets, Request.members(team.id))
        let error = StoreError.unavailable("offline")
        for pause in [1, 2] {
            stage.send(.reply(.sheet(number, rest: question), .members(.failure(error))))
            #expect(stage.rows[0].contains("122 members, 2 known: offline · next try in \(pause) s"))
            stage.passTime()
            #expect(stage.waiting.contains { if case .ask(question, .sheet(number, _)) = $0 { true } else { false } })
            stage.forgetWaiting()
        }
        stage.send(.reply(.sheet(number, rest: .problems), .members(.success((1...123).map { person("P\($0)") }))))
        #expect(stage.rows[0].contains("123 members") && !stage.rows[0].contains("known"))
        stage.press(.escape, .character("w"))
        #expect(stage.rows[0].contains("123 members"))
        // Somebody comes.
        stage.press(.escape)
        let joined = Message(
            id: MessageID("join"), at: Timestamp(milliseconds: 0), sender: person("New"), kind: .system,
            presence: Presence(.join, stretch: 1), text: "New joined", cursor: Messages.Cursor(token: "9"))
        stage.send(.changed(team.id, [.arrived(joined)]))
        stage.forgetWaiting()
        stage.press(.character("w"))
        #expect(stage.rows[0].contains("2 known"))
        #expect(stage.waiting.contains { if case .ask(.members(team.id), .sheet) = $0 { true } else { false } })
    }

    @Test func `Without a list of members, those who have written are listed as they are found, the latest first`() {
        var stage = Self.stage(at: "plain")
        stage.press(.character("w"))
        stage.forgetWaiting()
        #expect(stage.screen.contains("reading…"))
        let number = stage.model.layers.sheets
        let at = Timestamp(milliseconds: 0)
        stage.send(
            .reply(
                .sheet(number, rest: .problems),
                .writers(.success(Writers(people: [(person("Ben"), at)], isLast: false)))))
        #expect(stage.rows[0].contains("1 who have written so far"))
        stage.send(
            .reply(
                .sheet(number, rest: .problems),
                .writers(.success(Writers(people: [(person("Ana"), at)], isLast: true)))))
        #expect(stage.rows[0].contains("2 who have written") && !stage.rows[0].contains("so far"))
        #expect(stage.rows.contains { $0.contains("▌") && $0.contains("Ben") })
        stage.press(.escape)
        #expect(stage.requestsStop)
    }

    @Test(arguments: [(40, 10), (20, 4), (200, 60)])
    func `Each list fits on any screen`(columns: Int, rows: Int) throws {
        for (id, key) in [("loved", "W"), ("edited", "E"), ("plain", "w"), ("plain", "M")] as [(String, Character)] {
            var stage = Self.stage(at: id, columns: columns, rows: rows)
            let texts = [try Self.version("a text", "2025-03-05T10:00:00Z")]
            stage.change { $0.versions = [MessageID("edited"): texts] }
            stage.press(.character(key))
            stage.answerAll()
            #expect(stage.model.panel == .sheet)
            #expect(stage.frame.lines.count == rows && stage.frame.lines.allSatisfy { $0.columns <= columns })
            stage.send(.resized(Size(columns: rows * 2, rows: columns / 2)))
            #expect(stage.frame.lines.allSatisfy { $0.columns <= rows * 2 })
        }
    }
}

extension Stage {
    /// Whether the store was told that no reply is wanted any more.
    fileprivate var requestsStop: Bool { waiting.contains { if case .stop(.sheet) = $0 { true } else { false } } }
}
