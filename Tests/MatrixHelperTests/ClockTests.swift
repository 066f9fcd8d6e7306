import ArchiveFormat
import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Servers and people whose clocks are wrong by years.
struct ClockTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static func text(_ id: String, at time: String) -> String {
        Events.text(id).replacing(":1000,", with: ":\(time),")
    }

    @Test func `events stand in the order of the server, whatever their times say`() throws {
        let years = ["1764000000000", "0", "-62135596800000", "32503680000000", "9223372036854775807", "7"]
        let events = years.enumerated().map { Self.text("\($0 + 3)", at: $1) }
        let first = Events.sync("s1", [Events.room("!r", Array(events.prefix(3)), limited: true, from: "t3")])
        let second = Events.sync("s2", [Events.room("!r", Array(events.suffix(3)))])
        let server = try ScriptedAccount.server(["": first, "s1": second]) { request in
            guard request.path.hasSuffix("/messages") else { return nil }
            return .init(Events.page([Self.text("2", at: "32503680000000"), Self.text("1", at: "1")]))
        }
        try account.serve(server) { kedge in
            #expect(server.wait(until: { $0.contains { $0.parameter("since") == "s2" } }))
            let fill = kedge.result(
                of: .fill(ConversationID("r"), segment: SegmentName.first.file, side: .before, limit: 9))
            #expect(fill == .done(segment: nil))
        }
        #expect(account.texts("r") == (1...8).map { "\($0)" })
    }
}
