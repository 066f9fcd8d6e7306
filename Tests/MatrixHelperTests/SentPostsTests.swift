import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// What is remembered of posts that were sent: for posts about them before their echoes come.
struct SentPostsTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let first = Events.sync("s1", [Events.room("!r", [Events.text("1")])])

    private static func post(_ id: String, _ content: Post.Content) -> Post {
        Post(id: MessageID(id), at: Timestamp(milliseconds: 0), sender: PersonID("@me:e.org"), content: content)
    }

    private static func send(_ id: String, _ content: Post.Content) -> RelayRequest.Content {
        .send(ConversationID("r"), post(id, content))
    }

    private static func send(_ id: String) -> RelayRequest.Content {
        send(id, .message(text: "hello", replyTo: nil, thread: nil))
    }

    private static func sent(_ event: String) -> ScriptedServer.Response { .init(#"{"event_id":"$\#(event)"}"#) }

    /// The last parts of the addresses to which something was sent.
    private func puts(_ server: ScriptedServer) -> [String] {
        server.requests.filter { $0.method == "PUT" }.map {
            $0.path.split(separator: "/").suffix(2).joined(separator: "/")
        }
    }

    /// Keeps a post as a killed process has left it.
    private func leave(_ post: Post) throws {
        try AccountArchive.makeFolders(account.scratch.path)
        try OutboxFiles(folder: account.scratch.path + "/matrix/outbox").write(post, to: ConversationID("r"))
    }

    /// A homeserver on which a reaction is taken back before its echo has come.
    private func reacting(since: String = "") throws -> ScriptedServer {
        let tries = Tries()
        return try ScriptedAccount.server(since.isEmpty ? ["": Self.first] : [:]) { request in
            tries.next() == 1 && request.method == "PUT" ? .init("<html>", status: 502) : Self.sent("own")
        }
    }

    private static func reaction(isRemoved: Bool) -> Post.Content {
        .reaction(MessageID("$1"), emoji: "x", isRemoved: isRemoved)
    }

    @Test func `a reaction is taken back before its echo has come`() throws {
        let server = try reacting()
        try account.serve(server) { kedge in
            // The first try of the reaction fails, and the second post waits for it.
            let numbers = [false, true].enumerated().map { index, isRemoved in
                kedge.ask(Self.send("01\(index)", Self.reaction(isRemoved: isRemoved)))
            }
            for number in numbers { #expect(kedge.response(to: number) == .done(segment: nil)) }
            // It is gone: nothing is left to be taken back.
            let again = kedge.result(of: Self.send("012", Self.reaction(isRemoved: true)))
            #expect(again == .failed(reason: "this reaction is not on the server", retry: nil))
        }
        #expect(puts(server) == ["m.reaction/010", "m.reaction/010", "%24own/011"])
    }

    @Test(arguments: [true, false])
    func `a reaction is taken back once, also by the next process`(isLeft: Bool) throws {
        let first = try ScriptedAccount.server(["": Self.first]) { _ in Self.sent("own") }
        try account.serve(first) { kedge in
            _ = kedge.result(of: Self.send("010", Self.reaction(isRemoved: false)))
        }
        if isLeft { try leave(Self.post("011", Self.reaction(isRemoved: true))) }
        let second = try reacting(since: "s1")
        try account.serve(second) { kedge in
            let number = kedge.ask(Self.send("011", Self.reaction(isRemoved: true)))
            #expect(kedge.response(to: number) == .done(segment: nil))
        }
        #expect(puts(second) == ["%24own/011", "%24own/011"])
        // The process after that knows that it was done.
        let third = try ScriptedAccount.server([:]) { _ in Self.sent("own") }
        try account.serve(third) { kedge in
            #expect(
                kedge.result(of: Self.send("011", Self.reaction(isRemoved: true))) == .done(segment: nil))
        }
        #expect(puts(third).isEmpty)
    }

    @Test func `a message that was just sent can be edited and deleted by the next process`() throws {
        let first = try ScriptedAccount.server(["": Self.first]) { _ in Self.sent("own") }
        try account.serve(first) { kedge in _ = kedge.result(of: Self.send("01A")) }
        try leave(Self.post("01B", .edit(MessageID("01A"), text: "new")))
        let second = try ScriptedAccount.server([:]) { _ in Self.sent("2") }
        try account.serve(second) { kedge in
            let deletion = Self.send("01C", .deletion(MessageID("01A")))
            #expect(kedge.result(of: deletion) == .done(segment: nil))
        }
        #expect(puts(second) == ["m.room.message/01B", "%24own/01C"])
        #expect(second.requests.first { $0.method == "PUT" }?.body.contains(#""event_id":"$own""#) == true)
    }

    @Test(arguments: ["{\"id\":\"01A\",\"eve", "{}\n7\n", "{\"id\":\"01A\",\"event\":\"$own\"}\n{\"id"])
    func `a damaged list of what was sent is read as far as possible`(list: String) throws {
        try AccountArchive.makeFolders(account.scratch.path)
        try account.scratch.write(list, to: "matrix/sent.jsonl")
        let path = account.scratch.path + "/matrix/sent.jsonl"
        var sent = try SentPosts(path: path)
        #expect((sent.event(of: MessageID("01A")) == nil) == !list.contains("$own"))
        sent.note(SentPosts.Entry(id: MessageID("01B"), event: "$b"))
        #expect(try SentPosts(path: path).event(of: MessageID("01B")) == "$b")
    }

    @Test func `the list of what was sent does not grow for ever`() throws {
        let path = account.scratch.path + "/sent.jsonl"
        var sent = try SentPosts(path: path)
        for number in 0...5_001 { sent.note(SentPosts.Entry(id: MessageID("\(number)"), event: "$\(number)")) }
        #expect(sent.event(of: MessageID("5001")) == "$5001" && sent.event(of: MessageID("1")) == nil)
        #expect(account.scratch.text("sent.jsonl").split(separator: "\n").count == 1_001)
    }

    @Test func `the log decides about a reaction as soon as it holds what was sent`() throws {
        let first = try ScriptedAccount.server(["": Self.first]) { _ in Self.sent("own") }
        try account.serve(first) { kedge in
            _ = kedge.result(of: Self.send("010", Self.reaction(isRemoved: false)))
        }
        // Another client has taken it back, and reacted anew.
        let content = #""m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"x"}"#
        func reaction(_ id: String) -> String {
            Events.event(id, content, type: "m.reaction", sender: "@me:e.org")
        }
        let redaction = Events.event("r", #""redacts":"$own""#, type: "m.room.redaction", sender: "@me:e.org")
        let room = Events.room("!r", [reaction("own"), redaction, reaction("new")])
        let second = try ScriptedAccount.server(["s1": Events.sync("s2", [room])]) { _ in Self.sent("2") }
        try account.serve(second) { kedge in
            #expect(second.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
            _ = kedge.result(of: Self.send("011", Self.reaction(isRemoved: true)))
        }
        #expect(puts(second) == ["%24new/011"])
    }
}
