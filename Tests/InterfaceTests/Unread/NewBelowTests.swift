import Display
import Messages
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// `↓ 3 new`: what others wrote below the screen.
struct NewBelowTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Development", topic: nil)

    private static func stage(columns: Int = 72, rows: Int = 14, count: Int = 100) -> Stage {
        var stage = Stage.open(
            Script.long(count), at: nil, columns: columns, rows: rows, beside: [(dev, Script.long(5))],
            me: PersonID("ana"))
        stage.settle()
        return stage
    }

    private static func message(_ id: String, from name: String) -> Message {
        Message(
            id: MessageID(id), at: Timestamp(milliseconds: 1_741_600_000_000), sender: person(name), text: "said \(id)",
            cursor: Messages.Cursor(token: id))
    }

    private func arrive(_ stage: inout Stage, _ id: String, from name: String = "Ben") {
        stage.send(.changed(Stage.general.id, [.arrived(Self.message(id, from: name))]))
    }

    private func arriveElsewhere(_ stage: inout Stage, _ id: String, from name: String = "Ben") {
        stage.send(.arrived([Arrival(conversation: Stage.general.id, message: Self.message(id, from: name))]))
    }

    private func go(_ stage: inout Stage, to title: String) {
        stage.press(.control("k"))
        stage.settle()
        stage.type(title)
        stage.press(.enter)
        stage.settle()
    }

    @Test(arguments: [(40, 10), (72, 14), (120, 20), (200, 60)])
    func `The count of new messages below is in the status line, and hides nothing of a message`(
        columns: Int, rows: Int
    ) {
        var stage = Self.stage(columns: columns, rows: rows)
        stage.press(.pageUp, .pageUp)
        stage.answerAll()
        let before = stage.rows
        arrive(&stage, "n1")
        #expect(stage.rows.last?.contains("↓ 1 new") == true, "\(stage.screen)")
        #expect(stage.rows[2..<rows - 1] == before[2..<rows - 1])
        stage.press(.character("y"))
        #expect(stage.rows.last?.contains("copied") == true && stage.rows.last?.contains("↓ 1 new") == true)
        stage.press(.character("i"))
        #expect(stage.rows.last?.contains("↓ 1 new") == true)
    }

    @Test(arguments: [Key.character("v"), .character("+"), .character("r")])
    func `At the end the screen follows, but not the cursor while the user is about to act on its message`(key: Key) {
        var stage = Self.stage()
        let selected = stage.selection
        stage.press(key)
        for id in 1...2 { arrive(&stage, "n\(id)") }
        #expect(stage.screen.contains("said n2"), "\(stage.screen)")
        #expect(stage.selection == selected)
        if key == .character("v") { #expect(stage.screen.contains("1 message selected")) }
        stage.press(.escape)
        #expect(stage.selection == selected)
        stage.press(.down, .down)
        arrive(&stage, "n3")
        #expect(stage.selection == "n3", "\(stage.screen)")
    }

    @Test func `The user's own messages do not count, from wherever they were sent`() {
        var stage = Self.stage()
        stage.press(.pageUp)
        stage.answerAll()
        arrive(&stage, "mine", from: "Ana")
        #expect(!stage.screen.contains("↓"))
        arrive(&stage, "hers", from: "Ben")
        arrive(&stage, "hers", from: "Ben")
        #expect(stage.screen.contains("↓ 1 new"))
        go(&stage, to: "Dev")
        arriveElsewhere(&stage, "mine too", from: "Ana")
        stage.press(.control("o"))
        stage.settle()
        #expect(stage.screen.contains("↓ 1 new"))
    }

    @Test
    func `A message that arrives on the screen does not count as below, and one that is scrolled to counts no more`() {
        var stage = Self.stage(rows: 24, count: 4)
        stage.press(.up)
        #expect(!stage.model.timeline.viewport.isFollowing)
        arrive(&stage, "n1")
        #expect(stage.screen.contains("said n1") && !stage.screen.contains("↓"))
        stage = Self.stage()
        stage.press(.pageUp)
        stage.answerAll()
        for id in 1...30 { arrive(&stage, "n\(id)") }
        #expect(stage.screen.contains("↓ 30 new"))
        stage.press(.pageDown)
        stage.press(.pageDown)
        stage.answerAll()
        let seen = (1...30).last { stage.screen.contains("said n\($0) ") } ?? 0
        #expect(seen > 0 && stage.screen.contains("↓ \(30 - seen) new"), "\(stage.screen)")
        stage.press(.character("u"))
        #expect(stage.selection == "n\(seen + 1)")
        stage.press(.end)
        #expect(!stage.screen.contains("↓"))
    }

    @Test func `The count returns after a visit to another conversation, by every way, including later messages`() {
        for way in 0..<3 {
            var stage = Self.stage()
            stage.press(.pageUp, .pageUp)
            stage.answerAll()
            arrive(&stage, "n1")
            go(&stage, to: "Dev")
            #expect(stage.model.conversation?.id == Self.dev.id && !stage.screen.contains("↓"))
            arriveElsewhere(&stage, "n2")
            let new = [Self.message("n1", from: "Ben"), Self.message("n2", from: "Ben")]
            stage.change { $0.talks[0].messages += new }
            switch way {
            case 0: stage.press(.control("o"))
            case 1: go(&stage, to: "General")
            default:
                stage.press(.control("o"))
                stage.settle()
                stage.press(.tab)
                stage.settle()
                stage.press(.control("o"))
            }
            stage.settle()
            #expect(stage.model.conversation?.id == Stage.general.id)
            #expect(stage.screen.contains("↓ 2 new"), "way \(way)\n\(stage.screen)")
            stage.press(.end)
            stage.answerAll()
            #expect(stage.screen.contains("said n2") && !stage.screen.contains("↓"), "way \(way)\n\(stage.screen)")
        }
    }

    @Test func `Each pane has its own count, and a thread that was closed gets it again`() {
        var messages = Script.long(40)
        for index in 0..<60 {
            messages.append(
                Message(
                    id: MessageID("r-\(index)"), at: Timestamp(milliseconds: 1_741_000_000_000), sender: person("Cy"),
                    text: "reply \(index)", thread: MessageID("m-38"), cursor: Cursor(token: "\(index)")))
        }
        var stage = Stage.open(messages, at: "m-20", columns: 160, rows: 20, me: PersonID("ana"))
        stage.settle()
        arrive(&stage, "n1")
        stage.send(.input([.key(.character("d"))]))
        stage.press(.escape)
        _ = stage.model.reader.pane.timeline.jump(to: MessageID("m-38"), aligned: .middle)
        stage.press(.character("t"))
        stage.settle()
        stage.press(.pageUp, .pageUp)
        stage.settle()
        var reply = messages[99]
        reply = Message(
            id: MessageID("r-60"), at: reply.at, sender: reply.sender, text: "reply 60", thread: reply.thread,
            cursor: Cursor(token: "60"))
        stage.send(.changed(Stage.general.id, [.arrived(reply)]))
        #expect(stage.rows.last?.contains("↓ 1 new") == true)
        #expect(stage.model.openThread?.newBelow.count == 1)
        stage.press(.left)
        #expect(stage.rows.last?.contains("↓ 1 new in the thread") == true, "\(stage.screen)")
    }

    @Test func `After sending, the view goes to the message as soon as the store has it, even after failures`() throws {
        var stage = Self.stage(count: 500)
        stage.press(.home)
        stage.answerAll()
        stage.press(.character("i"))
        stage.type("hello")
        stage.press(.enter)
        for failure in 1...3 {
            stage.failAll("the line is down")
            #expect(stage.rows.last?.contains("not loaded: the line is down") == true, "\(failure)")
            #expect(stage.requests.isEmpty)
            stage.passTime()
            #expect(stage.requests.map(\.position) == [.latest], "\(failure)")
        }
        arrive(&stage, "mine", from: "Ana")
        #expect(!stage.screen.contains("↓"))
        stage.change { $0.talks[0].messages.append(Self.message("mine", from: "Ana")) }
        stage.answerAll()
        #expect(stage.screen.contains("said mine"))
        #expect(stage.model.timeline.viewport.isFollowing)
    }

    @Test func `A failed End is retried at once by another End, and cancelled by Esc`() {
        var stage = Self.stage(count: 500)
        stage.press(.home)
        stage.answerAll()
        stage.press(.end)
        stage.failAll()
        #expect(stage.requests.isEmpty)
        stage.press(.end)
        #expect(stage.requests.map(\.position) == [.latest])
        stage.failAll()
        stage.press(.down, .escape)
        stage.passTime()
        #expect(!stage.requests.contains { $0.position == .latest })
    }
}
