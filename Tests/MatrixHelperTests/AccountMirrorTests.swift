import ArchiveFormat
import Files
import Foundation
import Helper
import Matrix
import TestSupport
import Testing
import Threads

@testable import MatrixHelper

/// Mirrors of a scripted server. No test waits: each look at the clock is an hour later than the one before.
struct AccountMirrorTests {
    private let scratch: Scratch
    private let client: HTTPClient

    init() throws {
        scratch = try Scratch()
        client = try HTTPClient()
    }

    /// Responses to /sync by the token that they follow, and to other requests by what they ask.
    private func server(
        _ syncs: [String: String],
        _ others: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response? = { _ in nil }
    ) throws -> ScriptedServer {
        try ScriptedServer { request in
            guard request.path.hasSuffix("/sync") else { return others(request) }
            let since = request.parameter("since") ?? ""
            return .init(syncs[since] ?? Events.sync(since))
        }
    }

    private var pace: SyncPace {
        let hours = Monitor(0)
        return SyncPace(
            now: {
                hours.withLock { hours in
                    hours += 1
                    return .now + .seconds(3_600 * hours)
                }
            }, jitter: { 0 })
    }

    @discardableResult
    private func mirror(
        _ server: ScriptedServer, history: Bool = false, _ report: @escaping (SyncReport) -> Void = { _ in }
    ) throws -> SyncEnd {
        let goal = SyncGoal(hasHistory: history, follows: false)
        return try SyncLoop(
            archive: scratch.path, me: "@me:e.org", server: Server(client, base: server.address, token: "t"),
            goal: goal, pace: pace, report: report
        ).run()
    }

    /// The texts of the messages of a room, in the order of its segments.
    private func texts(_ conversation: String) -> [String] {
        scratch.names("conversations/\(conversation)").filter { $0.hasPrefix("messages-") }.flatMap { name in
            scratch.text("conversations/\(conversation)/\(name)").split(separator: "\n").compactMap { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["text"] as? String
            }
        }
    }

    private func texts(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { Events.text("\($0)") } }
    private func bodies(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "\($0)" } }

    // MARK: - News

    @Test func `rooms become conversations, and new events follow the others`() throws {
        let server = try server([
            "": Events.sync("s1", [Events.room("!r", texts(1...3), from: "t1"), Events.room("!q", texts(1...1))]),
            "s1": Events.sync("s2", [Events.room("!r", texts(4...5))]),
        ])
        #expect(try mirror(server) == .done)
        #expect(scratch.names("conversations") == ["q", "r"])
        #expect(texts("r") == bodies(1...5) && texts("q") == ["1"])
        #expect(scratch.text("matrix/sync.json").contains("s2"))
        #expect(scratch.text("archive.json").contains("@me:e.org"))
        #expect(!scratch.names("matrix").contains("journal"))
    }

    @Test func `no run asks what the run before has asked, whose response a server may repeat`() throws {
        let first = Events.sync("s1", [Events.room("!r", texts(1...1))])
        // Others have written elsewhere: the response is empty, and has another token.
        let empty = Events.sync("s2")
        try mirror(try server(["": first, "s1": empty]))
        #expect(scratch.text("matrix/sync.json").contains("s2"))
        let news = Events.sync("s3", [Events.room("!r", texts(2...2))])
        try mirror(try server(["s1": empty, "s2": news]))
        #expect(texts("r") == bodies(1...2))
    }

    @Test func `two people of one name are told apart where they meet, and a third one elsewhere is not`() throws {
        func member(_ id: String, _ name: String = "Ben") -> String { Events.member(id, "@\(id):e.org", name: name) }
        let rooms = [
            Events.room("!r", [], state: [member("b1"), member("b2"), member("cy", "Cy")]),
            Events.room("!q", [], state: [member("b3")]),
        ]
        try mirror(try server(["": Events.sync("s1", rooms)]))
        for id in ["b1", "b2"] {
            let person = #"{"id":"@\#(id):e.org","name":"Ben (@\#(id):e.org)","plain":"Ben"}"#
            #expect(scratch.text("people.json").contains(person))
        }
        #expect(scratch.text("people.json").contains(#"{"id":"@b3:e.org","name":"Ben"}"#))
        // One of them takes another name; the other one's is his alone again.
        let news = Events.room("!r", [Events.member("n", "@b2:e.org", name: "Bob")])
        try mirror(try server(["s1": Events.sync("s2", [news])]))
        #expect(scratch.text("people.json").contains(#"{"id":"@b1:e.org","name":"Ben"}"#))
    }

    @Test func `people whose names look the same are told apart as well`() throws {
        let people = [("b1", "Ben Ong"), ("b2", "Ben\u{200B} Ong"), ("b3", "Ben\u{A0}Ong")].map { id, name in
            Events.member(id, "@\(id):e.org", name: name)
        }
        let other = [Events.member("x", "@b1:e.org", name: "Al"), Events.member("y", "@b2:e.org", name: "A\u{200B}l")]
        try mirror(
            try server(["": Events.sync("s1", [Events.room("!r", [], state: people), Events.room("!q", other)])]))
        let file = scratch.text("people.json")
        for id in ["b1", "b2", "b3"] { #expect(file.contains("Ong (@\(id):e.org)\"")) }
        let names = scratch.text("conversations/q/conversation.json")
        #expect(names.contains("Al (@b1:e.org)\"") && names.contains("l (@b2:e.org)\""))
    }

    @Test func `people have the names of each room, and a name that is theirs in all rooms counts everywhere`() throws {
        func member(_ id: String, _ name: String) -> String {
            Events.member("\(id)\(name)", "@\(id):e.org", name: name)
        }
        func names(_ room: String) -> String { scratch.text("conversations/\(room)/conversation.json") }
        let topic = Events.event("t", #""topic":"x""#, type: "m.room.topic", sender: "@ben:e.org", #""state_key":"""#)
        try mirror(
            try server([
                "": Events.sync(
                    "s1",
                    [
                        Events.room("!r", [], state: [member("ben", "Ben")]),
                        Events.room("!q", [topic], state: [member("ben", "Captain"), member("cy", "Captain")]),
                    ])
            ]))
        #expect(scratch.text("people.json").contains(#"{"id":"@ben:e.org","name":"Ben","names":["Captain"]}"#))
        #expect(texts("q") == ["Captain changed the topic to «x»"])
        // Two people of one name are told apart there as well.
        let told =
            #""names":[{"id":"@ben:e.org","name":"Captain (@ben:e.org)"},{"id":"@cy:e.org","name":"Captain (@cy:e.org)"}]"#
        #expect(names("q").contains(told) && !names("r").contains(#""names""#))
        // A name that is taken later holds for that room alone, in later runs as well, until it is the person's in all rooms.
        try mirror(try server(["s1": Events.sync("s2", [Events.room("!q", [member("ben", "Benny")])])]))
        #expect(names("q").contains(#""names":[{"id":"@ben:e.org","name":"Benny"}]"#))
        #expect(scratch.text("people.json").contains(#""name":"Ben","names":["Benny","Captain"]"#))
        try mirror(try server(["s2": Events.sync("s3", [Events.room("!r", [member("ben", "Benny")])])]))
        #expect(scratch.text("people.json").contains(#"{"id":"@ben:e.org","name":"Benny","names":["Captain"]}"#))
    }

    @Test func `a person who has removed the name in one room has the one of the ID there, and keeps it elsewhere`()
        throws
    {
        let named = Events.member("a", "@ben:e.org", name: "Ben Ong")
        let bare = Events.state("b", "m.room.member", #""membership":"join""#, key: "@ben:e.org")
        let news = [Events.room("!r", [bare]), Events.room("!s", [], state: [bare])]
        try mirror(
            try server([
                "": Events.sync("s1", ["!r", "!q"].map { Events.room($0, [], state: [named]) }),
                "s1": Events.sync("s2", news),
            ]))
        let own = #""names":[{"id":"@ben:e.org","name":"ben"}]"#
        for room in ["r", "s"] { #expect(scratch.text("conversations/\(room)/conversation.json").contains(own)) }
        #expect(!scratch.text("conversations/q/conversation.json").contains(#""names""#))
        #expect(scratch.text("people.json").contains(#"{"id":"@ben:e.org","name":"Ben Ong","names":["ben"]}"#))
        // An invitation has no name where the server does not know it, and says nothing of it.
        let invited = Events.state("c", "m.room.member", #""membership":"invite""#, key: "@ben:e.org")
        try mirror(try server(["s2": Events.sync("s3", [Events.room("!q", [invited])])]))
        #expect(!scratch.text("conversations/q/conversation.json").contains(#""names""#))
        // The name comes back.
        try mirror(
            try server([
                "s3": Events.sync("s4", [Events.room("!r", [Events.member("d", "@ben:e.org", name: "Ben Ong")])])
            ]))
        #expect(!scratch.text("conversations/r/conversation.json").contains(#""names""#))
    }

    @Test(arguments: [nil, "", "{", "flipped"] as [String?])
    func `a room with a damaged file is told, and loses no message`(damage: String?) throws {
        let rooms = ["!r", "!q"].map { Events.room($0, texts(1...3), from: "t1") }
        try mirror(try server(["": Events.sync("s1", rooms)]))
        let file = "conversations/r/conversation.json"
        let whole = scratch.text(file)
        let written = ["flipped": whole.replacingOccurrences(of: "],", with: "=,")]
        if let damage {
            try scratch.write(written[damage] ?? damage, to: file)
        } else {
            try FileManager.default.removeItem(atPath: scratch.path + "/" + file)
        }
        let isKnown = damage.map { written[$0] != nil } ?? false
        var troubles: [String] = []
        let news = ["!r", "!q"].map { Events.room($0, self.texts(4...4)) }
        let end = try mirror(try server(["s1": Events.sync("s2", news)])) {
            if case .trouble(let line) = $0 { troubles.append(line) }
        }
        #expect(end == .done && self.texts("q") == bodies(1...4))
        #expect(troubles.count == 1 && troubles.first?.contains("\(file): damaged") == true, "\(troubles)")
        #expect(scratch.names("conversations") == (isKnown ? ["q", "r"] : ["q", "r", "r-2"]))
        #expect(self.texts("r") == bodies(isKnown ? 1...4 : 1...3))
        if isKnown {
            #expect(
                scratch.text(file).contains(#""room":"!r""#) && scratch.text(file + ".damaged") == written[damage ?? ""]
            )
        } else {
            #expect(self.texts("r-2") == bodies(4...4))
        }
    }

    @Test func `the next run goes on from the last token`() throws {
        let first = try server(["": Events.sync("s1", [Events.room("!r", texts(1...2))])])
        try mirror(first)
        let second = try server(["s1": Events.sync("s2", [Events.room("!r", texts(3...4))])])
        #expect(try mirror(second) == .done)
        #expect(texts("r") == bodies(1...4))
        #expect(!second.requests.contains { $0.parameter("since") == nil })
    }

    @Test(arguments: [true, false])
    func `a room that is joined later has each of its events once`(isLimited: Bool) throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!q", texts(1...1))])]))
        let room = Events.room("!r", texts(4...5), limited: isLimited, from: "t4")
        try mirror(try server(["s1": Events.sync("s2", [room])]))
        #expect(texts("r") == bodies(4...5) && scratch.names("conversations/r").count == 2)
    }

    @Test func `a new name of a room is that of its conversation, whose ID stays`() throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", texts(1...1))])]))
        let name = Events.state("n", "m.room.name", #""name":"Quay""#)
        try mirror(try server(["s1": Events.sync("s2", [Events.room("!r", [name])])]))
        #expect(scratch.text("conversations/r/conversation.json").contains(#""title":"Quay""#))
    }

    @Test func `a reaction of an earlier run is taken back`() throws {
        let content = #""m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"x"}"#
        let reaction = Events.event("2", content, type: "m.reaction", sender: "@ben:e.org")
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", [Events.text("1"), reaction])])]))
        let redaction = Events.event("3", #""redacts":"$2""#, type: "m.room.redaction", sender: "@ben:e.org")
        try mirror(try server(["s1": Events.sync("s2", [Events.room("!r", [redaction])])]))
        let last = scratch.text("conversations/r/\(SegmentName.first.file)").split(separator: "\n").last
        #expect(last?.contains(#""removed":true"#) == true && last?.contains(#""target":"$1""#) == true)
    }

    @Test func `a removed edit brings the text before it back`() throws {
        func edit(_ id: String) -> String {
            Events.text(id, "* \(id)").replacing(
                #""content":{"#,
                with: #""content":{"m.new_content":{"msgtype":"m.text","body":"\#(id)"},"#
                    + #""m.relates_to":{"rel_type":"m.replace","event_id":"$1"},"#)
        }
        func redaction(_ id: String, of edit: String) -> String {
            Events.event(id, #""redacts":"$\#(edit)""#, type: "m.room.redaction")
        }
        let runs = [
            [Events.text("1", "first"), edit("2"), edit("3"), edit("4")], [redaction("5", of: "4")],
            [redaction("6", of: "2")], [redaction("7", of: "3")],
        ]
        for (number, events) in runs.enumerated() {
            let since = number == 0 ? "" : "s\(number)"
            try mirror(try server([since: Events.sync("s\(number + 1)", [Events.room("!r", events)])]))
        }
        #expect(texts("r") == ["first", "2", "3", "4", "3", "3", "first"])
        let lines = scratch.text("conversations/r/\(SegmentName.first.file)").split(separator: "\n").suffix(3)
        for line in lines { #expect(line.contains(#""type":"edit""#) && line.contains(#""target":"$1""#)) }
    }

    @Test func `a vote of a later run takes the place of the one before`() throws {
        let poll =
            #""m.poll":{"question":{"m.text":"?"},"answers":[{"m.id":"a","m.text":"Yes"},{"m.id":"b","m.text":"No"}]}"#
        func vote(_ id: String, _ answer: String) -> String {
            let content = #""m.selections":["\#(answer)"],"m.relates_to":{"rel_type":"m.reference","event_id":"$1"}"#
            return Events.event(id, content, type: "m.poll.response", sender: "@ben:e.org")
        }
        let events = [Events.event("1", poll, type: "m.poll.start"), vote("2", "a")]
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", events)])]))
        try mirror(try server(["s1": Events.sync("s2", [Events.room("!r", [vote("3", "b")])])]))
        let lines = scratch.text("conversations/r/\(SegmentName.first.file)").split(separator: "\n").suffix(3)
        let votes = lines.map { line in
            ["Yes", "No"].filter { line.contains("\"emoji\":\"\($0)\"") }.joined()
                + (line.contains(#""removed":true"#) ? " removed" : "")
        }
        #expect(votes == ["Yes", "No", "Yes removed"])
    }

    @Test func `votes on a poll that is older than all that is here are told when it comes`() throws {
        let poll =
            #""m.poll":{"question":{"m.text":"?"},"answers":[{"m.id":"a","m.text":"Yes"},{"m.id":"b","m.text":"No"}]}"#
        func vote(_ id: String, _ answer: String, by person: String = "ben") -> String {
            let content = #""m.selections":["\#(answer)"],"m.relates_to":{"rel_type":"m.reference","event_id":"$1"}"#
            return Events.event(id, content, type: "m.poll.response", sender: "@\(person):e.org")
        }
        func end(_ id: String, by person: String) -> String {
            let content = #""m.relates_to":{"rel_type":"m.reference","event_id":"$1"}"#
            return Events.event(id, content, type: "m.poll.end", sender: "@\(person):e.org")
        }
        // Ana, who began the poll, has ended it after Ben's second vote.
        let events = [vote("4", "a"), end("5", by: "cy"), vote("6", "b"), end("7", by: "ana"), vote("8", "a")]
        let room = Events.room("!r", events, limited: true, from: "t1")
        // Ben's vote on the page is older than those that are known; cy has no other.
        let page = [vote("3", "a", by: "cy"), vote("2", "a"), Events.event("1", poll, type: "m.poll.start")]
        let server = try server(["": Events.sync("s1", [room])]) { request in
            request.path.hasSuffix("/messages") ? .init(Events.page(page)) : nil
        }
        #expect(try mirror(server, history: true) == .done)
        func votes(_ segment: String) -> [String] {
            scratch.text("conversations/r/\(segment)").split(separator: "\n").compactMap { line in
                let record = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
                return (record?["emoji"] as? String).map { emoji in
                    (record?["removed"] as? Bool == true ? "-" : "+") + emoji + " \(record?["from"] as? String ?? "")"
                }
            }
        }
        #expect(
            votes(SegmentName.first.file) == [
                "+vote @ben:e.org", "+vote @ben:e.org", "+vote @ben:e.org", "-vote @ben:e.org", "+No @ben:e.org",
            ])
        let older = try #require(SegmentName.first.before)
        #expect(votes(older.file) == ["+Yes @cy:e.org"])
        // The end is known in later runs as well.
        try mirror(try self.server(["s1": Events.sync("s2", [Events.room("!r", [vote("9", "a")])])]))
        #expect(votes(SegmentName.first.file).count == 5)
    }

    @Test func `many new rooms are there with all their events`() throws {
        let rooms = (1...40).map { Events.room("!room\($0)", texts(1...2)) }
        try mirror(try server(["": Events.sync("s1", rooms)]))
        #expect(scratch.names("conversations").count == 40)
        #expect(texts("room17") == bodies(1...2))
    }

    // MARK: - Gaps

    /// A room whose first response ends with event 2, and whose second leaves out what the pages bring.
    private func limited(
        _ pages: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Response?
    ) throws -> ScriptedServer {
        try server(
            [
                "": Events.sync("s1", [Events.room("!r", texts(1...2))]),
                "s1": Events.sync("s2", [Events.room("!r", texts(9...9), limited: true, from: "t9")]),
            ], pages)
    }

    @Test func `a gap is closed by the tokens of its response, page by page`() throws {
        let server = try limited { request in
            switch request.parameter("from") {
            case "t9": .init(Events.page([Events.text("8"), Events.text("7")], end: "t7"))
            case "t7": .init(Events.page([Events.text("6"), Events.text("5"), Events.text("4")], end: "t4"))
            // A known event in the midst of a page ends nothing, and is not written a second time.
            case "t4": .init(Events.page([Events.text("late"), Events.text("2"), Events.text("3")], end: "t3"))
            case "t3": .init(Events.page([]))
            default: nil
            }
        }
        #expect(try mirror(server) == .done)
        #expect(texts("r") == ["1", "2", "3", "late", "4", "5", "6", "7", "8", "9"])
        #expect(server.requests.filter { $0.path.hasSuffix("/messages") }.allSatisfy { $0.parameter("to") == "s1" })
        let gaps = try RoomLog(scratch.path + "/conversations/r").gaps()
        #expect(!gaps.contains { $0.older != nil })
    }

    @Test func `a room is mirrored to its beginning only if that is wanted`() throws {
        let first = Events.sync("s1", [Events.room("!r", texts(3...3), limited: true, from: "t3")])
        let server = try server(["": first]) { request in
            request.parameter("from") == "t3"
                ? .init(
                    Events.page(
                        ["2", "1"].map { Events.text($0) } + [Events.state("c", "m.room.create", "")], end: "t0")) : nil
        }
        #expect(try mirror(server) == .done)
        #expect(texts("r") == ["3"])
        #expect(try mirror(server, history: true) == .done)
        #expect(texts("r") == ["ana created the room", "1", "2", "3"])
        #expect(server.requests.filter { $0.path.hasSuffix("/messages") }.allSatisfy { $0.parameter("to") == nil })
    }

    @Test func `a gap whose end is unknown asks for the token of the event before it`() throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", texts(1...2))])]))
        // The server was restored from a backup: it does not know the token.
        let restored = try ScriptedServer { request in
            if request.path.hasSuffix("/sync") {
                switch request.parameter("since") {
                case "s1": return .init(#"{"errcode":"M_UNKNOWN"}"#, status: 400)
                case nil:
                    let room = Events.room("!r", [Events.text("2"), Events.text("5")], limited: true, from: "t2")
                    return .init(Events.sync("n1", [room]))
                default: return .init(Events.sync("n1"))
                }
            }
            if request.path.contains("/context/%242") { return .init(#"{"start":"x","end":"e2"}"#) }
            guard request.parameter("from") == "t2", request.parameter("to") == "e2" else { return nil }
            return .init(Events.page([]))
        }
        #expect(try mirror(restored) == .done)
        #expect(texts("r") == ["1", "2", "5"])
    }

    @Test func `what was said while this account was not in the room is a part of the gap`() throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", texts(1...2))])]))
        try mirror(try server(["s1": Events.sync("s2", left: [Events.room("!r", texts(3...3))])]))
        let server = try server(["s2": Events.sync("s3", [Events.room("!r", texts(9...9), limited: true, from: "t9")])])
        {
            request in
            if request.path.contains("/context/%243") { return .init(#"{"start":"x","end":"e3"}"#) }
            return request.parameter("to") == "e3" ? .init(Events.page([Events.text("8")])) : nil
        }
        #expect(try mirror(server) == .done)
        #expect(texts("r") == ["1", "2", "3", "8", "9"])
    }

    @Test func `pages that go in circles are given up, and nothing else is`() throws {
        let server = try limited { request in
            let (page, end) = request.parameter("from") == "t9" ? ("8", "t8") : ("7", "t9")
            return .init(Events.page([Events.text(page)], end: end == "t9" ? "t8" : end))
        }
        var troubles = 0
        let end = try mirror(server) { if case .trouble = $0 { troubles += 1 } }
        #expect(end == .done && troubles == 1)
        #expect(server.requests.count < 10)
    }

    @Test func `pages without events do not go on for ever`() throws {
        let server = try limited { request in
            .init(Events.page([], end: (request.parameter("from") ?? "") + "x"))
        }
        var troubles = 0
        let end = try mirror(server) { if case .trouble = $0 { troubles += 1 } }
        #expect(end == .done && troubles == 1)
        #expect(server.requests.count < 100)
    }

    @Test func `pages that repeat their events under new tokens are given up`() throws {
        let server = try limited { request in
            .init(Events.page([Events.text("8")], end: (request.parameter("from") ?? "") + "x"))
        }
        var troubles = 0
        #expect(try mirror(server) { if case .trouble = $0 { troubles += 1 } } == .done)
        #expect(troubles == 1 && server.requests.count < 10)
    }

    @Test func `a room whose history is refused does not keep others waiting`() throws {
        let rooms = ["!a", "!b"].map { Events.room($0, texts(3...3), limited: true, from: "t3") }
        let server = try server(["": Events.sync("s1", rooms)]) { request in
            request.path.contains("%21a")
                ? .init(#"{"errcode":"M_FORBIDDEN","error":"no"}"#, status: 403)
                : .init(Events.page([Events.text("2")]))
        }
        var troubles = 0
        #expect(try mirror(server, history: true) { if case .trouble = $0 { troubles += 1 } } == .done)
        #expect(troubles == 1 && texts("b") == ["2", "3"])
    }

    // MARK: - Bad luck

    @Test func `a run that does not follow ends after half a minute of failures`() throws {
        let server = try ScriptedServer { _ in .init("<html>Bad gateway</html>", status: 502) }
        var pauses: [Int] = []
        let end = try mirror(server) { if case .pause(let pause, _) = $0 { pauses.append(pause) } }
        #expect(end == .refused("status 502"))
        #expect(pauses == [1_000, 2_000, 4_000, 8_000, 16_000])
    }

    @Test func `a run that does not follow ends although each response has news`() throws {
        let server = try ScriptedServer { request in
            let number = (Int(request.parameter("since") ?? "") ?? 0) + 1
            return .init(Events.sync("\(number)", [Events.room("!r", [Events.text("\(number)")])]))
        }
        #expect(try mirror(server) == .done)
        #expect(texts("r").last == "100")
    }

    @Test func `errors of the moment are waited out`() throws {
        let tries = Monitor(0)
        let sync = Events.sync("s1", [Events.room("!r", texts(1...1))])
        let server = try ScriptedServer { request in
            if request.parameter("since") != nil { return .init(Events.sync("s1")) }
            switch tries.withLock({ tries -> Int in
                tries += 1
                return tries
            }) {
            case 1: return .init(#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":5000}"#, status: 429)
            case 2: return .init("<html>Bad gateway</html>", status: 502)
            case 3: return .init(sync, cut: 20)
            case 4: return nil
            case 5: return .init("<html>captive portal</html>")
            default: return .init(sync)
            }
        }
        var pauses: [Int] = []
        let end = try mirror(server) { if case .pause(let pause, _) = $0 { pauses.append(pause) } }
        #expect(end == .done && texts("r") == ["1"])
        #expect(pauses == [5_000, 2_000, 4_000, 8_000, 16_000])
    }

    @Test(arguments: [true, false])
    func `a session that has ended is told, and loses nothing`(isSoft: Bool) throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", texts(1...1))])]))
        let refusing = try ScriptedServer { _ in
            .init(#"{"errcode":"M_UNKNOWN_TOKEN","soft_logout":\#(isSoft)}"#, status: 401)
        }
        let end = try mirror(refusing)
        #expect(end == .loggedOut(isSoft: isSoft))
        #expect(texts("r") == ["1"] && scratch.text("matrix/sync.json").contains("s1"))
    }

    @Test func `a mirror that is stopped ends while the server keeps it waiting`() throws {
        let isOpen = Monitor(false)
        let server = try ScriptedServer { _ in
            isOpen.wait { $0 ? () : nil }
            return nil
        }
        let mirror = try SyncLoop(
            archive: scratch.path, me: "@me:e.org", server: Server(client, base: server.address, token: "t"),
            goal: SyncGoal(hasHistory: false, follows: true))
        let (thread, stop) = (SerialThread(), mirror.stop)
        thread.run {
            _ = server.wait(for: 1)
            stop()
        }
        #expect(mirror.run() == .done)
        isOpen.change { $0 = true }
    }

    @Test func `a first response that is longer than the memory for it makes all rooms`() throws {
        let text = String(repeating: "x", count: 10_000)
        let rooms = (0..<1_200).map { Events.room("!r\($0)", [Events.text("\($0)", text), Events.text("n\($0)")]) }
        #expect(try mirror(try server(["": Events.sync("s1", rooms)])) == .done)
        #expect(scratch.names("conversations").count == 1_200)
        #expect(texts("r0") == [text, "n0"] && texts("r1199") == [text, "n1199"])
        #expect(scratch.text("matrix/sync.json").contains("s1"))
        // A killed process has left a long journal.
        let more = (0..<1_200).map { Events.room("!r\($0)", [Events.text("m\($0)", text)]) }
        try scratch.write("{\"since\":\"s1\"}\n" + Events.sync("s2", more), to: "matrix/journal")
        #expect(try mirror(try server([:])) == .done)
        #expect(texts("r0") == [text, "n0", text] && texts("r1199") == [text, "n1199", text])
        #expect(scratch.text("matrix/sync.json").contains("s2"))
    }

    // MARK: - Kills

    /// The response that a killed process has written into the journal.
    private let journaled = Events.sync(
        "s2",
        [
            Events.room("!r", ["3", "4"].map { Events.text($0) }),
            Events.room("!limited", ["8", "9"].map { Events.text($0) }, limited: true, from: "t8"),
            Events.room("!new", ["1", "2"].map { Events.text($0) }, limited: true, from: "t1"),
        ])

    private func afterFirstRun() throws {
        let rooms = ["!r", "!limited"].map { Events.room($0, texts(1...2)) }
        try mirror(try server(["": Events.sync("s1", rooms)]))
        try scratch.write("{\"since\":\"s1\"}\n" + journaled, to: "matrix/journal")
    }

    /// The next process, and all that is to be there after it.
    private func checkNextRun() throws {
        let server = try server(["s1": Events.sync("lost")]) { _ in .init(Events.page([])) }
        #expect(try mirror(server) == .done)
        #expect(texts("r") == bodies(1...4))
        #expect(texts("limited") == ["1", "2", "8", "9"] && texts("new") == bodies(1...2))
        #expect(scratch.names("conversations") == ["limited", "new", "r"])
        // With the segment that closes the gap; one file is conversation.json.
        #expect(scratch.names("conversations/limited").count == 4 && scratch.names("conversations/new").count == 2)
        #expect(server.requests.allSatisfy { $0.parameter("since") ?? "s2" == "s2" })
    }

    @Test func `a response of which nothing was written is written`() throws {
        try afterFirstRun()
        try checkNextRun()
    }

    @Test func `a response whose token cannot be written is kept, and not asked for again`() throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", texts(1...2))])]))
        // A folder where the file with the new token is to be written.
        let obstacle = "\(scratch.path)/matrix/.sync.json.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let events = texts(3...4) + [Events.state("n", "m.room.name", #""name":"Quay""#)]
        let end = try mirror(try server(["s1": Events.sync("s2", [Events.room("!r", events)])]))
        guard case .disk(let reason) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(reason.hasPrefix(obstacle) && scratch.text("matrix/sync.json").contains("s1"))
        try FileManager.default.removeItem(atPath: obstacle)
        let next = try mirror(try server([:]))
        #expect(next == .done)
        #expect(texts("r") == bodies(1...4) + ["ana named the room «Quay»"])
        #expect(scratch.text("conversations/r/conversation.json").contains("Quay"))
    }

    @Test(arguments: 0...2)
    func `a response of which a part was written is written once`(lines: Int) throws {
        try afterFirstRun()
        let path = "conversations/r/\(SegmentName.first.file)"
        let known = scratch.text(path)
        let records = ["3", "4"].map {
            #"{"type":"message","id":"$\#($0)","at":"1970-01-01T00:00:01Z","from":"@ana:e.org","text":"\#($0)"}"# + "\n"
        }
        // The last line is incomplete.
        let written = records.joined().utf8.prefix(records.prefix(lines).joined().utf8.count + 20)
        try scratch.write(known + String(decoding: written, as: UTF8.self), to: path)
        try checkNextRun()
    }

    @Test func `a response that was written, but whose token was not, is not written again`() throws {
        try afterFirstRun()
        let (state, journal) = (scratch.text("matrix/sync.json"), scratch.text("matrix/journal"))
        try mirror(try server([:]) { _ in .init(Events.page([])) })
        try scratch.write(state, to: "matrix/sync.json")
        try scratch.write(journal, to: "matrix/journal")
        try checkNextRun()
    }

    @Test func `a response whose token was written is done`() throws {
        try afterFirstRun()
        try mirror(try server([:]) { _ in .init(Events.page([])) })
        try scratch.write("{\"since\":\"s1\"}\n" + journaled, to: "matrix/journal")
        try checkNextRun()
    }

    @Test func `a room that was half made is made again`() throws {
        try afterFirstRun()
        let folder = scratch.path + "/conversations/.new-new"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try scratch.write("{\"id\":\"new", to: "conversations/.new-new/conversation.json")
        try checkNextRun()
    }

    @Test(arguments: ["", "{", "{}", "{\"since\":\"s1\"}\n{\"next_batch\":", "7\n7"])
    func `a damaged journal is asked for again`(journal: String) throws {
        try mirror(try server(["": Events.sync("s1", [Events.room("!r", texts(1...2))])]))
        try scratch.write(journal, to: "matrix/journal")
        try mirror(try server(["s1": Events.sync("s2", [Events.room("!r", texts(3...3))])]))
        #expect(texts("r") == bodies(1...3))
    }

    @Test func `a second helper of an account is refused`() throws {
        try AccountArchive.makeFolders(scratch.path)
        let lock = try AccountLock(archive: scratch.path)
        #expect(throws: FileError.self) { _ = try AccountLock(archive: scratch.path) }
        _ = consume lock
        // A program that another test starts at this moment has the open lock until it is executed.
        while (try? AccountLock(archive: scratch.path)) == nil { sched_yield() }
    }
}
