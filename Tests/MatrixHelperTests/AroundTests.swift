import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Requests of Kedge for a message that is not here.
@Suite(.timeLimit(.minutes(2))) struct AroundTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let online = RelayNews.state(isOnline: true, reason: "")

    /// An event whose time is its number, in hundredths of a second.
    private static func event(_ number: Int) -> String {
        Events.text("\(number)").replacing(":1000,", with: ":\(number * 10),")
    }

    private static func events(_ numbers: some Sequence<Int>) -> [String] { numbers.map(event) }

    private static let first = Events.sync(
        "s1", [Events.room("!r", events(90...91), limited: true, from: "t90")])

    /// The events 1 to 99, of which a page or a context brings a few.
    private static func history(_ request: ScriptedServer.Request) -> ScriptedServer.Response? {
        func number(_ text: String?) -> Int? { text.flatMap { Int($0.dropFirst()) } }
        if let range = request.path.firstRange(of: "/context/%24") {
            guard let middle = Int(request.path[range.upperBound...]), (1...99).contains(middle) else {
                return .init(#"{"errcode":"M_NOT_FOUND","error":"Event not found."}"#, status: 404)
            }
            let after = events(middle + 1..<min(middle + 3, 100)).joined(separator: ",")
            let before = events((max(middle - 2, 1)..<middle).reversed()).joined(separator: ",")
            return .init(
                #"{"start":"t\#(max(middle - 2, 1))","end":"t\#(middle + 3)","event":\#(event(middle)),"#
                    + #""events_before":[\#(before)],"events_after":[\#(after)]}"#)
        }
        guard request.path.hasSuffix("/messages"), let from = number(request.parameter("from")) else { return nil }
        let end = number(request.parameter("to")) ?? 1
        let page = Array((end..<max(from, end)).reversed().prefix(2))
        return .init(Events.page(events(page), end: page.last.flatMap { $0 > end ? "t\($0)" : nil }))
    }

    private static func around(_ number: Int) -> RelayRequest.Content {
        .around(ConversationID("r"), MessageID("$\(number)"))
    }

    private func numbers() -> [Int] { account.texts("r").compactMap { Int($0) } }

    private func segments() -> [SegmentName] {
        account.scratch.names("conversations/r").compactMap { SegmentName(file: $0) }
    }

    private func gaps() throws -> Int { try RoomLog(account.scratch.path + "/conversations/r").gaps().count }

    /// Asks for the events around some, one after another.
    private func ask(_ numbers: [Int]) throws -> ScriptedServer {
        let server = try ScriptedAccount.server(["": AroundTests.first], AroundTests.history)
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
        #expect(server.requests.filter { !$0.path.hasSuffix("/sync") }.count == 1)
    }

    @Test(arguments: [[50, 20, 70], [20, 50, 70], [70, 50, 20], [70, 20, 50]])
    func `islands stand in the order of their times`(numbers: [Int]) throws {
        _ = try ask(numbers)
        #expect(self.numbers() == Array(18...22) + Array(48...52) + Array(68...72) + [90, 91])
        #expect(try gaps() == 4)
    }

    @Test func `an island that reaches to another one is a part of it`() throws {
        _ = try ask([50, 53, 47, 88])
        #expect(numbers() == Array(45...55) + Array(86...91))
        #expect(try gaps() == 2)
    }

    @Test func `the gaps on both sides of an island are filled up to it, and not beyond`() throws {
        _ = try ask([80])
        let server = try ScriptedAccount.server(["s1": Events.sync("s1")], AroundTests.history)
        let path = account.scratch.path
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: AroundTests.online))
            while let gap = (try? RoomLog(path + "/conversations/r").gaps())?.first {
                let fill = RelayRequest.Content.fill(ConversationID("r"), segment: gap.edge.file, limit: 2)
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
}
