import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Posts of Kedge on their way to a homeserver.
struct SendTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let first = Events.sync("s1", [Events.room("!r", [Events.text("1")])])
    private static let online = RelayNews.reach(.online)

    private static func post(_ id: String, _ content: Post.Content, isAction: Bool = false) -> Post {
        Post(
            id: MessageID(id), at: Timestamp(milliseconds: 0), sender: PersonID("@me:e.org"), content: content,
            isAction: isAction)
    }

    private static func send(
        _ id: String, _ text: String = "hello", replyTo: String? = nil, thread: String? = nil
    ) -> RelayRequest.Content {
        send(
            id, .message(text: text, replyTo: replyTo.map { MessageID($0) }, thread: thread.map { MessageID($0) }))
    }

    private static func send(_ id: String, _ content: Post.Content) -> RelayRequest.Content {
        .send(ConversationID("r"), post(id, content))
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

    private var journal: [String] { account.scratch.names("matrix/outbox") }

    @Test func `a message is sent with its ID as the transaction`() throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            #expect(kedge.result(of: SendTests.send("01A")) == .done(segment: nil))
            // Kedge repeats what it had no response to.
            #expect(kedge.result(of: SendTests.send("01A")) == .done(segment: nil))
        }
        #expect(puts(server) == ["m.room.message/01A"] && journal.isEmpty)
        #expect(server.requests.last { $0.method == "PUT" }?.body.contains(#""body":"hello""#) == true)
    }

    @Test func `a text with marks is sent with its HTML, and its echo has the text as it was typed`() throws {
        let text = "_a_ **b** \\*c\\*"
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            #expect(kedge.result(of: SendTests.send("01A", text)) == .done(segment: nil))
        }
        let content = try #require(server.requests.last { $0.method == "PUT" }?.body)
        #expect(content.contains(#""formatted_body":"<em>a</em> <strong>b</strong> \\*c\\*""#))
        let echo = Events.event(
            "2", String(content.dropFirst().dropLast()), sender: "@me:e.org", #""unsigned":{"transaction_id":"01A"}"#)
        let next = Events.sync("s2", [Events.room("!r", [echo])])
        let later = try ScriptedAccount.server(["s1": next])
        try account.serve(later) { _ in
            #expect(later.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
        }
        #expect(account.texts("r").last == text)
    }

    @Test func `a post is in the journal before its first try`() throws {
        let path = account.scratch.path
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in
            OutboxProbe.names(path) == ["01A"] ? SendTests.sent("2") : .init(#"{"errcode":"M_NO"}"#, status: 403)
        }
        try account.serve(server) { kedge in
            #expect(kedge.result(of: SendTests.send("01A")) == .done(segment: nil))
        }
    }

    @Test func `failures of the moment are tried again with the same transaction, in order`() throws {
        let tries = Tries()
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in
            switch tries.next() {
            case 1: .init(#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2000}"#, status: 429)
            case 2: .init("<html>", status: 502)
            case 3: nil
            case 4: .init(#"{"event_id":"$2"}"#, cut: 5)
            case 5: .init("<html>")
            default: SendTests.sent("2")
            }
        }
        try account.serve(server) { kedge in
            let numbers = [kedge.ask(SendTests.send("01A")), kedge.ask(SendTests.send("01B"))]
            for number in numbers { #expect(kedge.response(to: number) == .done(segment: nil)) }
        }
        #expect(puts(server) == [String](repeating: "m.room.message/01A", count: 6) + ["m.room.message/01B"])
    }

    @Test func `a refusal is final, and the next post is sent`() throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { request in
            request.path.hasSuffix("01A")
                ? .init(#"{"errcode":"M_FORBIDDEN","error":"no"}"#, status: 403) : SendTests.sent("2")
        }
        try account.serve(server) { kedge in
            let numbers = [kedge.ask(SendTests.send("01A")), kedge.ask(SendTests.send("01B"))]
            #expect(
                kedge.response(to: numbers[0]) == .failed(reason: "the server refuses: 403 M_FORBIDDEN no", retry: nil))
            #expect(kedge.response(to: numbers[1]) == .done(segment: nil))
        }
        #expect(journal.isEmpty)
    }

    @Test(arguments: ["", "../x", ".x", "a/b", String(repeating: "x", count: 65)])
    func `an ID that could be a path is refused`(id: String) throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            guard case .failed(_, nil) = kedge.result(of: SendTests.send(id)) else {
                Issue.record("\(id) was taken")
                return
            }
        }
        #expect(puts(server).isEmpty)
    }

    // MARK: - Rooms

    @Test func `nothing is sent in clear to an encrypted room`() throws {
        let room = Events.room("!r", [Events.text("1")], state: [Events.state("e", "m.room.encryption", "")])
        let server = try ScriptedAccount.server(["": Events.sync("s1", [room])]) { _ in SendTests.sent("2") }
        let target = MessageID("$1")
        let contents: [Post.Content] = [
            .message(text: "a", replyTo: nil, thread: nil), .edit(target, text: "a"),
            .reaction(target, emoji: "x", isRemoved: false),
        ]
        try account.serve(server) { kedge in
            for (number, content) in contents.enumerated() {
                guard case .failed(let reason, nil) = kedge.result(of: SendTests.send("01\(number)", content)) else {
                    Issue.record("\(content) was sent")
                    continue
                }
                #expect(reason.contains("encrypted"))
            }
            // It names only what others know.
            #expect(kedge.result(of: SendTests.send("01Z", .deletion(target))) == .done(segment: nil))
        }
        #expect(puts(server) == ["%241/01Z"])
    }

    @Test func `a room that was encrypted meanwhile is known before anything is sent`() throws {
        try account.serve(try ScriptedAccount.server(["": SendTests.first])) { _ = $0.wait(for: SendTests.online) }
        try leave(SendTests.post("01A", .message(text: "a", replyTo: nil, thread: nil)))
        let room = Events.room("!r", [Events.state("e", "m.room.encryption", "")])
        let server = try ScriptedAccount.server(["s1": Events.sync("s2", [room])]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            let number = kedge.ask(SendTests.send("01B"))
            guard case .failed = kedge.response(to: number) else {
                Issue.record("it was sent")
                return
            }
        }
        #expect(puts(server).isEmpty)
    }

    @Test func `nothing is sent while the server does not respond`() throws {
        let tries = Tries()
        let server = try ScriptedServer { request in
            guard request.path.hasSuffix("/sync") else { return SendTests.sent("2") }
            if tries.next() <= 3 { return .init("<html>", status: 502) }
            if request.parameter("since") == nil { return .init(SendTests.first) }
            return request.parameter("timeout") == "0" ? .init(Events.sync("s1")) : .held
        }
        try account.serve(server) { kedge in
            #expect(kedge.result(of: SendTests.send("01A")) == .done(segment: nil))
        }
        #expect(server.requests.prefix(4).allSatisfy { $0.path.hasSuffix("/sync") })
    }

    // MARK: - Kills

    @Test func `a post that a killed process has left is sent`() throws {
        try account.serve(try ScriptedAccount.server(["": SendTests.first])) { _ = $0.wait(for: SendTests.online) }
        try leave(SendTests.post("01A", .message(text: "a", replyTo: nil, thread: nil)))
        let server = try ScriptedAccount.server([:]) { _ in SendTests.sent("2") }
        try account.serve(server) { _ in
            #expect(server.wait(until: { $0.contains { $0.method == "PUT" } }))
        }
        #expect(puts(server) == ["m.room.message/01A"])
    }

    @Test(arguments: [true, false])
    func `a post whose echo is here is not sent again`(isInLog: Bool) throws {
        let own = Events.text("2", "hello", sender: "@me:e.org", #""unsigned":{"transaction_id":"01A"}"#)
        let echo = Events.room("!r", [own])
        let first = isInLog ? Events.sync("s1", [Events.room("!r", [Events.text("1"), own])]) : SendTests.first
        try account.serve(try ScriptedAccount.server(["": first])) { _ = $0.wait(for: SendTests.online) }
        try leave(SendTests.post("01A", .message(text: "hello", replyTo: nil, thread: nil)))
        let server = try ScriptedAccount.server(isInLog ? [:] : ["s1": Events.sync("s2", [echo])]) { _ in
            SendTests.sent("3")
        }
        try account.serve(server) { kedge in
            #expect(kedge.result(of: SendTests.send("01A")) == .done(segment: nil))
            #expect(kedge.result(of: SendTests.send("01B")) == .done(segment: nil))
        }
        #expect(puts(server) == ["m.room.message/01B"] && journal.isEmpty)
    }

    @Test func `a file that holds no post is left, and nothing else is`() throws {
        try leave(SendTests.post("01B", .deletion(MessageID("$1"))))
        try account.scratch.write("{", to: "matrix/outbox/01A")
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        try account.serve(server) { _ in #expect(server.wait(until: { $0.contains { $0.method == "PUT" } })) }
        #expect(journal.first == "01A")
    }

    // MARK: - Targets

    @Test func `a reply calls the author of its message`() throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            #expect(kedge.result(of: SendTests.send("01A", replyTo: "$1")) == .done(segment: nil))
        }
        let body = server.requests.last { $0.method == "PUT" }?.body ?? ""
        #expect(body.contains(#""user_ids":["@ana:e.org"]"#) && body.contains(#""m.in_reply_to":{"event_id":"$1"}"#))
    }

    @Test func `what was just sent can be edited, deleted and replied to by the ID of its post`() throws {
        let tries = Tries()
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("own\(tries.next())") }
        let own = MessageID("01A")
        try account.serve(server) { kedge in
            let numbers = [
                kedge.ask(SendTests.send("01A")), kedge.ask(SendTests.send("01B", .edit(own, text: "new"))),
                kedge.ask(SendTests.send("01C", thread: "01A")), kedge.ask(SendTests.send("01D", .deletion(own))),
            ]
            for number in numbers { #expect(kedge.response(to: number) == .done(segment: nil)) }
        }
        let sent = server.requests.filter { $0.method == "PUT" }
        #expect(sent.count == 4 && sent.dropFirst().allSatisfy { ($0.path + $0.body).contains("own1") })
        #expect(sent.last?.path.hasSuffix("/redact/%24own1/01D") == true)
    }

    @Test(arguments: [(true, "m.emote"), (false, "m.text")])
    func `an edit of an action stays one for other clients`(isAction: Bool, kind: String) throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        let edit = SendTests.post("01A", .edit(MessageID("$1"), text: "jumps"), isAction: isAction)
        try account.serve(server) { kedge in
            #expect(kedge.result(of: .send(ConversationID("r"), edit)) == .done(segment: nil))
        }
        let body = server.requests.last { $0.method == "PUT" }?.body ?? ""
        #expect(body.ranges(of: "\"msgtype\":\"\(kind)\"").count == 2, "\(body)")
    }

    @Test func `an edit calls nobody again`() throws {
        let content = #""msgtype":"m.text","body":"@ana:e.org","m.mentions":{"user_ids":["@ana:e.org"]}"#
        let room = Events.room("!r", [Events.event("1", content, sender: "@me:e.org")])
        let server = try ScriptedAccount.server(["": Events.sync("s1", [room])]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            let edit = Post.Content.edit(MessageID("$1"), text: "@ana:e.org @ben:e.org")
            #expect(kedge.result(of: SendTests.send("01A", edit)) == .done(segment: nil))
        }
        let body = server.requests.last { $0.method == "PUT" }?.body ?? ""
        #expect(body.contains(#""user_ids":["@ben:e.org"]"#), "\(body)")
        #expect(body.contains(#""user_ids":["@ana:e.org","@ben:e.org"]"#), "\(body)")
    }

    @Test func `a message that is not on the server has no replies`() throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in SendTests.sent("2") }
        try account.serve(server) { kedge in
            guard case .failed(_, nil) = kedge.result(of: SendTests.send("01A", replyTo: "01X")) else {
                Issue.record("it was sent")
                return
            }
        }
        #expect(puts(server).isEmpty)
    }

    @Test func `a reaction is taken back by its event, once`() throws {
        let content = #""m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"x"}"#
        let reactions = ["@me:e.org", "@ana:e.org"].enumerated().map {
            Events.event("own\($0)", content, type: "m.reaction", sender: $1)
        }
        let room = Events.room("!r", [Events.text("1")] + reactions)
        let server = try ScriptedAccount.server(["": Events.sync("s1", [room])]) { _ in SendTests.sent("2") }
        let target = MessageID("$1")
        try account.serve(server) { kedge in
            let removal = Post.Content.reaction(target, emoji: "x", isRemoved: true)
            #expect(kedge.result(of: SendTests.send("01A", removal)) == .done(segment: nil))
            let other = Post.Content.reaction(target, emoji: "y", isRemoved: true)
            guard case .failed = kedge.result(of: SendTests.send("01B", other)) else {
                Issue.record("it was taken back")
                return
            }
        }
        #expect(puts(server) == ["%24own0/01A"])
    }

    // MARK: - Marks

    @Test func `others who are typing are told to Kedge, and this account itself is not`() throws {
        let typing = Events.room("!r", [], typing: ["@ana:e.org", "@me:e.org"])
        let server = try ScriptedAccount.server([
            "": SendTests.first, "s1": Events.sync("s2", [typing]),
            "s2": Events.sync("s3", [Events.room("!r", [], typing: [])]),
        ])
        let room = ConversationID("r")
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .typing(room, people: [PersonID("@ana:e.org")])))
            #expect(kedge.wait(for: .typing(room, people: [])))
        }
        #expect(server.requests.allSatisfy { $0.target.contains("m.typing") || !$0.path.hasSuffix("/sync") })
    }

    @Test func `the place up to which another client has read is kept with the room`() throws {
        let read = Events.room("!r", [], fullyRead: "$1")
        let server = try ScriptedAccount.server(["": SendTests.first, "s1": Events.sync("s2", [read])])
        try account.serve(server) { _ in
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
        }
        #expect(account.scratch.text("conversations/r/conversation.json").contains(#""readUpTo":"$1""#))
    }

    @Test func `an edit of a reply keeps whom it calls, by words and as the author`() throws {
        let mentions = #","m.mentions":{"user_ids":["@ana:e.org","@ben:e.org","@cy:e.org"]}"#
        let reply =
            #""msgtype":"m.text","body":"@Ben Ong @Cy look","m.relates_to":{"m.in_reply_to":{"event_id":"$1"}}"#
            + mentions
        let people = [("ben", "Ben Ong"), ("cy", "Cy")].map { Events.member("m\($0)", "@\($0):e.org", name: $1) }
        let events = people + [Events.text("1"), Events.event("2", reply, sender: "@me:e.org")]
        let server = try ScriptedAccount.server(["": Events.sync("s1", [Events.room("!r", events)])]) { _ in
            SendTests.sent("3")
        }
        try account.serve(server) { kedge in
            let edit = SendTests.send("01A", .edit(MessageID("$2"), text: "@Ben Ong come"))
            #expect(kedge.result(of: edit) == .done(segment: nil))
        }
        let body = try #require(server.requests.last { $0.method == "PUT" }?.body)
        // Nobody is called a second time.
        #expect(body.contains(##""m.mentions":{},"m.new_content""##), "\(body)")
        #expect(body.contains(##""m.mentions":{"user_ids":["@ana:e.org","@ben:e.org"]}}"##), "\(body)")
        #expect(body.contains(##"<a href=\"https://matrix.to/#/@ben:e.org\">@Ben Ong</a>"##), "\(body)")
    }

    @Test func `an edit that has waited does not overwrite one that was made elsewhere meanwhile`() throws {
        let own = Events.text("2", "hello", sender: "@me:e.org")
        /// An edit of the own message.
        func edit(_ id: String, _ text: String, _ more: String = "") -> String {
            Events.event(
                id,
                #""msgtype":"m.text","body":"* \#(text)","m.new_content":{"msgtype":"m.text","body":"\#(text)"},"#
                    + #""m.relates_to":{"rel_type":"m.replace","event_id":"$2"}"#,
                sender: "@me:e.org", more.isEmpty ? "" : #""unsigned":{"transaction_id":"\#(more)"}"#)
        }
        @Sendable func post(_ id: String, _ text: String, seen: String) -> RelayRequest.Content {
            .send(
                ConversationID("r"),
                Post(
                    id: MessageID(id), at: Timestamp(milliseconds: 0), sender: PersonID("@me:e.org"),
                    content: .edit(MessageID("$2"), text: text), seen: seen))
        }
        let server = try ScriptedAccount.server([
            "": Events.sync("s1", [Events.room("!r", [own, edit("3", "from my phone")])])
        ]) { _ in SendTests.sent("9") }
        try account.serve(server) { kedge in
            let refused = kedge.result(of: post("01A", "from here", seen: "hello"))
            #expect(refused == .failed(reason: "the message was edited meanwhile", retry: nil))
            #expect(kedge.result(of: post("01B", "from here", seen: "from my phone")) == .done(segment: nil))
        }
        #expect(puts(server) == ["m.room.message/01B"])
        // What this client has sent itself is no news, even if the writer has not seen its echo.
        let echo = Events.room("!r", [edit("9", "from here", "01B")])
        let later = try ScriptedAccount.server(["s1": Events.sync("s2", [echo])]) { _ in SendTests.sent("10") }
        try account.serve(later) { kedge in
            #expect(later.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
            #expect(kedge.result(of: post("01C", "and better", seen: "from my phone")) == .done(segment: nil))
        }
    }

    @Test func `reading and typing are told to the server`() throws {
        let server = try ScriptedAccount.server(["": SendTests.first]) { _ in .init("{}") }
        let room = ConversationID("r")
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: SendTests.online))
            for receipt in [ReadReceipt.private, .public, .none] {
                #expect(kedge.result(of: .read(room, MessageID("$1"), receipt)) == .done(segment: nil))
            }
            #expect(kedge.result(of: .typing(room, isOn: true)) == .done(segment: nil))
        }
        let told = server.requests.filter { !$0.path.hasSuffix("/sync") }
        #expect(
            told.map { String($0.path.split(separator: "/").last ?? "") } == [
                "read_markers", "read_markers", "read_markers", "%40me%3Ae.org",
            ])
        #expect(
            told.prefix(3).map(\.body) == [
                #"{"m.fully_read":"$1","m.read.private":"$1"}"#, #"{"m.fully_read":"$1","m.read":"$1"}"#,
                #"{"m.fully_read":"$1"}"#,
            ])
    }
}

/// The journal as another process sees it.
private enum OutboxProbe {
    static func names(_ archive: String) -> [String] {
        ((try? DiskFile.names(in: archive + "/matrix/outbox")) ?? []).filter { !$0.hasPrefix(".") }
    }
}
