import ArchiveFormat
import Helper
import Matrix
import Messages
import Relay
import TestSupport
import Testing

@testable import MatrixHelper

/// Requests of Kedge for what follows an island.
struct ForwardFillTests {
    private let account: ScriptedAccount

    init() throws { account = try ScriptedAccount() }

    private static let online = RelayNews.reach(.online)
    private static let history = ScriptedHistory(count: 91)
    private static let first = Events.sync(
        "s1", [Events.room("!r", ScriptedHistory.events(90...91), limited: true, from: "t90")])

    private func log() throws -> RoomLog { try RoomLog(account.scratch.path + "/conversations/r") }

    private func numbers() -> [Int] { account.texts("r").compactMap { Int($0) } }

    private static func around(_ number: Int) -> RelayRequest.Content {
        .around(ConversationID("r"), MessageID("$\(number)"))
    }

    private static func fill(
        _ segment: SegmentName?, _ side: RelayRequest.Side, limit: Int = 50
    ) -> RelayRequest.Content {
        .fill(ConversationID("r"), segment: segment?.file ?? "", side: side, limit: limit)
    }

    /// Runs a script with an island of the events 48 to 52 and the end of the room, 90 and 91.
    @discardableResult
    private func withIsland(
        _ others: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = history.response,
        _ script: @escaping @Sendable (ScriptedKedge, RoomLog) -> Void
    ) throws -> ScriptedServer {
        let server = try ScriptedAccount.server(["": Self.first]) {
            $0.path.contains("/context/%2450") ? Self.history.response($0) : others($0)
        }
        let path = account.scratch.path + "/conversations/r"
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: Self.online))
            guard case .done(_?) = kedge.result(of: Self.around(50)), let log = try? RoomLog(path) else {
                Issue.record("no island")
                return
            }
            script(kedge, log)
        }
        return server
    }

    private static func pages(_ server: ScriptedServer) -> [String] {
        server.requests.filter { $0.path.hasSuffix("/messages") }.map { request in
            ["dir", "from", "to"].map { request.parameter($0) ?? "-" }.joined(separator: " ")
        }
    }

    @Test func `a page follows the island, and nothing else is fetched`() throws {
        let server = try withIsland { kedge, log in
            let island = log.segments.first
            #expect(kedge.result(of: Self.fill(island, .after)) == .done(segment: nil))
            #expect(kedge.result(of: Self.fill(island?.after, .after, limit: 1)) == .done(segment: nil))
            // What was filled meanwhile is no gap any more.
            #expect(kedge.result(of: Self.fill(island, .after)) == .done(segment: nil))
        }
        #expect(numbers() == Array(48...55) + [90, 91])
        #expect(Self.pages(server) == ["f t53 t90", "f t55 t90"])
        let gaps = try log().gaps()
        #expect(gaps.count == 2 && gaps.first?.from == "t90" && gaps.first?.stop == "t56")
        #expect(gaps.allSatisfy { !$0.isMissed })
    }

    @Test func `pages forwards meet the next island, and the server says so`() throws {
        try withIsland { kedge, log in
            var last = log.segments.first
            for _ in 0..<30 {
                _ = kedge.result(of: Self.fill(last, .after))
                last = last?.after
            }
        }
        #expect(numbers() == Array(48...91))
        #expect(try log().gaps().map(\.older) == [nil])
    }

    @Test func `both ends of a gap at once, and each goes on to where the other one is`() throws {
        let server = try withIsland { kedge, log in
            guard var older = log.segments.first else { return }
            var edge = SegmentName.first
            for _ in 0..<12 {
                let asked = [kedge.ask(Self.fill(older, .after)), kedge.ask(Self.fill(edge, .before))]
                for number in asked { #expect(kedge.response(to: number) == .done(segment: nil)) }
                (older, edge) = (older.after ?? older, edge.before ?? edge)
            }
        }
        #expect(numbers() == Array(48...91))
        #expect(try log().gaps().count == 1)
        #expect(Self.pages(server).prefix(4) == ["f t53 t90", "b t90 t55", "f t55 t88", "b t88 t57"])
    }

    @Test func `each page is all that another process needs to go on from either end`() throws {
        try withIsland { _, _ in }
        let path = account.scratch.path + "/conversations/r"
        for step in 0..<60 {
            let server = try ScriptedAccount.server([:], Self.history.response)
            try account.serve(server) { kedge in
                #expect(kedge.wait(for: Self.online))
                guard let gap = (try? RoomLog(path).gaps())?.first else { return }
                let isForward = step % 3 != 0 && gap.older != nil
                let segment = isForward ? gap.older : gap.edge
                #expect(kedge.result(of: Self.fill(segment, isForward ? .after : .before)) == .done(segment: nil))
            }
            if try log().gaps().isEmpty { break }
        }
        #expect(numbers() == Array(1...91))
    }

    // MARK: - Servers that lie or fail

    private static func lie(_ request: ScriptedServer.Request, _ kind: String) -> ScriptedServer.Response? {
        guard request.parameter("dir") == "f" else { return history.response(request) }
        let from = request.parameter("from") ?? ""
        return switch kind {
        case "repeats its pages": .init(Events.page([ScriptedHistory.event(53)], end: from + "x"))
        case "stays": .init(Events.page([ScriptedHistory.event(53)], end: from))
        case "goes in circles":
            .init(
                Events.page(
                    [ScriptedHistory.event(from == "t53" ? 53 : 54)],
                    end: ["t53": "t54", "t54": "t55"][from] ?? "t54"))
        case "is empty and stays": .init(Events.page([], end: from))
        default: .init(Events.page([], end: from + "x"))
        }
    }

    @Test(
        arguments: ["repeats its pages", "stays", "goes in circles", "is empty and stays", "is empty without end"],
        [false, true])
    func `a server whose pages lead nowhere is told, and the gap stays, and its other end is filled`(
        kind: String, isMissed: Bool
    ) throws {
        let path = account.scratch.path + "/conversations/r"
        if isMissed {
            try account.serve(
                try ScriptedAccount.server([
                    "": Events.sync(
                        "s1",
                        [
                            Events.room("!r", ScriptedHistory.events(1...52))
                        ])
                ])
            ) { _ = $0.wait(for: Self.online) }
        }
        let missed = Events.room("!r", ScriptedHistory.events(90...91), limited: true, from: "t90")
        let server = try ScriptedAccount.server([
            "": Self.first, "s1": isMissed ? Events.sync("t53", [missed]) : Events.sync("s1"),
        ]) { request in
            // The page that is fetched without being asked for comes after what is asked.
            if isMissed, request.parameter("dir") == "b" { return .held }
            return Self.lie(request, kind)
        }
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: Self.online))
            if !isMissed { _ = kedge.result(of: Self.around(50)) }
            if isMissed { #expect(server.wait(until: { $0.contains { $0.parameter("dir") == "b" } })) }
            for _ in 0..<60 {
                guard let gap = (try? RoomLog(path).gaps())?.first else {
                    Issue.record("the gap is closed")
                    return
                }
                let response = kedge.result(of: Self.fill(gap.older, .after))
                if response == .done(segment: nil) { continue }
                guard case .failed(let reason, nil) = response else {
                    Issue.record("\(response as Any)")
                    return
                }
                #expect(reason.contains("repeats its pages") || reason.contains("without end"))
                if isMissed {
                    #expect(server.wait(until: { $0.last?.parameter("dir") == "b" }))
                } else {
                    #expect(kedge.result(of: Self.fill(.first, .before)) == .done(segment: nil))
                }
                return
            }
            Issue.record("it goes on for ever")
        }
        let count = server.requests.count { $0.parameter("dir") == "f" }
        #expect(count < 60 && numbers() == numbers().sorted() && numbers().contains(isMissed ? 52 : 89))
        let gaps = try log().gaps()
        #expect(Set(numbers()).count == numbers().count && !gaps.isEmpty)
    }

    @Test func `a failure of the moment is told with its pause, and the next try goes on`() throws {
        let tries = Tries()
        try withIsland({ request in
            guard request.parameter("dir") == "f" else { return nil }
            return tries.next() == 1 ? .init("<html>", status: 502) : Self.history.response(request)
        }) { kedge, log in
            let fill = Self.fill(log.segments.first, .after)
            #expect(kedge.result(of: fill) == .failed(reason: "status 502", retry: 1_000))
            #expect(kedge.result(of: fill) == .done(segment: nil))
        }
        #expect(numbers() == Array(48...54) + [90, 91])
    }

    @Test func `tokens that the server has forgotten are asked for at the edges`() throws {
        let server = try withIsland({ request in
            let tokens = [request.parameter("from"), request.parameter("to")]
            if request.path.hasSuffix("/messages"), tokens != ["n53", "n90"] {
                return .init(#"{"errcode":"M_UNKNOWN","error":"?"}"#, status: 400)
            }
            if request.path.contains("/context/%2490") { return .init(#"{"start":"n90","end":"n91"}"#) }
            if request.path.contains("/context/%2452") { return .init(#"{"start":"n52","end":"n53"}"#) }
            return .init(Events.page(ScriptedHistory.events(53...54), end: "n55"))
        }) { kedge, log in
            #expect(kedge.result(of: Self.fill(log.segments.first, .after)) == .done(segment: nil))
        }
        #expect(numbers() == Array(48...54) + [90, 91])
        #expect(Self.pages(server) == ["f t53 t90", "f n53 n90"])
    }

    // MARK: - What was missed

    @Test func `what was missed is fetched from the token of the sync, and pages past known events double none`() throws
    {
        // Event 20 of another server comes late: in the graph it stands before all of these.
        let known = Events.sync("s1", [Events.room("!r", ScriptedHistory.events(1...3) + [ScriptedHistory.event(9)])])
        let missed = Events.room("!r", ScriptedHistory.events([30, 31]), limited: true, from: "t30")
        let server = try ScriptedAccount.server(["": known, "s1": Events.sync("s2", [missed])]) { request in
            switch ["dir", "from", "to"].map({ request.parameter($0) ?? "-" }).joined(separator: " ") {
            case "f s1 t30": .init(Events.page(ScriptedHistory.events([20, 8]), end: "t8"))
            case "f t8 t30": .init(Events.page(ScriptedHistory.events([9, 10]), end: nil))
            default: .held
            }
        }
        let path = account.scratch.path + "/conversations/r"
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: Self.online))
            #expect(server.wait(until: { $0.contains { $0.parameter("dir") == "b" } }))
            #expect(kedge.result(of: Self.fill(.first, .after)) == .done(segment: nil))
            #expect((try? RoomLog(path).gaps())?.map(\.isMissed) == [true, false])
            #expect(server.wait(until: { $0.last?.parameter("to") == "t8" && $0.last?.parameter("dir") == "b" }))
            #expect(kedge.result(of: Self.fill(SegmentName.first.after, .after)) == .done(segment: nil))
        }
        #expect(numbers() == [1, 2, 3, 9, 20, 8, 10, 30, 31])
        #expect(try log().gaps().map(\.isMissed) == [false])
    }

    @Test func `what comes while a gap is filled stands at the end, and a gap that comes has its own end`() throws {
        let server = try ScriptedServer { request in
            guard request.path.hasSuffix("/sync") else {
                return request.parameter("from") == "t95" ? .held : Self.history.response(request)
            }
            let more = Events.room("!r", [ScriptedHistory.event(92)])
            let limited = Events.room("!r", ScriptedHistory.events(95...96), limited: true, from: "t95")
            return switch (request.parameter("since") ?? "", request.parameter("timeout")) {
            case ("", _): .init(Self.first)
            case ("s1", _): .init(Events.sync("s2", [more]))
            // While the first gap is filled: not before the events around 50 are here.
            case ("s2", "0"):
                .init(Events.sync("s3", [limited])).held {
                    $0.parameter("dir") == "f" && $0.parameter("limit") != "1"
                }
            case (let since, "0"): .init(Events.sync(since))
            default: .held
            }
        }
        let path = account.scratch.path + "/conversations/r"
        try account.serve(server) { kedge in
            #expect(kedge.wait(for: Self.online))
            _ = kedge.result(of: Self.around(50))
            var last = (try? RoomLog(path))?.segments.first
            for _ in 0..<5 {
                #expect(kedge.result(of: Self.fill(last, .after)) == .done(segment: nil))
                last = last?.after
            }
            #expect(server.wait(until: { $0.contains { $0.parameter("from") == "t95" } }))
        }
        #expect(numbers() == Array(48...62) + [90, 91, 92, 95, 96])
        #expect(try log().gaps().map(\.stop) == ["s2", "t63", nil])
    }

    // MARK: - Random walks

    /// Whether the events around one reach beyond a small island, to events of the next gap. Those stand in their order when that
    /// gap is filled, and not before.
    private static func reachesBeyond(_ number: Int, _ path: String) -> Bool {
        let log = try? RoomLog(path)
        let here = Set((log?.segments ?? []).flatMap { (try? log?.ids(in: $0)) ?? [] })
        let isHere = (number - 2...number + 2).map { here.contains("$\($0)") }
        guard let first = isHere.firstIndex(of: false), let last = isHere.lastIndex(of: false) else { return false }
        return isHere[first...last].contains(true)
    }

    static let seeds: [UInt64] = (0..<6).map { _ in .random(in: 0...UInt64.max) }

    @Test(arguments: seeds, [false, true])
    func `whatever is asked for while rooms are followed and processes end, all is there once and in order`(
        seed: UInt64, isSkewed: Bool
    ) throws {
        print("forward fills: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (count, followed) = (Int.random(in: 30..<80, using: &random), 0)
        let path = account.scratch.path + "/conversations/r"
        for round in 0..<8 {
            let isLast = round == 7
            count += Int.random(in: 0..<30, using: &random)
            let new = count - followed
            let history = ScriptedHistory(count: count, page: 3, isSkewed: isSkewed)
            let room = Events.room(
                "!r", history.events(count - min(new, 5) + 1..<count + 1), limited: new > 5,
                from: "t\(count - min(new, 5) + 1)")
            // The token of a sync is a token in the history as well.
            let since = followed == 0 ? "" : "t\(followed + 1)"
            let sync = new == 0 ? Events.sync(since) : Events.sync("t\(count + 1)", [room])
            followed = count
            let server = try ScriptedAccount.server([since: sync], history.response)
            let (steps, start) = (Int.random(in: 0..<10, using: &random), random)
            try account.serve(server) { kedge in
                var random = start
                #expect(kedge.wait(for: Self.online))
                var step = 0
                while isLast || step < steps {
                    guard let gaps = try? RoomLog(path).gaps(), let gap = gaps.randomElement(using: &random) else {
                        return
                    }
                    step += 1
                    guard step < 400 else {
                        Issue.record("seed \(seed): the gaps never close")
                        return
                    }
                    let isForward = gap.older != nil && Bool.random(using: &random)
                    let number = Int.random(in: 1..<history.count, using: &random)
                    let request =
                        !isLast && Int.random(in: 0..<3, using: &random) == 0 && !Self.reachesBeyond(number, path)
                        ? Self.around(number)
                        : Self.fill(
                            isForward ? gap.older : gap.edge, isForward ? .after : .before,
                            limit: Int.random(in: 1..<4, using: &random))
                    guard case .done = kedge.result(of: request) else {
                        Issue.record("seed \(seed), round \(round), step \(step): \(request)")
                        return
                    }
                }
            }
            let here = numbers()
            #expect(here == here.sorted() && Set(here).count == here.count, "seed \(seed), round \(round): \(here)")
        }
        #expect(numbers() == Array(1...count), "seed \(seed)")
    }
}
