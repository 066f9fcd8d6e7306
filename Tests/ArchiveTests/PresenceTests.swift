import Foundation
import Messages
import Search
import Testing

@testable import Archive

/// Joins, leaves and the like.
struct PresenceTests {
    private static func presence(_ id: String, _ change: String, from: String = "ben", more: String = "") -> String {
        message(id, from: from, "\(from) \(change)", more: #","kind":"system","presence":"\#(change)"\#(more)"#)
    }

    /// Some talk, and a run of 700 presence lines, which is longer than a stretch.
    private func archive() throws -> TemporaryArchive {
        let run = (0..<700).map { Self.presence("p\($0)", $0 % 2 == 0 ? "join" : "leave") }
        let talk = (0..<6).map { message("m\($0)", from: "ben", "tide \($0)") }
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, (talk[..<3] + run + talk[3...]).map { $0 + "\n" }.joined())
        return archive
    }

    @Test func `A line says who came, who left, and who has which name now`() async throws {
        let lines = [
            Self.presence("p1", "join"), Self.presence("p2", "leave"),
            Self.presence("p3", "nick", more: #","name":"ben_""#), Self.presence("p4", "mode"),
        ]
        let others = [
            Self.presence("x1", "nick"), Self.presence("x2", "nick", more: #","name":7"#),
            Self.presence("x3", "dance"), Self.presence("x4", "join", more: #","thread":"p1""#),
            message("x5", more: #","presence":"join""#), message("x6", more: #","kind":"action","presence":"join""#),
        ]
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, (lines + others).map { $0 + "\n" }.joined())
        let store = try archive.open()
        let changes = try await store.page(.earliest).messages.map(\.presence?.change)
        #expect(changes == [.join, .leave, .nick("ben_"), .mode] + Array(repeating: nil, count: 5))
        #expect(await store.problems() == [])
    }

    @Test(arguments: [true, false], [1, 2, 3, 5, 50])
    func `Pages in both directions hold whole runs, which count as one message`(isIndexed: Bool, limit: Int)
        async throws
    {
        let archive = try archive()
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        var starts: Set<MessageID> = []
        var ids: [MessageID] = []
        var page = try await store.page(.earliest, limit)
        while true {
            let units = NaiveConversation.units(page.messages[...])
            #expect(units.count <= limit)
            for unit in units { starts.insert(page.messages[unit.lowerBound].id) }
            ids += page.messages.map(\.id)
            guard case .more(let cursor, _) = page.newer else { break }
            page = try await store.page(.after(cursor), limit)
        }
        #expect(ids.count == 706 && starts.count == 9)
        page = try await store.page(.message("p300"), limit)
        var older = page.messages.map(\.id)
        while case .more(let cursor, _) = page.older {
            page = try await store.page(.before(cursor), limit)
            for unit in NaiveConversation.units(page.messages[...]) {
                #expect(starts.contains(page.messages[unit.lowerBound].id))
            }
            older = page.messages.map(\.id) + older
        }
        #expect(older.starts(with: ids.prefix(older.count)) && older.contains("p300"))
    }

    @Test(arguments: [true, false])
    func `Presence lines are never unread`(isIndexed: Bool) async throws {
        let archive = try archive()
        try archive.append(firstSegment, Self.presence("p900", "join", more: #","replyTo":"m1""#) + "\n")
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        let unread = try await store.unread(in: general, since: .upTo("m1"), threads: nil, for: "ana")
        #expect(unread == Unread(count: 4))
        #expect(try await store.unread(in: general, since: .upTo("m5"), threads: nil, for: "ben") == Unread())
        let request = PageRequest(conversation: general, position: .latest, limit: 3, since: .upTo("m2"))
        #expect(try await store.page(request).firstUnread == "m3")
    }

    @Test func `Of very many unread lines the index counts those that are no presence`() async throws {
        let archive = try TemporaryArchive()
        var lines = (0..<6_000).map { Self.presence("p\($0)", "join", from: $0 % 7 == 0 ? "ana" : "ben") }
        lines.insert(message("m0"), at: 0)
        lines += (0..<10).map { message("n\($0)", from: $0 < 4 ? "ana" : "ben") }
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = try archive.open()
        for (reader, count) in [(nil, 10), ("ana", 6), ("ben", 4)] as [(PersonID?, Int)] {
            let unread = try await store.unread(in: general, since: .upTo("m0"), threads: nil, for: reader)
            #expect(unread.count == count)
        }
        let request = PageRequest(conversation: general, position: .latest, limit: 3, since: .upTo("m0"))
        #expect(try await store.page(request).firstUnread == "n4")
    }

    @Test(arguments: [true, false])
    func `A search finds presence lines only if it asks for them`(isIndexed: Bool) async throws {
        let archive = try archive()
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        for (query, count) in [
            ("ben", 0), ("from:ben", 6), ("-nothing", 6), ("-is:presence from:ben", 6), ("is:presence", 700),
            ("is:presence join", 350), ("is:presence -join", 350), ("is:presence tide", 0),
        ] {
            try await #expect(store.hits(SearchRequest(Query(query))).count == count, "\(query)")
            try await #expect(store.places(query, in: "general").count == count, "\(query)")
        }
    }

    @Test func `An edit that makes a page too large splits no run`() async throws {
        let archive = try TemporaryArchive()
        // Some lines of the run fit into the page besides it.
        let long = String(repeating: "x", count: PageBuilder.mostBytes - 2_000)
        let run = (0..<100).map { "p\($0)" }
        let lines =
            (0..<3).map { message("m\($0)") } + run.map { Self.presence($0, "join") }
            + (0..<3).map { message("n\($0)") }
            + ["m1", "n1"].map { record("edit", "e\($0)", on: $0, more: #","text":"\#(long)""#) }
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = try archive.open()
        #expect(try await store.ids(.earliest) == ["m0", "m1", "m2"])
        #expect(try await store.ids(.latest) == ["n0", "n1", "n2"])
        #expect(try await store.ids(.message("p2")).filter { $0.hasPrefix("p") } == run)
    }
}
