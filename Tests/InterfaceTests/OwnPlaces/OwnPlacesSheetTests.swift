import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// The lists of mentions and of threads, over all conversations.
struct OwnPlacesSheetTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)

    private static func place(
        _ id: String, _ text: String, _ at: String, in conversation: String = "general", isUnread: Bool = false,
        replies: Int? = nil
    ) throws -> OwnPlace {
        OwnPlace(
            id: Link(conversation: ConversationID(conversation), message: MessageID(id)),
            at: try #require(Timestamp(iso8601: at)), sender: person("Cy"), text: text, isUnread: isUnread,
            replies: replies)
    }

    private static func stage(columns: Int = 80, rows: Int = 24, me: PersonID? = PersonID("ana")) -> Stage {
        var script = Script("2025-03-05T00:00:00Z")
        for index in 0..<5 { script.add("a build \(index)", from: "Cy", id: "d-\(index)") }
        return Stage.open(
            Script.long(500), at: "m-50", columns: columns, rows: rows, beside: [(dev, script.messages)], me: me)
    }

    @Test func `Mentions of all conversations are listed as they are found, the newest first`() throws {
        var stage = Self.stage()
        stage.press(.character("@"))
        #expect(stage.screen.contains("searching…"))
        stage.forgetWaiting()
        let number = stage.model.layers.sheets
        stage.send(
            .reply(.sheet(number, rest: .problems), .own([try Self.place("m-300", "older", "2025-03-02T00:00:00Z")])))
        #expect(stage.rows[0].contains("1 mention so far"))
        let newer = try Self.place("d-3", "look @ana", "2025-03-05T00:03:00Z", in: "dev", isUnread: true)
        stage.send(.reply(.sheet(number, rest: .problems), .own([newer])))
        #expect(stage.rows[1].contains("▌•") && stage.rows[1].contains("look @ana"))
        #expect(stage.rows[2].contains("older"))
        stage.send(.reply(.sheet(number, rest: .problems), .end()))
        #expect(stage.rows[0].contains("2 mentions, 1 unread") && !stage.rows[0].contains("so far"))
    }

    @Test func `The cursor stays on its place when newer ones are found`() throws {
        var stage = Self.stage()
        stage.press(.character("@"))
        stage.forgetWaiting()
        let number = stage.model.layers.sheets
        stage.send(
            .reply(
                .sheet(number, rest: .problems),
                .own([
                    try Self.place("m-1", "one", "2025-03-02T00:00:00Z"),
                    try Self.place("m-2", "two", "2025-03-01T00:00:00Z"),
                ])))
        stage.press(.down)
        stage.send(
            .reply(.sheet(number, rest: .problems), .own([try Self.place("m-3", "three", "2025-03-03T00:00:00Z")])))
        #expect(stage.rows[1].contains("three") && stage.rows[3].contains("▌") && stage.rows[3].contains("two"))
    }

    @Test func `Enter goes there, and back returns`() throws {
        var stage = Self.stage()
        let place = try Self.place("d-3", "look", "2025-03-05T00:03:00Z", in: "dev")
        stage.change { $0.own = [.mentions: [place]] }
        stage.press(.character("@"))
        stage.answerAll()
        #expect(stage.rows[1].contains("Development"))
        #expect(stage.rows.dropFirst(13).joined().contains("a build 2"), "the messages around it")
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.conversation == Self.dev && stage.selection == "d-3")
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.model.conversation == Stage.general && stage.selection == "m-50")
    }

    @Test func `Threads have the number of their replies`() throws {
        var stage = Self.stage()
        let place = try Self.place("m-20", "a root", "2025-03-05T00:03:00Z", replies: 1_200)
        stage.change { $0.own = [.threads: [place]] }
        stage.press(.character("#"))
        stage.answerAll()
        #expect(stage.rows[0].contains("Your threads:") && stage.rows[0].contains("1 thread"))
        #expect(stage.rows[1].contains("a root") && stage.rows[1].contains("1,200 replies"))
    }

    @Test func `Enter on a thread with unread replies opens it at the first of them`() throws {
        var stage = Self.stage()
        var script = Script("2025-03-05T00:00:00Z")
        for id in ["r0", "r1", "r2"] { script.add("reply \(id)", from: "Cy", id: id) }
        let replies = script.messages.map { Script.reply(to: 20, $0.text, like: $0) }
        let root = try Self.place("m-20", "a root", "2025-03-05T00:03:00Z", replies: 3)
        let place = OwnPlace(
            id: root.id, at: root.at, sender: root.sender, text: root.text, isUnread: true, replies: 3,
            firstUnread: MessageID("r1"))
        stage.change { store in
            store.talks[0].messages += replies
            store.own = [.threads: [place]]
        }
        stage.press(.character("#"))
        stage.answerAll()
        #expect(stage.rows[0].contains("1 thread, 1 unread"))
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.pane.thread == MessageID("m-20") && stage.selection == "r1")
    }

    @Test func `Without a user, without results, and after a failure the list says so`() {
        var stage = Self.stage(me: nil)
        stage.press(.character("@"))
        #expect(stage.screen.contains("Kedge doesn't know who you are") && stage.model.panel == nil)
        stage = Self.stage()
        stage.press(.character("#"))
        stage.answerAll()
        #expect(stage.screen.contains("you have written in no thread"))
        stage.press(.escape)
        stage.press(.character("@"))
        stage.forgetWaiting()
        stage.send(.reply(.sheet(stage.model.layers.sheets, rest: .problems), .end(.unavailable("the line is down"))))
        #expect(stage.rows[0].contains("not all searched: the line is down"))
    }
}
