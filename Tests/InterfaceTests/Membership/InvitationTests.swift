import Display
import Messages
import Testing

@testable import Interface
@testable import InterfaceSupport

/// Invitations, and rooms that are joined and left.
struct InvitationTests {
    private static let pier = Invitation(
        id: "!pier:e.org", title: "Pier", sender: Person(id: PersonID("@ana:e.org"), name: "Ana"))

    private static func stage(columns: Int = 130, invitations: [Invitation] = [pier], canJoin: Bool = true) -> Stage {
        var stage = Stage(Script.long(40), columns: columns, rows: 12, me: PersonID("ben"), hidesList: columns < 120) {
            $0.canJoin = canJoin
        }
        stage.change { $0.invitations = invitations }
        stage.start(at: .latest)
        stage.settle()
        return stage
    }

    private static func joined(_ stage: Stage) -> [String] {
        stage.others.compactMap { if case .ask(.join(let address), _) = $0 { address } else { nil } }
    }

    private static func room(_ address: String = "https://matrix.to/#/!pier:e.org") -> Conversation {
        Conversation(id: ConversationID("pier"), title: "Pier", topic: nil, address: address)
    }

    @Test func `An invitation is a row of the list at the left, and a click asks`() throws {
        var stage = Self.stage()
        #expect(stage.rows[1].hasPrefix(" + Pier (Ana)") && stage.rows[2].hasPrefix("▌1 General"), "\(stage.screen)")
        #expect(stage.frame.lines[1].spans.first { $0.text.string == "Pier (Ana)" }?.style == Style(.accent))
        stage.mouse(.press(clicks: 1), row: 1, column: 5)
        #expect(
            stage.rows[11].contains("Ana (@ana:e.org) invites you to Pier: y accepts, n declines"), "\(stage.screen)")
        stage.press(.escape)
        #expect(Self.joined(stage).isEmpty && stage.model.panel == nil)
    }

    @Test func `An invitation that is accepted gives its row to the conversation, which opens`() {
        var stage = Self.stage()
        stage.mouse(.press(clicks: 1), row: 1, column: 5)
        stage.press(.character("y"))
        #expect(Self.joined(stage) == ["!pier:e.org"])
        #expect(stage.rows[11].contains("joining Pier"))
        stage.change {
            $0.invitations = []
            $0.talks.append((Self.room(), Script.long(3)))
        }
        stage.send(.news(.listChanged))
        stage.answerAll()
        #expect(stage.rows[1].hasPrefix(" 1 Pier") && stage.rows[2].hasPrefix("▌2 General"), "\(stage.screen)")
        stage.send(.reply(.request(.join("!pier:e.org")), .conversation(.success(Self.room()))))
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Pier")
        #expect(!stage.screen.contains("joining"))
        #expect(stage.rows[1].hasPrefix("▌1 Pier"))
    }

    @Test func `n declines, and a refusal is told`() {
        var stage = Self.stage(columns: 72)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows[1].contains("Pier") && stage.rows[1].contains("invitation from Ana"), "\(stage.screen)")
        #expect(stage.model.rooms.switcher.selectedConversation?.title == "General")
        stage.press(.up, .enter)
        #expect(stage.rows[11].contains("Ana invites you to Pier: y accepts, n declines"), "\(stage.screen)")
        stage.press(.character("n"))
        let declined = stage.others.contains { if case .ask(.decline(Self.pier), _) = $0 { true } else { false } }
        #expect(declined)
        stage.send(.reply(.request(.decline(Self.pier)), .done(.failure(.notSent("not declined: offline: no route")))))
        #expect(stage.rows[11].contains("not declined: offline: no route"))
    }

    @Test func `A new invitation is told, stands last, and moves no row`() {
        var stage = Self.stage(invitations: [])
        let before = stage.rows[1]
        stage.change { $0.invitations = [Self.pier] }
        stage.send(.news(.listChanged))
        stage.answerAll()
        #expect(stage.rows[1] == before && stage.rows[2].hasPrefix(" + Pier (Ana)"), "\(stage.screen)")
        #expect(stage.rows[11].contains("Ana invites you to Pier"))
    }

    @Test func `An invitation that is taken back goes`() {
        var stage = Self.stage()
        stage.change { $0.invitations = [] }
        stage.send(.news(.listChanged))
        stage.answerAll()
        #expect(!stage.screen.contains("Pier"))
    }

    @Test func `Hostile names are only text, and a long one leaves room for the keys`() {
        let hostile = Invitation(
            id: "!x", title: "\u{1B}]0;x\u{7}\n" + String(repeating: "w", count: 400),
            sender: Person(id: PersonID("@x:e.org"), name: "\u{202E}evil\u{1B}[31m"))
        for columns in [40, 72, 130] {
            var stage = Self.stage(columns: columns, invitations: [hostile])
            stage.press(.control("k"))
            stage.settle()
            stage.press(.up, .enter)
            #expect(!stage.screen.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{7}" })
            let keys = columns < 60 ? "y joins, n declines" : "y accepts, n declines"
            if columns != 72 { #expect(stage.rows[11].contains(keys), "\(stage.screen)") }
        }
    }

    @Test func `Without a conversation, the question leads back to the list`() {
        var stage = Stage(Script.long(3), columns: 72, rows: 12) { $0.canJoin = true }
        stage.change { $0.invitations = [Self.pier] }
        stage.startInSwitcher()
        stage.settle()
        stage.press(.up, .enter)
        #expect(stage.screen.contains("invites you to Pier"))
        stage.press(.escape)
        stage.settle()
        #expect(stage.model.panel == .switcher)
    }

    @Test func `The address of a room that is not here can be joined`() {
        var stage = Self.stage(columns: 72, invitations: [])
        stage.press(.control("k"))
        stage.settle()
        stage.typeAndWait("#quay:e.org")
        #expect(stage.rows[1].contains("#quay:e.org") && stage.rows[1].contains("Enter joins it"), "\(stage.screen)")
        stage.press(.enter)
        #expect(Self.joined(stage) == ["#quay:e.org"] && stage.model.panel == nil)
        stage.send(
            .reply(.request(.join("#quay:e.org")), .conversation(.failure(.notSent("not joined: no such room")))))
        #expect(stage.rows[11].contains("not joined: no such room"))
        var other = Self.stage(columns: 72, invitations: [], canJoin: false)
        other.press(.control("k"))
        other.settle()
        other.typeAndWait("#quay:e.org")
        #expect(!other.screen.contains("joins it"))
    }

    @Test func `What is typed while a room is joined waits for it`() {
        var stage = Self.stage(columns: 72)
        stage.press(.control("k"))
        stage.settle()
        stage.press(.up, .enter, .character("y"))
        stage.press(.character("i"))
        #expect(stage.model.panel == nil && stage.screen.contains("\"i\" waits for"), "\(stage.screen)")
        stage.send(.reply(.request(.join("!pier:e.org")), .conversation(.success(Self.room()))))
        #expect(stage.model.pending?.conversation.title == "Pier" && stage.model.panel == nil)
    }

    @Test func `A room is left after a question`() {
        var stage = Self.stage(columns: 72)
        stage.press(.character(":"))
        stage.typeAndWait("leave room")
        stage.press(.enter)
        #expect(stage.rows[11].contains("leave General? y leaves it"), "\(stage.screen)")
        stage.press(.character("n"))
        let isLeft = { (stage: Stage) in stage.others.contains { if case .ask(.leave, _) = $0 { true } else { false } }
        }
        #expect(!isLeft(stage))
        stage.press(.character(":"))
        stage.typeAndWait("leave room")
        stage.press(.enter, .character("y"))
        #expect(isLeft(stage))
        stage.send(.reply(.request(.leave(Stage.general)), .done(.success(()))))
        #expect(stage.rows[11].contains("you have left General"))
        var local = Self.stage(columns: 72, canJoin: false)
        local.press(.character(":"))
        local.typeAndWait("leave room")
        local.press(.enter)
        #expect(local.rows[11].contains("no server"))
    }
}
