import Helper
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Searches that the server makes for Kedge.
struct SearchTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static func hit(_ room: String, _ event: String) -> String {
        #"{"rank":1,"result":\#(event.dropLast()),"room_id":"\#(room)"}}"#
    }

    private static func page(_ hits: [String], next: String? = nil) -> String {
        let next = next.map { #","next_batch":"\#($0)""# } ?? ""
        return #"{"search_categories":{"room_events":{"results":[\#(hits.joined(separator: ","))]\#(next)}}}"#
    }

    private func search(
        _ search: RelaySearch, _ response: ScriptedServer.Response
    ) throws -> (RelayResponse?, [ScriptedServer.Request]) {
        let syncs = ["": Events.sync("s1", [Events.room("!r", [Events.text("a")])])]
        let server = try ScriptedAccount.server(syncs) { _ in response }
        let found = Box<RelayResponse?>(nil)
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: .reach(.online)))
            found.value = kedge.result(of: .search(search))
        }
        return (found.value, server.requests.filter { !$0.path.hasSuffix("/sync") })
    }

    @Test func `hits of known rooms come, and those of edits name the message`() throws {
        let edit = Events.event(
            "c",
            #""body":"* new","m.new_content":{"body":"new"},"m.relates_to":{"rel_type":"m.replace","event_id":"$b"}"#)
        let hits = [
            SearchTests.hit("!r", Events.text("d", "deploy")), SearchTests.hit("!r", edit),
            SearchTests.hit("!elsewhere", Events.text("e")), "7", "{}",
            SearchTests.hit("!r", Events.state("f", "m.room.name", #""name":"x""#)),
        ]
        let (response, requests) = try search(
            RelaySearch("deploy \"it\"", in: ConversationID("r"), limit: 20, next: "n1"),
            .init(SearchTests.page(hits, next: "n2")))
        func hit(_ id: String, _ text: String) -> RelayHit {
            RelayHit(
                conversation: ConversationID("r"), message: MessageID(id), at: Timestamp(milliseconds: 1_000),
                sender: PersonID("@ana:e.org"), text: text)
        }
        #expect(response == .found([hit("$d", "deploy"), hit("$b", "new")], next: "n2"))
        #expect(requests.first?.parameter("next_batch") == "n1")
        #expect(requests.first?.body.contains(#""search_term":"deploy \"it\"""#) == true)
        #expect(requests.first?.body.contains(#""rooms":["!r"]"#) == true)
    }

    @Test func `a search in a room that is not here is refused without asking`() throws {
        let (response, requests) = try search(
            RelaySearch("x", in: ConversationID("other"), limit: 1), .init(SearchTests.page([])))
        #expect(response == .failed(reason: "other: there is no such room", retry: nil))
        #expect(requests.isEmpty)
    }

    @Test(arguments: ["", "{}", "[]", #"{"search_categories":{"room_events":7}}"#])
    func `a response that is none of a search fails, and may be tried again`(body: String) throws {
        let (response, _) = try search(RelaySearch("x", limit: 1), .init(body))
        #expect(response == .failed(reason: "a response that cannot be read", retry: 1_000))
    }

    @Test func `a page of the longest hits fits into a line of the protocol`() throws {
        // An event has 65,536 bytes at most.
        let text = String(repeating: "\\u0001", count: 10_000)
        let hits = (0..<80).map { SearchTests.hit("!r", Events.text("x\($0)", text)) }
        let (response, _) = try search(RelaySearch("x", limit: 1_000), .init(SearchTests.page(hits)))
        var found = 0
        if case .found(let hits, _)? = response { found = hits.count }
        #expect(found == 50)
        #expect(response.map { RelayNews.response(1, $0).line.count < RelayLines.longest } == true)
    }
}
