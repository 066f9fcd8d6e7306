import Display
import Messages
import Testing

@testable import Interface

/// The user marks messages as read or unread.
struct MarkReadTests {
    private static let ana = PersonID("ana")
    private static let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)

    private static func stage(at id: String? = "m-190", columns: Int = 130) -> Stage {
        var script = Script("2025-03-05T00:00:00Z")
        for index in 0..<5 { script.add("a build \(index)", from: "Cy", id: "d-\(index)") }
        script.add("my own", from: "Ana", id: "d-5")
        var stage = Stage.open(
            Script.long(200), at: id, columns: columns, rows: 20, beside: [(dev, script.messages)], me: ana,
            hidesList: false)
        stage.send(
            .news(.baseline([ConversationID("general"): MessageID("m-150"), ConversationID("dev"): MessageID("d-5")])))
        return stage
    }

    /// The places that were to be kept.
    private static func kept(_ stage: Stage) -> [ReadPosition] {
        stage.others.compactMap { if case .markRead(_, let position) = $0 { position } else { nil } }
    }

    /// The row of the list of conversations at the left.
    private static func row(_ title: String, _ stage: Stage) -> String {
        stage.rows.first { $0.prefix(30).contains(title) && !$0.hasPrefix(" \(title)") }.map { String($0.prefix(30)) }
            ?? ""
    }

    @Test func `Marked as unread from the selected message on, the conversation stays so at its end`() throws {
        var stage = Self.stage(at: nil)
        #expect(Self.kept(stage).last?.message == MessageID("m-199"))
        stage.press(.up, times: 6)
        #expect(stage.selection == "m-193")
        let row = try #require(stage.rows.firstIndex { $0.contains("message 193") })
        stage.press(.character("U"))
        stage.settle()
        // Ben has written the messages with odd numbers.
        let last = try #require(Self.kept(stage).last)
        #expect(last.message == MessageID("m-192") && last.index == 192 && last.isChosen)
        #expect(stage.rows.firstIndex { $0.contains("message 193") } == row)
        #expect(stage.rows[row - 1].contains("new since you were here"))
        #expect(Self.row("General", stage).contains(" 4 "))
        stage.press(.end)
        stage.settle()
        #expect(Self.kept(stage).last == last)
        stage.press(.alt("1"))
        stage.settle()
        stage.press(.alt("2"))
        stage.settle()
        #expect(stage.model.conversation == Stage.general)
        #expect(Self.kept(stage).last?.message == MessageID("m-199"))
    }

    @Test func `From one's own message on, the first message of another person is the unread one`() {
        var stage = Self.stage()
        stage.press(.character("U"))
        #expect(Self.kept(stage).last?.message == MessageID("m-190"))
        #expect(stage.model.reading.firstUnread == MessageID("m-191"))
    }

    @Test func `All messages can be marked as unread, from the very first one on`() {
        var stage = Self.stage()
        stage.press(.home)
        stage.settle()
        stage.press(.down, .character("U"))
        stage.settle()
        #expect(Self.kept(stage).last?.message == MessageID("m-0"))
        var talk = Script("2025-03-05T00:00:00Z")
        talk.add("first", from: "Ben")
        var other = Stage.open(talk.messages, at: nil, me: Self.ana)
        other.press(.character("U"))
        #expect(Self.kept(other).last?.message == nil && other.model.reading.states[Stage.general.id] == .nothing)
    }

    @Test func `Marked as read, the conversation has neither a line nor a badge`() throws {
        var stage = Self.stage(at: nil)
        stage.press(.up, times: 6)
        stage.press(.character("U"))
        stage.settle()
        #expect(stage.screen.contains("new since you were here"))
        let row = try #require(stage.rows.firstIndex { $0.contains("message 193") })
        stage.press(.character("A"))
        stage.settle()
        #expect(stage.rows.firstIndex { $0.contains("message 193") } == row)
        #expect(!stage.screen.contains("new since you were here"))
        #expect(!Self.row("General", stage).contains(" 4 "))
        #expect(Self.kept(stage).last?.message == MessageID("m-199"))
    }

    @Test func `A conversation far from its end is marked as read up to its end, and stays where it is`() {
        var stage = Self.stage(at: "m-20")
        let rows = stage.rows.filter { $0.contains("message") }
        stage.press(.alt("r"))
        stage.settle()
        #expect(Self.kept(stage).last?.message == MessageID("m-199") && Self.kept(stage).last?.index == 199)
        #expect(stage.rows.filter { $0.contains("message") } == rows)
    }

    @Test func `In the switcher whole conversations are marked`() throws {
        var stage = Self.stage(at: nil, columns: 100)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows[1].contains("Development") && !stage.rows[1].contains("new"))
        stage.press(.alt("u"))
        stage.settle()
        // The newest message of others, before one's own.
        #expect(Self.kept(stage).last?.message == MessageID("d-3"))
        #expect(stage.rows[1].contains(" 1 new "))
        #expect(stage.rows.last?.contains("Development is marked as unread") == true)
        stage.press(.alt("r"))
        stage.settle()
        #expect(!stage.rows[1].contains("new"))
        #expect(Self.kept(stage).last?.message == MessageID("d-5"))
    }

    @Test func `A conversation whose end does not come is marked by a later try`() throws {
        var stage = Self.stage(columns: 100)
        let before = Self.kept(stage)
        stage.press(.alt("r"))
        let end = { (stage: Stage) in
            stage.waiting.compactMap {
                if case .ask(.page(let request), .task(.mark(.read, _))) = $0 { request } else { nil }
            }.first
        }
        let request = try #require(end(stage))
        #expect(stage.screen.contains("marking General as read…"))
        stage.forgetWaiting()
        stage.send(.reply(.task(.mark(.read, request)), .page(.failure(.unavailable("the line is down")))))
        #expect(stage.screen.contains("not marked yet: General as read · next try in 1 s · the line is down"))
        #expect(Self.kept(stage) == before && end(stage) == nil)
        stage.passTime()
        #expect(end(stage) == request)
        stage.settle()
        #expect(Self.kept(stage).last?.message == MessageID("m-199"))
        #expect(!stage.screen.contains("marking") && !stage.screen.contains("not marked"))
        // Another try would fail too.
        stage.press(.alt("r"))
        let second = try #require(end(stage))
        stage.forgetWaiting()
        stage.send(
            .reply(.task(.mark(.read, second)), .page(.failure(.noSuchConversation(second.conversation, nearest: [])))))
        #expect(stage.screen.contains("not marked: ") && !stage.screen.contains("next try"))
    }

    @Test func `In a thread nothing is marked`() {
        var talk = Script.long(20)
        talk.append(Script.reply(to: 19, "a reply", like: Script.long(21)[20]))
        var stage = Stage.open(talk, at: "m-19", me: Self.ana)
        stage.press(.character("t"))
        stage.settle()
        let before = Self.kept(stage)
        stage.press(.character("U"))
        #expect(stage.screen.contains("not in a thread"))
        #expect(Self.kept(stage) == before)
    }
}
