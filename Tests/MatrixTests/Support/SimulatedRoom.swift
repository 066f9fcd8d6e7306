import ArchiveFormat
import Formats
import Helper
import JSON
import TestSupport
import Testing

@testable import Matrix

/// A room of a server that has two orders, as Synapse: that in which it received the events, by which /sync goes, and that of the room's
/// graph, by which /messages goes. With it goes what is mirrored of the room.
struct SimulatedRoom {
    private struct Event {
        /// When the server received it.
        let stream: Int
        let depth: Int
        var id: String { "$\(stream)" }
        var place: (Int, Int) { (depth, stream) }
    }

    /// `s7`: what the server had received by then; `t3-7`: a place in the graph.
    private enum Token {
        case stream(Int)
        case graph(Int, Int)

        init(_ text: String) throws {
            let numbers = text.dropFirst().split(separator: "-").compactMap { Int($0) }
            self =
                try numbers.count == 1 ? .stream(numbers[0]) : .graph(#require(numbers.first), #require(numbers.last))
        }

        func isBefore(_ event: Event) -> Bool {
            switch self {
            case .stream(let stream): event.stream > stream
            case .graph(let depth, let stream): event.place > (depth, stream)
            }
        }
    }

    private static let timeline = 5
    private let hasLate: Bool
    private var events: [Event] = []
    private var since = 0
    private var segments: [SegmentName] = []
    private var heads: [SegmentName: SegmentHead] = [:]
    /// By when the server received them.
    private var contents: [SegmentName: [Int]] = [:]

    init(hasLate: Bool) { self.hasLate = hasLate }

    private mutating func grow(_ count: Int, _ random: inout SeededGenerator) {
        for _ in 0..<count {
            let top = events.map(\.depth).max() ?? 0
            let isLate = hasLate && Int.random(in: 0..<4, using: &random) == 0
            events.append(
                Event(
                    stream: events.count + 1,
                    depth: isLate ? Int.random(in: max(1, top - 30)...top + 1, using: &random) : top + 1))
        }
    }

    private mutating func write(_ name: SegmentName, _ head: SegmentHead, _ content: [Int]) throws {
        try #require(heads[name] == nil, "\(name.file) changes")
        segments.append(name)
        segments.sort()
        (heads[name], contents[name]) = (head, content)
    }

    private var gaps: [SyncGap] { SyncGap.all(in: segments) { heads[$0] } }

    // MARK: - What the helper does

    mutating func begin(_ count: Int, _ random: inout SeededGenerator) throws {
        grow(count, &random)
        let first = events.suffix(SimulatedRoom.timeline)
        let from = "s\((first.first?.stream ?? 1) - 1)"
        try write(
            .first, first.count == events.count ? SegmentHead(before: .start) : SegmentHead(before: .gap, from: from),
            first.map(\.stream))
        since = events.count
    }

    mutating func sync(_ count: Int, _ random: inout SeededGenerator) throws {
        grow(count, &random)
        let last = try #require(segments.last)
        let new = events[since...]
        defer { since = events.count }
        guard new.count > SimulatedRoom.timeline else {
            contents[last]?.append(contentsOf: new.map(\.stream))
            return
        }
        let shown = new.suffix(SimulatedRoom.timeline)
        let head = SegmentHead(before: .gap, from: "s\((shown.first?.stream ?? 1) - 1)", to: "s\(since)")
        try write(try #require(last.island), head, shown.map(\.stream))
    }

    /// An event that is not here, with those around it. Its place is by the clock, which is right here.
    mutating func findIsland(_ random: inout SeededGenerator) throws {
        let here = Set(segments.flatMap { contents[$0] ?? [] })
        guard let event = events.filter({ !here.contains($0.stream) }).randomElement(using: &random) else { return }
        let sorted = events.sorted { $0.place < $1.place }
        let index = try #require(sorted.firstIndex { $0.stream == event.stream })
        let before = sorted[max(0, index - 2)..<index]
        let after = sorted[index + 1..<min(sorted.count, index + 3)]
        let first = before.first ?? event
        let last = after.last ?? event
        let body =
            #"{"start":"t\#(first.depth)-\#(first.stream - 1)","end":"t\#(last.depth)-\#(last.stream)","#
            + #""event":\#(Events.text("\(event.stream)")),"#
            + #""events_before":[\#(before.reversed().map { Events.text("\($0.stream)") }.joined(separator: ","))],"#
            + #""events_after":[\#(after.map { Events.text("\($0.stream)") }.joined(separator: ","))]}"#
        let page = try #require(
            body.asBody { ContextPage($0, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) })
        func isIn(_ gap: SyncGap) -> Bool {
            let isBefore = gap.from.flatMap { try? Token($0).isBefore(event) } != true
            return isBefore && gap.stop.flatMap { try? Token($0).isBefore(event) } != false
        }
        guard let gap = gaps.first(where: isIn) else { return }
        guard let segment = gap.segment(for: page) else { return }
        let content = (before + [event] + after).map(\.stream)
        // A page that reaches beyond a small island has events of the next gap: they stand in their place when that is filled.
        if let first = content.firstIndex(where: { !here.contains($0) }),
            let last = content.lastIndex(where: { !here.contains($0) }),
            !hasLate, content[first...last].contains(where: here.contains)
        {
            return
        }
        try write(segment.name, segment.head, content.filter { !here.contains($0) })
    }

    /// - Returns: false if no gap is left.
    @discardableResult
    mutating func fill(_ direction: FillDirection, limit: Int, _ random: inout SeededGenerator) throws -> Bool {
        let gaps = gaps
        guard let gap = gaps.filter({ direction == .backward || $0.older != nil }).randomElement(using: &random) else {
            return !gaps.isEmpty
        }
        let from = try Token(#require(gap.from))
        let stop = try gap.stop.map { try Token($0) }
        let sorted = events.filter { !from.isBefore($0) && stop?.isBefore($0) != false }.sorted { $0.place < $1.place }
        let chunk = direction == .backward ? Array(sorted.suffix(limit).reversed()) : Array(sorted.prefix(limit))
        let end = chunk.last.map { "t\($0.depth)-\(direction == .backward ? $0.stream - 1 : $0.stream)" }
        let body = Events.page(chunk.map { Events.text("\($0.stream)") }, end: end)
        let page = try #require(
            body.asBody { EventsPage($0, direction, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) })
        let segment = try #require(gap.segment(for: page, direction))
        try write(
            segment.name, segment.head, (direction == .backward ? chunk.reversed() : chunk).map(\.stream))
        let left = self.gaps.first {
            $0.edge == gap.edge || $0.older == gap.older && gap.older != nil || $0 == segment.rest
        }
        #expect(segment.rest == nil ? !self.gaps.contains { $0.edge == gap.edge } : left == segment.rest)
        return true
    }

    // MARK: - What is to be

    /// The islands, each with the events in the order in which they are here.
    private var islands: [[Int]] {
        let edges = Set(gaps.map(\.edge))
        var islands: [[Int]] = []
        for name in segments {
            if edges.contains(name) || islands.isEmpty { islands.append([]) }
            islands[islands.count - 1] += contents[name] ?? []
        }
        return islands
    }

    /// Whether all that is here is in its order.
    func isRight() -> Bool {
        let (islands, all) = (islands, islands.flatMap(\.self))
        return hasLate
            || islands.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0 + 1 == $1 } } && all == all.sorted()
                && Set(all).count == all.count
    }

    func checkEnd(_ comment: String) throws {
        let all = islands.flatMap(\.self)
        #expect(
            islands.count == 1 && Set(all) == Set(events.map(\.stream)),
            "\(comment): of \(events) these are here: \(all)")
        if !hasLate { #expect(all == events.map(\.stream), "\(comment): \(all)") }
    }
}
