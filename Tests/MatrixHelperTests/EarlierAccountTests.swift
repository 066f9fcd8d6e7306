import Foundation
import Helper
import Matrix
import Messages
import Relay
import Settings
import TestSupport
import Testing

@testable import MatrixHelper

/// The folder of an account as version 1 has left it when it was killed: a response in the journal that is not in the logs yet, a post
/// in the outbox, and a reaction that was sent and has no echo yet. `fixtures/account` holds the files.
struct EarlierAccountTests {
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/account").path

    private let account: ScriptedAccount

    init() throws {
        account = try ScriptedAccount()
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: Self.fixture + "/archive") {
            try files.copyItem(atPath: Self.fixture + "/archive/" + name, toPath: account.scratch.path + "/" + name)
        }
    }

    @Test func `what was on its way goes on, and nothing comes twice`() throws {
        let server = try ScriptedAccount.server([:]) { _ in .init(#"{"event_id":"$sent"}"#) }
        try account.serve(server) { kedge in
            let post = Post(
                id: MessageID("012"), at: Timestamp(milliseconds: 0), sender: PersonID("@me:e.org"),
                content: .reaction(MessageID("$1"), emoji: "x", isRemoved: true))
            #expect(kedge.result(of: .send(ConversationID("r"), post)) == .done(segment: nil))
        }
        #expect(account.texts("r") == ["1", "2", "3"])
        let puts = server.requests.filter { $0.method == "PUT" }
        let addresses = puts.map { $0.path.split(separator: "/").suffix(2).joined(separator: "/") }
        #expect(addresses == ["m.room.message/011", "%24own/012"])
        #expect(puts.first?.body.contains(#""event_id":"$2""#) == true)
        #expect(puts.first?.body.contains("on its way") == true)
        // The journal is in the logs: nothing before its token is asked for.
        let tokens = server.requests.filter { $0.path.hasSuffix("/sync") }.map { $0.parameter("since") }
        #expect(!tokens.isEmpty && tokens.allSatisfy { $0 == "s2" })
        #expect(account.scratch.names("matrix/outbox").isEmpty)
        #expect(account.scratch.text("matrix/sync.json") == "{\"since\":\"s2\"}\n")
    }

    @Test func `the session of an account is read`() throws {
        let store = try #require(
            AccountStore(
                Folders(environment: ["XDG_STATE_HOME": Self.fixture + "/state", "XDG_DATA_HOME": "/nowhere"])))
        let (accounts, broken) = try store.all()
        #expect(broken.isEmpty && accounts.count == 1)
        let account = try #require(accounts.first)
        #expect(account.user == "@me:e.org" && account.device == "D" && account.token == "to\"ken")
        #expect(account.homeserver == "https://e.org" && account.archive == "/data/kedge/matrix/@me:e.org")
    }
}
