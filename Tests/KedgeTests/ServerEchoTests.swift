import Messages
import Testing

@testable import kedge

/// What `kedge send` hears of the server of a room.
@Suite(.timeLimit(.minutes(30)))
struct ServerEchoTests {
    private static func message(_ id: String, transaction: String?) -> StoreChange {
        .arrived(
            Message(
                id: MessageID(id), at: Timestamp(milliseconds: 0), sender: nil, text: "x",
                transaction: transaction.map { MessageID($0) }, cursor: Cursor(token: id)))
    }

    private static func echo(_ changes: [[StoreChange]], ends: Bool = false) -> ServerEcho {
        ServerEcho(
            changes: AsyncStream { continuation in
                for some in changes { continuation.yield(some) }
                if ends { continuation.finish() }
            })
    }

    @Test func `A post has the ID of the message that names it, also after the greeting`() async {
        let echo = Self.echo([
            [.indexed], [.reach(.online), .filled], [Self.message("$1", transaction: nil)],
            [Self.message("$2", transaction: "other"), Self.message("$3", transaction: "mine")],
        ])
        #expect(await echo.absence() == nil)
        #expect(await echo.id(of: MessageID("mine")) == MessageID("$3"))
    }

    @Test func `A server that is away, or says nothing, is told`() async {
        let away = Self.echo([[.reach(.offline(reason: "no route to host"))]])
        #expect(await away.absence() == "the server cannot be reached: no route to host")
        #expect(await Self.echo([], ends: true).absence() == "the server does not respond")
        #expect(await Self.echo([[.indexed]]).absence(limit: .zero) == "the server does not respond")
        #expect(await Self.echo([[.indexed]]).id(of: MessageID("mine"), limit: .zero) == nil)
    }
}
