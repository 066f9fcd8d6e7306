import ArchiveFormat
import Formats
import Helper
import JSON
import TestSupport
import Testing

@testable import Matrix

/// Which segments the pages into a gap become, in both directions.
struct GapFillTests {
    private static func name(_ number: Int64) throws -> SegmentName {
        try #require(SegmentName(file: "messages-\(500_000_000_000_000_000 + number).jsonl"))
    }

    private static func page(
        _ ids: [String], end: String?, _ direction: FillDirection = .forward
    ) throws -> EventsPage {
        let body = Events.page(ids.map { Events.text($0) }, end: end)
        return try #require(
            body.asBody { EventsPage($0, direction, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) })
    }

    @Test func `a page forwards goes right after the segment before its gap, whose end it becomes`() throws {
        let (older, edge) = (try Self.name(0), try Self.name(5))
        let gap = SyncGap(edge: edge, older: older, from: "t9", to: "s1")
        let segment = try #require(gap.segment(for: Self.page(["1"], end: "t2"), .forward))
        #expect(segment.name == (try Self.name(1)))
        #expect(segment.head == SegmentHead(before: .segment(older), to: "s1", end: "t2"))
        #expect(segment.rest == SyncGap(edge: edge, older: segment.name, from: "t9", to: "s1", olderEnd: "t2"))
        #expect(segment.rest?.stop == "t2" && segment.rest?.from == "t9")
    }

    @Test(arguments: [nil, "t9"]) func `a page forwards that meets the other end closes the gap`(end: String?) throws {
        let (older, edge) = (try Self.name(0), try Self.name(5))
        let gap = SyncGap(edge: edge, older: older, from: "t9", to: nil, olderEnd: "t2")
        let segment = try #require(gap.segment(for: Self.page(["8"], end: end), .forward))
        #expect(
            segment.name.after == edge && segment.head == SegmentHead(before: .segment(older)) && segment.rest == nil)
        let heads = [edge: SegmentHead(before: .gap, from: "t9"), segment.name: segment.head]
        let found = SyncGap.all(in: [older, segment.name, edge]) { heads[$0] ?? SegmentHead(before: .start) }
        #expect(found == [])
    }

    @Test func `a page backwards that ends with the token at which it was to stop closes the gap`() throws {
        let older = try Self.name(0)
        let gap = SyncGap(edge: try Self.name(5), older: older, from: "t9", to: "s1")
        let segment = try #require(gap.segment(for: Self.page(["8"], end: "s1", .backward), .backward))
        #expect(segment.rest == nil && segment.head == SegmentHead(before: .segment(older)))
    }

    @Test func `a known event, also the one at the edge, closes nothing`() throws {
        let gap = SyncGap(edge: try Self.name(5), older: try Self.name(0), from: "t9", to: "s1")
        let segment = try #require(gap.segment(for: Self.page(["edge", "older"], end: "t2"), .forward))
        #expect(segment.rest != nil)
    }

    @Test(arguments: [FillDirection.forward, .backward])
    func `the last number of a gap is for the page that closes it`(direction: FillDirection) throws {
        let gap = SyncGap(edge: try Self.name(2), older: try Self.name(0), from: "t9", to: "s1")
        let page = try Self.page(["1"], end: "t2", direction)
        #expect(gap.segment(for: page, direction) == nil)
        let last = try Self.page(["1"], end: nil, direction)
        #expect(gap.segment(for: last, direction)?.name == (try Self.name(1)))
        let none = SyncGap(edge: try Self.name(1), older: try Self.name(0), from: "t9", to: "s1")
        #expect(none.segment(for: last, direction) == nil)
    }

    @Test func `nothing is fetched forwards where nothing older is`() throws {
        let gap = SyncGap(edge: .first, older: nil, from: "t9", to: nil)
        let page = try Self.page(["1"], end: "t2")
        #expect(gap.segment(for: page, .forward) == nil)
    }

    @Test func `the oldest event of a page forwards comes first`() throws {
        let lines = String(decoding: try Self.page(["1", "2"], end: nil).lines, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains(#""id":"$1""#) } == [true, false])
    }

    @Test func `what was missed stays missed when a page of it was fetched forwards, also without the token of a sync`()
        throws
    {
        let (older, edge) = (try Self.name(0), try Self.name(5))
        for to in ["s1", nil] {
            var gap = SyncGap(edge: edge, older: older, from: "t9", to: to)
            if gap.stop == nil { gap.stop(at: "t1") }
            let segment = try #require(gap.segment(for: Self.page(["1"], end: "t2"), .forward))
            let heads = [edge: SegmentHead(before: .gap, from: "t9", to: to), segment.name: segment.head]
            let found = SyncGap.all(in: [older, segment.name, edge]) { heads[$0] ?? SegmentHead(before: .start) }
            #expect(found == [segment.rest] && found.first?.isMissed == true && found.first?.stop == "t2")
        }
    }

    @Test func `tokens that the server does not know are asked for anew, but not that of a sync`() throws {
        var gap = SyncGap(edge: try Self.name(5), older: try Self.name(0), from: "t9", to: "s1", olderEnd: "t2")
        gap.forgetTokens()
        #expect(gap.from == nil && gap.stop == nil && gap.isMissed)
        gap.stop(at: "n2")
        #expect(gap.stop == "n2" && gap.to == "s1")
        var missed = SyncGap(edge: try Self.name(5), older: try Self.name(0), from: "t9", to: "s1")
        missed.forgetTokens()
        #expect(missed.from == nil && missed.stop == "s1")
        var island = SyncGap(edge: try Self.name(5), older: try Self.name(0), from: "t9", to: nil, olderEnd: "t2")
        island.forgetTokens()
        #expect(island.stop == nil && !island.isMissed)
    }

    // MARK: - Random walks

    static let seeds: [UInt64] = (0..<30).map { _ in .random(in: 0...UInt64.max) }

    /// Each step knows only what is on the disk: a kill between any two of them changes nothing.
    @Test(arguments: seeds, [false, true])
    func `whatever is filled from whichever end, events are there in their order, and none is lost`(
        seed: UInt64, hasLate: Bool
    ) throws {
        print("gap fills: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var room = SimulatedRoom(hasLate: hasLate)
        try room.begin(Int.random(in: 5..<60, using: &random), &random)
        for step in 0..<80 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try room.sync(Int.random(in: 1..<30, using: &random), &random)
            case 1, 2: try room.findIsland(&random)
            case 3...5: try room.fill(.forward, limit: Int.random(in: 1..<6, using: &random), &random)
            default: try room.fill(.backward, limit: Int.random(in: 1..<6, using: &random), &random)
            }
            try #require(room.isRight(), "seed \(seed), step \(step): \(room)")
        }
        var pages = 0
        while try room.fill(Bool.random(using: &random) ? .forward : .backward, limit: 3, &random) {
            pages += 1
            guard pages < 2_000 else {
                Issue.record("seed \(seed): the gaps never close")
                return
            }
        }
        try room.checkEnd("seed \(seed)")
    }
}
