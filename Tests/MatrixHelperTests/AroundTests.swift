import ArchiveFormat
import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Requests of Kedge for a message that is not here.
struct AroundTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let online = RelayNews.reach(.online)

    private static let first = Events.sync(
        "s1", [Events.room("!r", ScriptedHistory.events(90...91), limited: true, from: "t90")])

    private static let history = ScriptedHistory(count: 99).response

    private static func around(_ number: Int) -> RelayRequest.Content {
        .around(ConversationID("r"), MessageID("$\(number)"))
    }

    private func numbers() -> [Int] { account.texts("r").compactMap { Int($0) } }

    private func segments() -> [SegmentName] {
        account.scratch.names("conversations/r").compactMap { SegmentName(file: $0) }
    }

    private func gaps() throws -> Int { try RoomLog(account.scratch.path + "/conversations/r").gaps().count }

    /// Asks for the events around some, one after another.
    /// - Parameter isSkewed: whether clocks are wrong by years.
    @discardableResult
    private func ask(
        _ numbers: [Int], isSkewed: Bool = false,
        _ response: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = { _ in nil }
    ) throws -> ScriptedServer {
        let history = ScriptedHistory(count: 99, isSkewed: isSkewed)
        let first = Events.sync("s1", [Events.room("!r", history.events(90...91), limited: true, from: "t90")])
        let server = try ScriptedAccount.server(["": first]) { response($0) ?? history.response($0) }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: AroundTests.online))
            for number in numbers {
                guard case .done(_?) = kedge.result(of: AroundTests.around(number)) else {
                    Issue.record("\(number) was not found")
                    continue
                }
            }
        }
        return server
    }

    @Test func `an event in the midst of the history is an island, and nothing else is fetched`() throws {
        let server = try ask([50, 51, 91])
        #expect(numbers() == Array(48...52) + [90, 91])
        #expect(server.requests.filter { $0.path.contains("/context/") || $0.path.hasSuffix("/messages") }.count == 1)
    }

    @Test(arguments: [[50, 20, 70], [20, 50, 70], [70, 50, 20], [70, 20, 50]], [false, true])
    func `islands stand in the order of the server, also where clocks are wrong by years`(
        numbers: [Int], isSkewed: Bool
    ) throws {
        try ask(numbers, isSkewed: isSkewed)
        #expect(self.numbers() == Array(18...22) + Array(48...52) + Array(68...72) + [90, 91])
        #expect(try gaps() == 4)
    }

    @Test func `few questions find the place among many islands, and nothing that they bring is kept`() throws {
        let server = try ask(Array(stride(from: 5, to: 85, by: 10)) + [60], isSkewed: true)
        let islands = stride(from: 5, to: 85, by: 10).flatMap { $0 - 2...$0 + 2 }
        #expect(numbers() == (islands + [58, 59, 60, 61, 62, 90, 91]).filter { $0 != 0 }.sorted())
        let questions = server.requests.filter { $0.path.hasSuffix("/messages") }
        #expect(questions.allSatisfy { $0.parameter("limit") == "1" && $0.parameter("dir") == "f" })
        #expect(questions.count <= 20)
    }

    @Test(arguments: [403, 502])
    func `where the server does not tell the place, times do`(status: Int) throws {
        try ask([50, 20, 70]) { request in
            request.path.hasSuffix("/messages")
                ? .init(#"{"errcode":"M_FORBIDDEN","error":"no"}"#, status: status) : nil
        }
        #expect(numbers() == Array(18...22) + Array(48...52) + Array(68...72) + [90, 91])
    }

    @Test func `an island that reaches to another one stands beside it, and only the server closes the gap between`()
        throws
    {
        try ask([50, 53, 47, 88])
        #expect(numbers() == Array(45...55) + Array(86...91))
        #expect(try gaps() == 5)
    }

    @Test func `the gaps on both sides of an island are filled up to it, and not beyond`() throws {
        try ask([80])
        let server = try ScriptedAccount.server(["s1": Events.sync("s1")], AroundTests.history)
        let path = account.scratch.path
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: AroundTests.online))
            while let gap = (try? RoomLog(path + "/conversations/r").gaps())?.first {
                let fill = RelayRequest.Content.fill(
                    ConversationID("r"), segment: gap.edge.file, side: .before, limit: 2)
                guard kedge.result(of: fill) == .done(segment: nil) else { return }
            }
        }
        #expect(numbers() == Array(1...91))
    }

    @Test func `an event that the server does not have is not found`() throws {
        let server = try ScriptedAccount.server(["": AroundTests.first], AroundTests.history)
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: AroundTests.online))
            #expect(kedge.result(of: AroundTests.around(200)) == .failed(reason: "Event not found.", retry: nil))
            guard case .failed(_, nil) = kedge.result(of: .around(ConversationID("r"), MessageID("x"))) else {
                Issue.record("x was found")
                return
            }
        }
        #expect(numbers() == [90, 91])
    }

    @Test(arguments: [
        "{}", #"{"event":{}}"#,
        #"{"event":{"event_id":"$50","type":"x","sender":"@a:b","origin_server_ts":1,"content":{}}}"#,
    ])
    func `a context without the message is no island`(body: String) throws {
        let server = try ScriptedAccount.server(["": AroundTests.first]) { _ in .init(body) }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: AroundTests.online))
            guard case .failed = kedge.result(of: AroundTests.around(50)) else {
                Issue.record("it was found")
                return
            }
        }
        #expect(segments() == [.first])
    }

    // MARK: - What came later than an island

    private static func reaction(_ id: String, to event: String, _ person: String) -> String {
        Events.event(
            id, #""m.relates_to":{"rel_type":"m.annotation","event_id":"$\#(event)","key":"x"}"#, type: "m.reaction",
            sender: person)
    }

    @Test func `reactions to the messages of an island are asked for, as they may have come in the gap`() throws {
        let server = try ScriptedAccount.server(["": AroundTests.first]) { request in
            guard request.path.contains("/relations/") else { return AroundTests.history(request) }
            guard request.path.contains("/relations/%2450/m.annotation/m.reaction") else {
                return .init(Events.page([]))
            }
            // The server also says what is none.
            return .init(
                Events.page([
                    Self.reaction("r2", to: "50", "@me:e.org"), Self.reaction("r1", to: "50", "@ana:e.org"),
                    Self.reaction("r3", to: "7", "@ana:e.org"), Events.text("7"),
                ]))
        }
        for _ in 0..<2 {
            try account.serve(server) { kedge in
                #expect(kedge.wait(for: AroundTests.online))
                _ = kedge.result(of: AroundTests.around(50))
                #expect(server.wait(until: { $0.count { $0.path.contains("/relations/") } == 5 }))
                // The last response has been taken when the one to a later request is there.
                _ = kedge.result(of: AroundTests.around(91))
            }
        }
        let late = account.records("r").filter { $0.contains("reaction") }
        #expect(late.count == 2 && late.allSatisfy { $0.contains(#""late":true"#) && $0.contains(#""target":"$50""#) })
        // They do not say where the log ends.
        let log = try RoomLog(account.scratch.path + "/conversations/r")
        #expect(try log.edge(of: .first, isEnd: true) == "$91" && log.ids(in: .first) == ["$90", "$91"])
        #expect(log.reaction("$r1") != nil)
    }

    @Test func `edits that the server has bundled with old messages are taken`() throws {
        let edit = Events.event(
            "e",
            #""msgtype":"m.text","body":"* new","m.new_content":{"msgtype":"m.text","body":"new"},"#
                + #""m.relates_to":{"rel_type":"m.replace","event_id":"$50"}"#)
        let bundle = #""unsigned":{"m.relations":{"m.replace":\#(edit)}}"#
        let old = Events.text("50", "old", sender: "@ana:e.org", bundle).replacing(":1000,", with: ":50000,")
        let server = try ScriptedAccount.server(["": AroundTests.first]) { request in
            if request.path.contains("/context/%2450") {
                return .init(#"{"start":"t50","end":"t51","event":\#(old),"events_before":[],"events_after":[]}"#)
            }
            guard request.path.hasSuffix("/messages") else { return nil }
            return .init(
                Events.page([Events.text("89", "older", sender: "@ana:e.org", bundle.replacing("$50", with: "$89"))]))
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: AroundTests.online))
            guard case .done(let segment?) = kedge.result(of: AroundTests.around(50)) else { return }
            #expect(!segment.isEmpty)
            let first = SegmentName.first.file
            let fill = RelayRequest.Content.fill(ConversationID("r"), segment: first, side: .before, limit: 9)
            #expect(kedge.result(of: fill) == .done(segment: nil))
        }
        let edited = account.records("r").filter { $0.contains(#""edited":true"#) }
        #expect(edited.count == 2 && edited.allSatisfy { $0.contains(#""text":"new""#) })
    }
}
