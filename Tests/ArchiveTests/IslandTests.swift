import Foundation
import Messages
import TestSupport
import Testing

@testable import Archive

/// Archives that mirror a server hold islands of a conversation, with gaps between them.
struct IslandTests {
    /// A room of a server, and the part of it that is in the files. The files are written and read plainly, without the code
    /// of Archive.
    struct Room {
        /// A line of the server, and whether it is a message of the main timeline.
        private let lines: [(line: String, id: String?)]
        /// The segments by their numbers: where they begin and end in the lines.
        private(set) var segments: [(number: Int64, lines: Range<Int>)] = []
        private static let first: Int64 = 500_000_000_000_000_000
        private static let distance: Int64 = 1_000_000_000

        init(count: Int, _ random: inout SeededGenerator) {
            lines = (0..<count).map { number in
                let isMessage = Int.random(in: 0..<5, using: &random) > 0
                let id = "m\(number)"
                let minute = Int.random(in: 0..<40, using: &random)
                let other = "m\(Int.random(in: 0..<count, using: &random))"
                return isMessage
                    ? (message(id, minute: minute, "text \(number)"), id)
                    : (record("reaction", id, on: other, more: #","emoji":"👍""#), nil)
            }
        }

        var count: Int { lines.count }
        static func name(_ number: Int64) -> String { "messages-\(number).jsonl" }

        private func write(_ number: Int64, _ part: Range<Int>, before: String, to archive: TemporaryArchive) throws {
            let head = #"{"type":"segment","before":"\#(before)","from":"t1","to":"s2"}"# + "\n"
            try archive.write(
                "conversations/general/" + Room.name(number),
                head + lines[part].map { $0.line + "\n" }.joined())
        }

        /// Adds an island after all others.
        mutating func addIsland(_ part: Range<Int>, to archive: TemporaryArchive) throws {
            let number = segments.last.map { ($0.number / Room.distance + 2) * Room.distance } ?? Room.first
            try write(number, part, before: part.lowerBound == 0 ? "start" : "gap", to: archive)
            segments.append((number, part))
        }

        /// Adds a segment that follows the last one, as a full log does.
        mutating func addSegment(_ part: Range<Int>, to archive: TemporaryArchive) throws {
            let last = try #require(segments.last)
            try write(last.number + 1, part, before: Room.name(last.number), to: archive)
            segments.append((last.number + 1, part))
        }

        /// The segments before which lines are missing: the indices of those, which a fill can begin with.
        var gaps: [Int] {
            segments.indices.filter { index in
                segments[index].lines.lowerBound > (index == 0 ? 0 : segments[index - 1].lines.upperBound)
                    && (index == 0 || segments[index - 1].number + 1 != segments[index].number)
            }
        }

        /// Closes a gap, or a part of it: its oldest lines become a segment. Those that close it touch the segment after it by their
        /// number.
        mutating func fillForwards(_ gap: Int, _ count: Int, in archive: TemporaryArchive) throws {
            let (number, part) = segments[gap]
            let older = segments[gap - 1]
            let end = min(part.lowerBound, older.lines.upperBound + count)
            let new = end == part.lowerBound ? number - 1 : older.number + 1
            try write(new, older.lines.upperBound..<end, before: Room.name(older.number), to: archive)
            segments.insert((new, older.lines.upperBound..<end), at: gap)
        }

        /// Closes a gap, or a part of it: its newest lines become a segment.
        mutating func fill(_ gap: Int, _ count: Int, in archive: TemporaryArchive) throws {
            let (number, part) = segments[gap]
            let older = gap == 0 ? nil : segments[gap - 1]
            let end = older?.lines.upperBound ?? 0
            let start = max(end, part.lowerBound - count)
            let before = start > end ? "gap" : older.map { Room.name($0.number) } ?? "start"
            try write(number - 1, start..<part.lowerBound, before: before, to: archive)
            segments.insert((number - 1, start..<part.lowerBound), at: gap)
        }

        /// The messages of each island, the oldest first.
        var islands: [[String]] {
            var islands: [[String]] = []
            var end = -1
            for (_, part) in segments {
                if part.lowerBound != end { islands.append([]) }
                islands[islands.count - 1] += lines[part].compactMap(\.id)
                end = part.upperBound
            }
            return islands
        }

        /// Whether nothing is missing before the first segment.
        var isWholeAtStart: Bool { segments.first?.lines.lowerBound == 0 }
    }

    /// A page as text: `m1 m2 | more m3`, `end`, `gap m7`, `gap`.
    private static func words(_ edge: Page.Edge) -> String {
        switch edge {
        case .end: "end"
        case .more(_, let neighbour): "more \(neighbour.id)"
        case .gap(_, let gap): gap.neighbour.map { "gap \($0.id)" } ?? "gap"
        }
    }

    private static func words(_ page: Page) -> String {
        ([words(page.older)] + page.messages.map(\.id.rawValue) + [words(page.newer)]).joined(separator: " ")
    }

    /// The same of a page that holds these messages of an island.
    private static func words(_ island: Int, _ range: Range<Int>, of room: Room) -> String {
        let islands = room.islands
        let ids = islands[island]
        let before = islands[..<island].last { !$0.isEmpty }?.last
        let after = islands[(island + 1)...].first { !$0.isEmpty }?.first
        let older =
            range.lowerBound > 0
            ? "more \(ids[range.lowerBound - 1])"
            : before.map { "gap \($0)" } ?? (island == 0 && room.isWholeAtStart ? "end" : "gap")
        let newer =
            range.upperBound < ids.count
            ? "more \(ids[range.upperBound])"
            : after.map { "gap \($0)" } ?? (island == islands.count - 1 ? "end" : "gap")
        return ([older] + ids[range] + [newer]).joined(separator: " ")
    }

    /// Where a message is: its island, and its index there.
    private static func place(_ id: String, in room: Room) -> (island: Int, index: Int)? {
        for (number, island) in room.islands.enumerated() {
            if let index = island.firstIndex(of: id) { return (number, index) }
        }
        return nil
    }

    private static func room(
        _ archive: TemporaryArchive, _ random: inout SeededGenerator
    ) throws -> Room {
        var room = Room(count: 120, &random)
        var next = Int.random(in: 0..<10, using: &random)
        while next < room.count {
            let end = min(room.count, next + Int.random(in: 1..<20, using: &random))
            let touches = room.segments.last?.lines.upperBound == next
            if touches {
                try room.addSegment(next..<end, to: archive)
            } else {
                try room.addIsland(next..<end, to: archive)
            }
            next = end + (Bool.random(using: &random) ? 0 : Int.random(in: 1..<15, using: &random))
        }
        return room
    }

    private static func check(
        _ store: JSONArchive, _ room: Room, _ random: inout SeededGenerator, _ name: String
    ) async throws {
        for (number, island) in room.islands.enumerated() {
            for id in island {
                let limit = Int.random(in: 1..<12, using: &random)
                let page = try await store.page(.message(MessageID(id)), limit)
                let ids = page.messages.map(\.id.rawValue)
                let start = try #require(ids.first.flatMap(island.firstIndex), "\(name) \(id)")
                #expect(words(page) == words(number, start..<start + ids.count, of: room), "\(name) \(id) \(limit)")
                #expect(ids.contains(id) && ids.count == min(limit, island.count), "\(name) \(id) \(limit)")
                if let place = page.place { #expect(place.isPartial == !room.gaps.isEmpty, "\(name)") }
                let cursor = page.messages[0].cursor
                let older = try await store.page(.before(cursor), limit)
                #expect(words(older) == words(number, max(0, start - limit)..<start, of: room), "\(name) before \(id)")
                let last = try #require(page.messages.last).cursor
                let newer = try await store.page(.after(last), limit)
                let end = start + ids.count
                #expect(
                    words(newer) == words(number, end..<min(island.count, end + limit), of: room),
                    "\(name) after \(id)")
            }
        }
    }

    @Test(arguments: RandomArchiveTests.seeds, RandomArchiveTests.Coverage.allCases)
    func `Pages stay inside an island, and a gap closes as it is filled`(
        seed: UInt64, coverage: RandomArchiveTests.Coverage
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        var room = try Self.room(archive, &random)
        try RandomArchiveTests.index(archive, coverage, &random)
        let store = try archive.open(index: coverage == .none ? nil : archive.index)
        try await Self.check(store, room, &random, "seed \(seed)")
        let cursors = try await Self.cursors(of: store, room)
        while let gap = room.gaps.randomElement(using: &random) {
            let count = Int.random(in: 1..<9, using: &random)
            if gap > 0, Bool.random(using: &random) {
                try room.fillForwards(gap, count, in: archive)
            } else {
                try room.fill(gap, count, in: archive)
            }
        }
        try await Self.check(store, room, &random, "filled, seed \(seed)")
        for (id, cursor) in cursors {
            let place = try #require(Self.place(id, in: room))
            let page = try await store.page(.before(cursor), 4)
            #expect(
                Self.words(page) == Self.words(place.island, max(0, place.index - 4)..<place.index, of: room), "\(seed)"
            )
        }
    }

    private static func cursors(of store: JSONArchive, _ room: Room) async throws -> [(String, Cursor)] {
        var cursors: [(String, Cursor)] = []
        for island in room.islands {
            guard let id = island.first else { continue }
            let page = try await store.page(.message(MessageID(id)), 1)
            cursors.append((id, page.messages[0].cursor))
        }
        return cursors
    }
}
