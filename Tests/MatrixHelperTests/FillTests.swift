import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Requests of Kedge for older messages.
@Suite(.timeLimit(.minutes(30))) struct FillTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let first = SegmentName.first.file
    private static let room = Events.sync("s1", [Events.room("!r", [Events.text("9")], limited: true, from: "t9")])

    private static func fill(_ segment: String = first, limit: Int = 50) -> RelayRequest.Content {
        .fill(ConversationID("r"), segment: segment, side: .before, limit: limit)
    }

    private static func page(_ numbers: [Int], end: String?) -> ScriptedServer.Response {
        .init(Events.page(numbers.map { Events.text("\($0)") }, end: end))
    }

    @Test func `a Kedge that says hello hears the version and that the server is there`() throws {
        let server = try ScriptedAccount.server(["": FillTests.room])
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            #expect(kedge.result(of: .hello(version: RelayRequest.version)) == .version(RelayRequest.version))
        }
    }

    @Test func `a page comes before the segment, and no more than was asked for`() throws {
        let server = try ScriptedAccount.server(["": FillTests.room]) { request in
            request.parameter("from") == "t9" ? FillTests.page([8, 7], end: "t7") : FillTests.page([6], end: "t6")
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            #expect(kedge.result(of: FillTests.fill(limit: 2)) == .done(segment: nil))
            #expect(kedge.result(of: FillTests.fill(SegmentName.first.before?.file ?? "")) == .done(segment: nil))
        }
        #expect(account.texts("r") == ["6", "7", "8", "9"])
        let pages = server.requests.filter { $0.path.hasSuffix("/messages") }
        #expect(pages.map { $0.parameter("limit") } == ["2", "50"])
        #expect(pages.map { $0.parameter("from") } == ["t9", "t7"])
    }

    @Test func `nothing is asked of the server where no gap is`() throws {
        let room = Events.room("!r", [Events.state("c", "m.room.create", ""), Events.text("1")])
        let server = try ScriptedAccount.server(["": Events.sync("s1", [room])])
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            #expect(kedge.result(of: FillTests.fill()) == .done(segment: nil))
            #expect(kedge.result(of: FillTests.fill("messages-000000000000000007.jsonl")) == .done(segment: nil))
        }
        #expect(!server.requests.contains { $0.path.hasSuffix("/messages") })
    }

    @Test(arguments: ["", "x", "../../x", "messages-1.jsonl"])
    func `a segment of another name is refused`(segment: String) throws {
        let server = try ScriptedAccount.server(["": FillTests.room])
        try account.serve(server) { kedge in
            _ = kedge.wait(for: .state(isOnline: true, reason: ""))
            guard case .failed(_, nil) = kedge.result(of: FillTests.fill(segment)) else {
                Issue.record("a segment \(segment) was filled")
                return
            }
        }
    }

    @Test func `a failure of the moment is told with its pause, and the next try goes on`() throws {
        let tries = Tries()
        let server = try ScriptedAccount.server(["": FillTests.room]) { _ in
            tries.next() == 1 ? .init("<html>", status: 502) : FillTests.page([8], end: "t8")
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            #expect(kedge.result(of: FillTests.fill()) == .failed(reason: "status 502", retry: 1_000))
            #expect(kedge.result(of: FillTests.fill()) == .done(segment: nil))
        }
        #expect(account.texts("r") == ["8", "9"])
    }

    @Test func `a refusal is final`() throws {
        let server = try ScriptedAccount.server(["": FillTests.room]) { _ in
            .init(#"{"errcode":"M_FORBIDDEN","error":"no"}"#, status: 403)
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            let response = kedge.result(of: FillTests.fill())
            #expect(response == .failed(reason: "the server refuses: 403 M_FORBIDDEN no", retry: nil))
        }
    }

    @Test func `a page that somebody waits for comes before what was missed meanwhile`() throws {
        // The gap of room q is filled without being asked for, and its page never comes.
        let rooms = ["!q", "!r"].map { Events.room($0, [Events.text("9")], limited: true, from: "t9") }
        let missed = Events.room("!q", [Events.text("20")], limited: true, from: "t20")
        let server = try ScriptedAccount.server(["": Events.sync("s1", rooms), "s1": Events.sync("s2", [missed])]) {
            $0.path.contains("%21q") ? .held : FillTests.page([8], end: "t8")
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            #expect(server.wait(until: { $0.contains { $0.path.contains("%21q") } }))
            #expect(kedge.result(of: FillTests.fill()) == .done(segment: nil))
        }
        #expect(account.texts("r") == ["8", "9"])
    }

    @Test func `a server that cannot be reached is told, and that it is there again`() throws {
        let tries = Tries()
        let server = try ScriptedServer { request in
            if tries.next() == 2 { return .init("<html>", status: 502) }
            if request.parameter("since") == nil { return .init(FillTests.room) }
            return request.parameter("timeout") == "0" ? .init(Events.sync("s1")) : .held
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .state(isOnline: false, reason: "status 502")))
            #expect(kedge.wait(for: .state(isOnline: true, reason: "")))
            #expect(server.wait(until: { $0.last?.parameter("timeout") == "30000" }))
        }
    }
}
