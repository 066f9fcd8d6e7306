import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import Matrix
@testable import MatrixHelper

/// A session that ends while Kedges are served: they are told what to type, and all goes on after that.
struct LoginAgainTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let room = ConversationID("r")
    private static let online = RelayNews.reach(.online)
    private static let reason =
        "the session has ended; go on with: kedge-matrix login @me:e.org"

    private static func send(_ id: String) -> RelayRequest.Content {
        .send(
            room,
            Post(
                id: MessageID(id), at: Timestamp(milliseconds: 0), sender: PersonID("@me:e.org"),
                content: .message(text: "hello", replyTo: nil, thread: nil)))
    }

    /// Knows one token.
    private static func server(_ token: Box<String>, isSoft: Bool) throws -> ScriptedServer {
        try ScriptedServer { request in
            guard request.headers["authorization"] == "Bearer \(token.value)" else {
                return .init(#"{"errcode":"M_UNKNOWN_TOKEN","error":"?","soft_logout":\#(isSoft)}"#, status: 401)
            }
            guard request.path.hasSuffix("/sync") else { return .init(#"{"event_id":"$own"}"#) }
            let known = Events.sync("s1", [Events.room("!r", [Events.text("1")])])
            if request.parameter("since") == nil { return .init(known) }
            if request.parameter("since") == "s1" {
                return .init(Events.sync("s2", [Events.room("!r", [Events.text("2")])]))
            }
            return request.parameter("timeout") == "0" ? .init(Events.sync("s2")) : .held
        }
    }

    private func sends(_ server: ScriptedServer) -> [ScriptedServer.Request] {
        server.requests.filter { $0.method == "PUT" && $0.headers["authorization"] == "Bearer new" }
    }

    @Test(arguments: [true, false])
    func `the reason says what to type, and after that what was written is sent once`(isSoft: Bool) throws {
        let (valid, own) = (Box("new"), Box("t"))
        let server = try Self.server(valid, isSoft: isSoft)
        let end = try account.serve(server, token: { own.value }) { kedge in
            #expect(kedge.wait(for: .reach(.offline(reason: Self.reason))))
            #expect(kedge.result(of: Self.send("01A")) == .failed(reason: Self.reason, retry: 30_000))
            own.value = "new"
            #expect(kedge.result(of: .renewed()) == .done(segment: nil))
            #expect(kedge.wait(for: Self.online))
            #expect(kedge.result(of: Self.send("01A")) == .done(segment: nil))
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
        }
        #expect(end == .done && sends(server).count == 1)
        #expect(account.texts("r") == ["1", "2"])
    }

    @Test func `a post on its way when the session ends is sent after the login`() throws {
        let (valid, own) = (Box("t"), Box("t"))
        let server = try Self.server(valid, isSoft: true)
        try account.serve(server, token: { own.value }) { kedge in
            #expect(server.wait(until: { $0.last?.parameter("timeout") == "30000" }))
            valid.value = "new"
            #expect(kedge.result(of: Self.send("01A")) == .failed(reason: Self.reason, retry: 30_000))
            own.value = "new"
            _ = kedge.ask(.renewed())
            // The journal has it: nobody has to ask again.
            #expect(
                server.wait(until: {
                    $0.contains { $0.method == "PUT" && $0.headers["authorization"] == "Bearer new" }
                }))
            #expect(kedge.result(of: Self.send("01A")) == .done(segment: nil))
        }
        #expect(sends(server).count == 1)
    }

    @Test func `the refusal of a post of the session before ends no new one`() throws {
        let (valid, own) = (Box("t"), Box("t"))
        let opened = Tries()
        let server = try ScriptedServer { request in
            if request.path.hasSuffix("/sync") {
                guard request.headers["authorization"] == "Bearer \(valid.value)" else {
                    return .init(#"{"errcode":"M_UNKNOWN_TOKEN"}"#, status: 401)
                }
                if request.parameter("since") == nil { return .init(Events.sync("s1", [Events.room("!r", [])])) }
                return request.parameter("timeout") == "0" ? .init(Events.sync("s1")) : .held
            }
            if opened.next() > 1 { return .init(#"{"event_id":"$own"}"#) }
            // The user logs in while the server thinks about the post.
            (valid.value, own.value) = ("new", "new")
            return .init(#"{"errcode":"M_UNKNOWN_TOKEN"}"#, status: 401)
        }
        try account.serve(server, token: { own.value }) { kedge in
            #expect(server.wait(until: { $0.last?.parameter("timeout") == "30000" }))
            for id in ["01A", "01B"] { #expect(kedge.result(of: Self.send(id)) == .done(segment: nil)) }
        }
        #expect(sends(server).count == 2)
    }

    @Test func `a helper that is stopped while it waits says why`() throws {
        let server = try Self.server(Box("new"), isSoft: false)
        let end = try account.serve(server) { kedge in
            #expect(kedge.wait(for: .reach(.offline(reason: Self.reason))))
        }
        #expect(end == .loggedOut(isSoft: false))
    }

    @Test func `a new session is taken at once if there is one already`() throws {
        let server = try Self.server(Box("new"), isSoft: false)
        try account.serve(server, token: { "new" }) { kedge in
            #expect(kedge.wait(for: Self.online))
            #expect(!kedge.hasHeard { $0 == .reach(.offline(reason: Self.reason)) })
        }
    }
}
