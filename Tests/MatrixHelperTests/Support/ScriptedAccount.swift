import Foundation
import Helper
import Matrix
import Relay
import TestSupport
import Threads

@testable import MatrixHelper

/// An account whose mirror serves a Kedge, with a scripted homeserver. Each look at the clock is an hour later than the one
/// before, so that no test waits.
final class ScriptedAccount {
    let scratch: Scratch
    private let client: HTTPClient

    init() throws {
        scratch = try Scratch()
        client = try HTTPClient()
    }

    deinit { client.stop() }

    /// Serves until the script is over.
    /// - Parameter token: the token of the session that the user has by now.
    @discardableResult
    func serve(
        _ server: ScriptedServer, token: @escaping @Sendable () -> String = { "t" },
        _ script: @escaping @Sendable (ScriptedKedge) -> Void
    ) throws -> SyncEnd {
        let news = Monitor<[RelayNews]>([])
        let hours = Monitor(0)
        let pace = SyncPace(
            now: {
                hours.withLock { hours in
                    hours += 1
                    return .now + .seconds(3_600 * hours)
                }
            }, jitter: { 0 })
        let mirror = try SyncLoop(
            archive: scratch.path, me: "@me:e.org", server: Server(client, base: server.address, token: "t"),
            goal: SyncGoal(hasHistory: false, follows: true, serves: true), pace: pace,
            renewed: { [client] in Server(client, base: server.address, token: token()) },
            relay: { line, _ in news.change { $0.append(line) } })
        let kedge = ScriptedKedge(news, mirror.onRequest)
        let (thread, stop) = (SerialThread(), mirror.stop)
        thread.run {
            script(kedge)
            stop()
        }
        return mirror.run()
    }

    /// Mirrors until all that is wanted is here.
    @discardableResult
    func mirror(
        _ server: ScriptedServer, history: Bool = false, _ report: @escaping (SyncReport) -> Void = { _ in }
    ) throws -> SyncEnd {
        let hours = Monitor(0)
        let now: @Sendable () -> ContinuousClock.Instant = {
            hours.withLock { hours in
                hours += 1
                return .now + .seconds(3_600 * hours)
            }
        }
        return try SyncLoop(
            archive: scratch.path, me: "@me:e.org", server: Server(client, base: server.address, token: "t"),
            goal: SyncGoal(hasHistory: history, follows: false), pace: SyncPace(now: now, jitter: { 0 }),
            report: report
        ).run()
    }

    /// A homeserver whose syncs are given by the tokens that they follow; nothing is new after them.
    static func server(
        _ syncs: [String: String], relations: ScriptedServer.Response = .init(#"{"next_batch":"r"}"#),
        _ others: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = { _ in nil }
    ) throws -> ScriptedServer {
        try ScriptedServer(relations: relations) { request in
            guard request.path.hasSuffix("/sync") else { return others(request) }
            let since = request.parameter("since") ?? ""
            if let sync = syncs[since] { return .init(sync) }
            return request.parameter("timeout") == "0" ? .init(Events.sync(since)) : .held
        }
    }

    /// The texts of the messages of a conversation, in the order of its segments.
    func texts(_ conversation: String) -> [String] { Conversation(scratch, conversation).texts }

    /// The lines of a conversation, in the order of its segments.
    func records(_ conversation: String) -> [String] { Conversation(scratch, conversation).records }
}
