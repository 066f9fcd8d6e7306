import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// Texts that begin with a slash.
struct TypedCommandTests {
    private static func stage(typing text: String) -> Stage {
        var stage = Stage.open(Script.long(8), at: nil, columns: 72, rows: 14, me: PersonID("ben"))
        stage.passTime()
        stage.press(.character("i"))
        stage.type(text)
        stage.press(.enter)
        return stage
    }

    private func posts(_ stage: Stage) -> [Post] {
        stage.others.compactMap { if case .ask(.send(let post, _, _), _) = $0 { post } else { nil } }
    }

    @Test func `/me sends an action, which is shown as one at once`() throws {
        let stage = Self.stage(typing: "/me waves")
        let post = try #require(posts(stage).first)
        #expect(post.content == .message(text: "waves", replyTo: nil, thread: nil) && post.isAction)
        #expect(
            stage.rows.contains { $0.contains("* ") && $0.contains(" waves") && !$0.contains("/me") }, "\(stage.screen)"
        )
    }

    @Test(arguments: [Message.Kind.action, .text])
    func `An edit of an action is an edit of an action`(kind: Message.Kind) throws {
        let message = Message(
            id: MessageID("m-0"), at: Timestamp(milliseconds: 0), sender: Person(id: PersonID("ben"), name: "Ben"),
            kind: kind, text: "waves", cursor: Cursor(token: "0"))
        var stage = Stage.open([message], at: nil, me: PersonID("ben"))
        stage.press(.character("e"))
        stage.type(" twice")
        stage.press(.enter)
        let post = try #require(posts(stage).first)
        #expect(post.content == .edit(MessageID("m-0"), text: "waves twice") && post.isAction == (kind == .action))
    }

    @Test func `Another word is refused and stays in the composer, and two slashes send it with one`() throws {
        var stage = Self.stage(typing: "/join x")
        #expect(posts(stage).isEmpty)
        #expect(stage.screen.contains("Kedge has no command /join"), "\(stage.screen)")
        #expect(stage.screen.contains("› /join x"))
        stage.press(.control("u"))
        stage.type("//join x")
        stage.press(.enter)
        #expect(posts(stage).map(\.content) == [.message(text: "/join x", replyTo: nil, thread: nil)])
        #expect(posts(stage).allSatisfy { !$0.isAction })
    }

    @Test(arguments: ["/me waves", "//join x", "/usr/bin is full"])
    func `A text that was refused by the store comes back as it was typed`(typed: String) throws {
        var stage = Self.stage(typing: typed)
        let post = try #require(posts(stage).first)
        stage.send(.reply(.post(Stage.general.id, post.id), .done(.failure(.notSent("no room")))))
        stage.press(.character("i"))
        #expect(stage.screen.contains("› " + typed), "\(stage.screen)")
    }
}
