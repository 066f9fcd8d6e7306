import Foundation
import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Requests of Kedge for the files of messages.
struct MediaTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let online = RelayNews.reach(.online)

    private static func file(_ id: String, _ address: String, name: String = "cat.PNG", size: Int = 3) -> String {
        Events.event(
            id, #""msgtype":"m.image","body":"\#(name)","url":"\#(address)","info":{"size":\#(size)}"#)
    }

    private static func ask(_ id: String) -> RelayRequest.Content { .media(ConversationID("r"), MessageID("$\(id)")) }

    /// Serves a room with these events, and asks for the file of the event `a`.
    private func fetch(
        _ events: [String], times: Int = 1,
        _ others: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response?
    ) throws -> (responses: [RelayResponse?], requests: [ScriptedServer.Request]) {
        let server = try ScriptedAccount.server(["": Events.sync("s1", [Events.room("!r", events)])], others)
        let responses = Box<[RelayResponse?]>([])
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: MediaTests.online))
            let numbers = (0..<times).map { _ in kedge.ask(MediaTests.ask("a")) }
            responses.value = numbers.map { kedge.response(to: $0) }
        }
        return (responses.value, server.requests.filter { !$0.path.hasSuffix("/sync") })
    }

    @Test func `a file is fetched once, with the token, to the place that its record names`() throws {
        let (responses, requests) = try fetch([MediaTests.file("a", "mxc://e.org/AbC")], times: 3) { _ in .init("cat") }
        #expect(responses == Array(repeating: .fetched(file: "files/e.org/AbC.png"), count: 3))
        #expect(account.scratch.text("files/e.org/AbC.png") == "cat")
        #expect(account.records("r").contains { $0.contains(#""path":"files/e.org/AbC.png""#) })
        #expect(requests.map(\.path) == ["/_matrix/client/v1/media/download/e.org/AbC"])
        #expect(requests.first?.headers["authorization"] == "Bearer t")
        #expect(account.scratch.names("matrix/parts").isEmpty)
    }

    @Test func `those who wait hear how much has come`() throws {
        let server = try ScriptedAccount.server([
            "": Events.sync("s1", [Events.room("!r", [MediaTests.file("a", "mxc://e.org/AbC")])])
        ]) { _ in .init("cat") }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: MediaTests.online))
            let number = kedge.ask(MediaTests.ask("a"))
            #expect(kedge.response(to: number) == .fetched(file: "files/e.org/AbC.png"))
            #expect(kedge.wait(for: .progress(number, received: 3)))
        }
    }

    @Test func `an old server is asked as it knows it, without the token`() throws {
        let (responses, requests) = try fetch([MediaTests.file("a", "mxc://e.org/AbC")]) { request in
            request.path.hasPrefix("/_matrix/media/v3/")
                ? .init("old") : .init(#"{"errcode":"M_UNRECOGNIZED","error":"?"}"#, status: 404)
        }
        #expect(responses == [.fetched(file: "files/e.org/AbC.png")])
        #expect(account.scratch.text("files/e.org/AbC.png") == "old")
        #expect(requests.count == 2 && requests.last?.headers["authorization"] == nil)
    }

    @Test(arguments: [
        "mxc://../AbC", "mxc://e.org/..", "mxc://e.org/../../x", "mxc://e.org/a%2Fb", "mxc://e.org/", "mxc://",
    ])
    func `an address that could be a path elsewhere is refused`(address: String) throws {
        let (responses, requests) = try fetch([MediaTests.file("a", address)]) { _ in .init("x") }
        guard case .failed(_, nil)?? = responses.first else { throw Unexpected(responses) }
        #expect(requests.isEmpty)
        #expect(!account.records("r").contains { $0.contains("\"path\"") })
    }

    @Test func `the name of a file chooses no path`() throws {
        let hostile = "../../.ssh/x.sh/../../y"
        let (responses, _) = try fetch([MediaTests.file("a", "mxc://e.org/AbC", name: hostile)]) { _ in .init("x") }
        #expect(responses == [.fetched(file: "files/e.org/AbC.file")])
    }

    @Test func `a body that is cut leaves nothing, and the next try gets all`() throws {
        let tries = Tries()
        let answer: @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = { _ in
            tries.next() == 1 ? .init("0123456789", cut: 4) : .init("0123456789")
        }
        let (first, _) = try fetch([MediaTests.file("a", "mxc://e.org/AbC")], answer)
        guard case .failed(_, _?)?? = first.first else { throw Unexpected(first) }
        #expect(account.scratch.names("files").isEmpty && account.scratch.names("matrix/parts").isEmpty)
        let (second, _) = try fetch([MediaTests.file("a", "mxc://e.org/AbC")], answer)
        #expect(second == [.fetched(file: "files/e.org/AbC.png")])
        #expect(account.scratch.text("files/e.org/AbC.png") == "0123456789")
    }

    @Test func `a file that the server does not have is an error, with its words`() throws {
        let (responses, requests) = try fetch([MediaTests.file("a", "mxc://e.org/AbC")]) { _ in
            .init(#"{"errcode":"M_NOT_FOUND","error":"gone"}"#, status: 404)
        }
        #expect(responses == [.failed(reason: "gone", retry: nil)])
        #expect(requests.count == 1)
        #expect(account.scratch.names("files").isEmpty)
    }

    @Test func `encrypted files, and those that say that they are too large, are refused`() throws {
        let encrypted = Events.event(
            "a", #""msgtype":"m.file","body":"x","file":{"url":"mxc://e.org/AbC","key":{}}"#)
        for event in [encrypted, MediaTests.file("a", "mxc://e.org/AbC", size: 1 << 40), Events.text("a")] {
            let account = try MediaTests()
            let (responses, requests) = try account.fetch([event]) { _ in .init("x") }
            guard case .failed(_, nil)?? = responses.first else { throw Unexpected(responses) }
            #expect(requests.isEmpty)
        }
    }

    @Test func `parts that a killed process has left are removed`() throws {
        try FileManager.default.createDirectory(
            atPath: account.scratch.path + "/matrix/parts", withIntermediateDirectories: true)
        try account.scratch.write("half", to: "matrix/parts/7")
        _ = try fetch([MediaTests.file("a", "mxc://e.org/AbC")]) { _ in .init("cat") }
        #expect(account.scratch.names("matrix/parts").isEmpty)
    }
}

private struct Unexpected: Error {
    let responses: [RelayResponse?]
    init(_ responses: [RelayResponse?]) { self.responses = responses }
}
