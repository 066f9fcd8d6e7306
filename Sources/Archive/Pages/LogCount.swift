internal import Algorithms
internal import Messages

/// Counts the messages that no index has counted: reads the log once, from a place to its end, some of it at a time. Keeps a
/// number for each stretch of the log, so that it can tell where a message stands.
final class LogCount {
    /// Bytes of the log between two numbers that are kept.
    private static let stretch: Int64 = 64 << 10
    private static let stretchesAtOnce = 4

    private let segments: [Segment]
    private let repeats: [LinePlace]
    private let blocks: BlockReader
    /// Messages of the main timeline before some places, from the first one that is counted on.
    private var marks: [(place: LinePlace, mainCount: Int)]
    /// Messages of the main timeline before `next`.
    private var mainCount: Int
    /// The line that is read next, and the number of the line before it in its segment.
    private var next: LinePlace
    private var lineNumber = 0
    private var lines: LineScanner?
    /// Bytes that are still to be read.
    private(set) var remaining: Int64
    /// The replies in threads since the last mark.
    private var replies: [RootFinder.Reply] = []
    /// Thread replies are counted with all others.
    private(set) var totals = Totals()
    /// The lines that were passed over.
    private(set) var problems = ProblemList()

    /// - Parameters:
    ///   - start: where to begin.
    ///   - mainCount: messages of the main timeline before that.
    ///   - repeats: the lines that are known to repeat an ID, sorted: they do not count.
    init(
        _ segments: [Segment], from start: LinePlace = .first, mainCount: Int = 0, repeats: [LinePlace] = [],
        blocks: BlockReader
    ) {
        self.segments = segments
        self.repeats = repeats
        self.blocks = blocks
        self.mainCount = mainCount
        next = start
        marks = [(start, mainCount)]
        remaining = segments.size - segments.size(before: start)
    }

    /// The first line that is counted.
    var start: LinePlace { marks[0].place }

    var isComplete: Bool { next.segment >= segments.count }

    /// Counts a few stretches more.
    /// - Throws: `unavailable`, `unreadable` when a segment cannot be read.
    func step() throws(StoreError) {
        for _ in 0..<LogCount.stretchesAtOnce where !isComplete { try readStretch() }
    }

    private func readStretch() throws(StoreError) {
        let segment = segments[next.segment]
        var scanner = lines.take()
        if scanner == nil { scanner = LineScanner(try File(segment.path), size: segment.stamp.size, from: next.offset) }
        let end = next.offset + LogCount.stretch
        var isAtEnd = false
        while next.offset < end, !isAtEnd {
            if let line = try scanner?.next() {
                try note(line, number: scanner?.number ?? 0)
                next = LinePlace(segment: next.segment, offset: line.end)
                remaining -= Int64(line.length)
            } else {
                isAtEnd = true
            }
        }
        mainCount += try loose(replies).count
        replies = []
        if isAtEnd { next = LinePlace(segment: next.segment + 1, offset: 0) } else { lines = consume scanner }
        marks.append((next, mainCount))
    }

    private func note(_ line: Line, number: Int) throws(StoreError) {
        if line.isBlank { return }
        let place = LinePlace(segment: next.segment, offset: line.offset)
        switch try blocks.records.read(line) {
        case .success(let record):
            guard let head = record?.head, head.isMessage, !repeats.holdsSorted(place) else { return }
            totals.add(head.at)
            if head.isMain { mainCount += 1 } else { replies.append(RootFinder.Reply(place: place, root: head.root)) }
        case .failure(let fault):
            // A line that a writer has not finished is no damage.
            if fault == .notJSON && !line.isTerminated && next.segment == segments.count - 1 { return }
            problems.add("\(segments[next.segment].label):\(number): \(fault.reason); the line is passed over")
        }
    }

    private func loose(_ replies: [RootFinder.Reply]) throws(StoreError) -> Set<LinePlace> {
        if replies.isEmpty { return [] }
        return try RootFinder(segments: segments, blocks: blocks, index: nil, repeats: repeats).loose(replies)
    }

    /// Messages of the main timeline before some places, which are `start` or after it and rise. When all are counted.
    func mainCounts(before places: [LinePlace]) throws(StoreError) -> [Int] {
        var counts: [Int] = []
        while counts.count < places.count {
            // All places of one stretch are counted in one reading of it.
            let after = marks.partitioningIndex { $0.place > places[counts.count] }
            let mark = marks[max(0, after - 1)]
            let end = after < marks.count ? marks[after].place : .end
            let wanted = places[counts.count...].prefix { $0 < end }
            guard let last = wanted.last else { break }
            let mains = try mains(from: mark.place, to: last)
            for place in wanted {
                // A file that was overwritten meanwhile may hold more.
                counts.append(min(mark.mainCount + mains.partitioningIndex { $0 >= place }, mainCount))
            }
        }
        return counts + Array(repeating: mainCount, count: places.count - counts.count)
    }

    /// Where the messages of the main timeline stand in a part of the log, rising.
    private func mains(from start: LinePlace, to last: LinePlace) throws(StoreError) -> [LinePlace] {
        var mains: [LinePlace] = []
        var replies: [RootFinder.Reply] = []
        let (log, walk) = (PlainLog(segments: segments, repeats: repeats), BlockWalk(segments: segments))
        var end = start
        while end < last, let block = try walk.block(from: end) {
            try blocks.forEachRecord(of: block, in: log) { line, head, _ in
                guard line < last else { return false }
                if head.isMain { mains.append(line) }
                if head.isReply { replies.append(RootFinder.Reply(place: line, root: head.root)) }
                return true
            }
            end = block.end
        }
        let loose = try loose(replies)
        return loose.isEmpty ? mains : (mains + loose).sorted()
    }
}
