import Files
import Foundation
import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// A mirror that serves a Kedge while its disk takes nothing.
struct BadDiskTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let room = ConversationID("r")
    private static let fill = RelayRequest.Content.fill(
        room, segment: "messages-500000000000000000.jsonl", side: .before, limit: 10)

    /// A folder where a file is to be written.
    private static func block(_ path: String) {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    @Test func `it goes on when the disk works again, and each event is there once`() throws {
        let name = Events.state("n", "m.room.name", #""name":"Quay""#)
        // Without it, no room gets anything.
        let obstacle = account.scratch.path + "/matrix/.sync.json.new"
        let server = try ScriptedAccount.server([
            "": Events.sync("s1", [Events.room("!r", [Events.text("1")])]),
            "s1": Events.sync("s2", [Events.room("!r", [name, Events.text("2")])]),
            "s2": Events.sync("s3", [Events.room("!r", [Events.text("3")])]),
        ]) { _ in .init(#"{"event_id":"$9"}"#) }
        try account.serve(server) { kedge in
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s3" } }))
        }
        #expect(account.texts("r") == ["1", "ana named the room «Quay»", "2", "3"])

        let next = try ScriptedAccount.server([
            "s3": Events.sync("s4", [Events.room("!r", [Events.state("m", "m.room.name", ""), Events.text("4")])]),
            "s4": Events.sync("s5", [Events.room("!r", [Events.text("5")])]),
        ]) { _ in .init(#"{"event_id":"$9"}"#) }
        BadDiskTests.block(obstacle)
        try account.serve(next) { kedge in
            #expect(kedge.wait(for: .reach(.offline(reason: BadDiskTests.reason(obstacle)))))
            // Each request makes it try again.
            guard case .failed(let reason, let retry?) = kedge.result(of: BadDiskTests.fill) else {
                Issue.record("the disk took it")
                return
            }
            #expect(reason.hasPrefix(obstacle) && retry > 0)
            try? FileManager.default.removeItem(atPath: obstacle)
            _ = kedge.result(of: BadDiskTests.fill)
            #expect(next.wait(until: { $0.contains { $0.parameter("since") == "s5" } }))
            let post = Post(
                id: MessageID("01A"), at: Timestamp(milliseconds: 0), sender: PersonID("a"),
                content: .message(text: "x", replyTo: nil, thread: nil))
            #expect(kedge.result(of: .send(BadDiskTests.room, post)) == .done(segment: nil))
        }
        #expect(account.texts("r").suffix(3) == ["ana removed the room's name", "4", "5"])
    }

    private static func reason(_ obstacle: String) -> String {
        FileError(.write, obstacle, code: EEXIST).description
    }

    /// Mirrors what there is until all of it is here.
    /// - Returns: the errors.
    private func mirror(_ server: ScriptedServer) throws -> [String] {
        var troubles: [String] = []
        #expect(try account.mirror(server) { if case .trouble(let line) = $0 { troubles.append(line) } } == .done)
        return troubles
    }

    /// What a room has between two tokens.
    private static func missed(_ from: String, to: String, _ events: [String])
        -> @Sendable (ScriptedServer.Request) ->
        ScriptedServer.Response?
    {
        { $0.parameter("from") == from && $0.parameter("to") == to ? .init(Events.page(events)) : nil }
    }

    @Test func `a room that cannot be written stops no other, and has all its events when it can be`() throws {
        let name = Events.state("n", "m.room.name", #""name":"Quay""#)
        func rooms(_ id: String, _ events: [String] = []) -> [String] {
            ["!q", "!r"].map { Events.room($0, ($0 == "!r" ? events : []) + [Events.text($0 + id, id)]) }
        }
        #expect(try mirror(ScriptedAccount.server(["": Events.sync("s1", rooms("1"))])) == [])
        // The file with the new name of the room cannot be written.
        let obstacle = account.scratch.path + "/conversations/r/.conversation.json.new"
        BadDiskTests.block(obstacle)
        let syncs = ["s1": Events.sync("s2", rooms("2", [name])), "s2": Events.sync("s3", rooms("3"))]
        let reason = [BadDiskTests.reason(obstacle)]
        #expect(try mirror(ScriptedAccount.server(syncs)) == reason)
        #expect(account.texts("q") == ["1", "2", "3"] && account.texts("r") == ["1"])
        // It is told again at each start, and lasts.
        #expect(try mirror(ScriptedAccount.server(["s3": Events.sync("s4", rooms("4"))])) == reason)
        #expect(account.scratch.text("matrix/sync.json").contains("s4"))

        try FileManager.default.removeItem(atPath: obstacle)
        let missed = ["4", "3", "2"].map { Events.text("!r" + $0, $0) }
        let server = try ScriptedAccount.server(
            ["s4": Events.sync("s5", rooms("5"))], BadDiskTests.missed("s4", to: "s1", missed))
        #expect(try mirror(server) == [])
        #expect(account.texts("r") == ["1", "2", "3", "4", "5"] && account.texts("q").last == "5")
        #expect(account.scratch.text("conversations/r/conversation.json").contains(#""title":"Quay""#))
        #expect(account.scratch.text("matrix/owed.json") == "[]\n")
    }

    @Test func `a new room whose folder cannot be made comes with its name and all its events later`() throws {
        let obstacle = account.scratch.path + "/conversations/.new-quay"
        try AccountArchive.makeFolders(account.scratch.path)
        try account.scratch.write("", to: "conversations/.new-quay")
        let name = Events.state("n", "m.room.name", #""name":"Quay""#)
        let rooms = [Events.room("!q", [Events.text("1")]), Events.room("!r", [Events.text("2")], state: [name])]
        #expect(try mirror(ScriptedAccount.server(["": Events.sync("s1", rooms)])).count == 1)
        #expect(account.texts("q") == ["1"])
        try FileManager.default.removeItem(atPath: obstacle)
        let server = try ScriptedAccount.server(["s1": Events.sync("s2", [Events.room("!r", [Events.text("3")])])]) {
            $0.parameter("from") == "s1" ? .init(Events.page([Events.text("2")])) : nil
        }
        #expect(try mirror(server) == [])
        #expect(account.scratch.text("conversations/quay/conversation.json").contains(#""title":"Quay""#))
        #expect(account.texts("quay").last == "3")
    }

    @Test(arguments: ["conversations/r", "conversations/r/conversation.json"])
    func `a room that cannot be read stops no other`(path: String) throws {
        let first = Events.sync("s1", [Events.room("!q", [Events.text("1")]), Events.room("!r", [Events.text("2")])])
        #expect(try mirror(ScriptedAccount.server(["": first])) == [])
        _ = account.scratch.remove(path)
        try path.hasSuffix(".json")
            ? BadDiskTests.block(account.scratch.path + "/" + path) : account.scratch.write("", to: path)
        let next = Events.sync("s2", [Events.room("!q", [Events.text("3")])])
        #expect(try mirror(ScriptedAccount.server(["s1": next])).count == 1)
        #expect(account.texts("q") == ["1", "3"])
    }

    @Test func `a page that cannot be written is told, and is asked for again`() throws {
        let folder = account.scratch.path + "/conversations/r"
        let obstacle = folder + "/.messages-499999999999999999.jsonl.new"
        let first = Events.sync("s1", [Events.room("!r", [Events.text("9")], limited: true, from: "t9")])
        let tries = Tries()
        let server = try ScriptedAccount.server(["": first]) { request in
            if tries.next() == 1 { BadDiskTests.block(obstacle) }
            return .init(Events.page([Events.text("8")], end: "t8"))
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .reach(.online)))
            #expect(server.wait(until: { $0.last?.parameter("timeout") == "30000" }))
            guard case .failed(_, _?) = kedge.result(of: BadDiskTests.fill) else {
                Issue.record("the disk took it")
                return
            }
            try? FileManager.default.removeItem(atPath: obstacle)
            // This one makes it try again.
            _ = kedge.result(of: BadDiskTests.fill)
            #expect(kedge.result(of: BadDiskTests.fill) == .done(segment: nil))
        }
        #expect(account.texts("r") == ["8", "9"])
    }

    @Test func `a post that cannot be kept is not sent`() throws {
        let server = try ScriptedAccount.server(["": Events.sync("s1", [Events.room("!r", [Events.text("1")])])]) { _ in
            .init(#"{"event_id":"$9"}"#)
        }
        try AccountArchive.makeFolders(account.scratch.path)
        BadDiskTests.block(account.scratch.path + "/matrix/outbox")
        BadDiskTests.block(account.scratch.path + "/matrix/outbox/.01A.new")
        let post = Post(
            id: MessageID("01A"), at: Timestamp(milliseconds: 0), sender: PersonID("a"),
            content: .message(text: "x", replyTo: nil, thread: nil))
        try account.serve(server) { kedge in
            guard case .failed = kedge.result(of: .send(BadDiskTests.room, post)) else {
                Issue.record("the disk took it")
                return
            }
        }
        #expect(!server.requests.contains { $0.method == "PUT" })
    }
}
