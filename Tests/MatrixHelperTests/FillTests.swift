import ArchiveFormat
import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Requests of Kedge for older messages.
struct FillTests {
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
            #expect(kedge.wait(for: .reach(.online)))
            #expect(kedge.result(of: .hello(version: RelayRequest.version)) == .version(RelayRequest.version))
        }
    }

    @Test func `a page comes before the segment, and no more than was asked for`() throws {
        let server = try ScriptedAccount.server(["": FillTests.room]) { request in
            request.parameter("from") == "t9" ? FillTests.page([8, 7], end: "t7") : FillTests.page([6], end: "t6")
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .reach(.online)))
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
            #expect(kedge.wait(for: .reach(.online)))
            #expect(kedge.result(of: FillTests.fill()) == .done(segment: nil))
            #expect(kedge.result(of: FillTests.fill("messages-000000000000000007.jsonl")) == .done(segment: nil))
        }
        #expect(!server.requests.contains { $0.path.hasSuffix("/messages") })
    }

    @Test(arguments: ["", "x", "../../x", "messages-1.jsonl"])
    func `a segment of another name is refused`(segment: String) throws {
        let server = try ScriptedAccount.server(["": FillTests.room])
        try account.serve(server) { kedge in
            _ = kedge.wait(for: .reach(.online))
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
            #expect(kedge.wait(for: .reach(.online)))
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
            #expect(kedge.wait(for: .reach(.online)))
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
            #expect(kedge.wait(for: .reach(.online)))
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
            #expect(kedge.wait(for: .reach(.offline(reason: "status 502"))))
            #expect(kedge.wait(for: .reach(.online)))
            #expect(server.wait(until: { $0.last?.parameter("timeout") == "30000" }))
        }
    }

    @Test func `a helper that serves a Kedge fetches the whole history when it is asked to`() throws {
        let server = try FillTests.failing(above: 500)
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .reach(.online)))
            #expect(kedge.result(of: .history()) == .done(segment: nil))
            #expect(kedge.result(of: .history()) == .done(segment: nil))
        }
        for room in ["bad", "good"] { #expect(account.texts(room) == ["6", "7", "8", "9"]) }
    }

    @Test func `the members of a room are those that the server names`() throws {
        let server = try ScriptedAccount.server(["": FillTests.room]) { request in
            let body = #"{"joined":{"@b:e.org":{"display_name":"Ben"},"@a:e.org":{"display_name":" "},"x":{}}}"#
            return request.path.hasSuffix("/joined_members") ? .init(body) : nil
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .reach(.online)))
            let people = [("@a:e.org", "@a:e.org"), ("@b:e.org", "Ben")].map { Person(id: PersonID($0), name: $1) }
            #expect(kedge.result(of: .members(ConversationID("r"))) == .members(people))
        }
    }

    // MARK: - Pages that the server cannot make

    private static let two = Events.sync(
        "s1",
        [
            Events.room("!bad", [Events.text("9")], limited: true, from: "b9"),
            Events.room("!good", [Events.text("9")], limited: true, from: "g9"),
        ])

    /// A server that makes no page of a room that is larger than a size.
    private static func failing(above most: Int, status: Int = 500) throws -> ScriptedServer {
        try ScriptedAccount.server(["": two]) { request in
            guard request.path.hasSuffix("/messages") else { return nil }
            let (limit, isBad) = (Int(request.parameter("limit") ?? "") ?? 0, request.path.contains("bad"))
            if isBad, limit > most { return .init(#"{"errcode":"M_UNKNOWN","error":"Internal"}"#, status: status) }
            return request.parameter("from")?.hasSuffix("9") == true
                ? page([8, 7], end: "t7") : page([6], end: nil)
        }
    }

    @Test(arguments: [500, 100, 12], [500, 413])
    func `a page that the server cannot make is asked for in smaller pieces, and other rooms go on`(
        most: Int, status: Int
    ) throws {
        let server = try FillTests.failing(above: most, status: status)
        var troubles = 0
        #expect(try account.mirror(server, history: true) { if case .trouble = $0 { troubles += 1 } } == .done)
        #expect(troubles == 0)
        for room in ["bad", "good"] { #expect(account.texts(room) == ["6", "7", "8", "9"]) }
        let rooms = server.requests.filter { $0.path.hasSuffix("/messages") }.map { $0.path.contains("bad") }
        #expect(rooms.prefix(4).contains(false))
    }

    @Test func `a room whose smallest page fails as well is named, and the run ends`() throws {
        var troubles: [String] = []
        let end = try account.mirror(try FillTests.failing(above: 0), history: true) {
            if case .trouble(let line) = $0 { troubles.append(line) }
        }
        #expect(end == .done && account.texts("good") == ["6", "7", "8", "9"])
        #expect(troubles == ["bad: older messages cannot be fetched: Internal"])
    }

    @Test func `pages become large again when a server has failed at all of them for a time`() {
        var size = FillWork.PageSize()
        var count = 1_000
        for _ in 0..<20 where size.failed(count) { count = size.limited(1_000) }
        #expect(count == 10 && size.isHopeless)
        for _ in 0..<80 { size.succeeded() }
        #expect(size.limited(1_000) == 1_000 && !size.isHopeless)
    }
}
