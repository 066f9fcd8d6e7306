internal import Files
internal import Messages
internal import Search

/// Counts the messages that the index has not counted. Reads the log once, in small steps, from a place to its end.
/// Keeps the count at regular places, so that it can tell the position of any message.
final class LogCount {
    /// The bytes of the log between two places with a kept count.
    private static let stretch: Int64 = 64 << 10
    private static let stretchesAtOnce = 4

    /// Of the log without its index.
    private let reader: ConversationReader
    /// Places with the number of messages of the main timeline before them, from the start of the count on.
    private var marks: [(place: LinePlace, mainCount: Int)]
    /// The number of messages of the main timeline before `next`.
    private var mainCount: Int
    /// The line to read next.
    private var next: LinePlace
    private var lines: LineScanner?
    /// The bytes that remain to be read.
    private(set) var remaining: Int64
    /// The thread replies since the last mark.
    private var replies: [RootFinder.Reply] = []
    /// The replies whose root is not shortly before them. Their roots are searched together, since each search reads the whole
    /// log.
    private var far: [RootFinder.Reply] = []
    private static let farAtOnce = 16_384
    /// The places of the replies without a root before them, rising. The marks do not count them.
    private var loose: [LinePlace] = []
    /// The count of all messages, thread replies included.
    private(set) var totals = Totals()
    /// The lines that were skipped.
    private(set) var problems = ProblemList()

    /// - Parameters:
    ///   - start: the place where the count begins.
    ///   - mainCount: the number of messages of the main timeline before `start`.
    ///   - repeats: the lines that are known to repeat an ID, sorted. They do not count.
    init(
        _ segments: [Segment], from start: LinePlace = .first, mainCount: Int = 0, repeats: [LinePlace] = [],
        blocks: BlockReader
    ) {
        reader = ConversationReader(PlainLog(segments: segments, repeats: repeats), blocks: blocks)
        self.mainCount = mainCount
        next = start
        marks = [(start, mainCount)]
        remaining = segments.size - segments.size(before: start)
    }

    private var segments: [Segment] { reader.log.segments }

    /// The first counted line.
    var start: LinePlace { marks[0].place }

    var isComplete: Bool { next.segment >= segments.count }

    /// Counts a few more stretches.
    /// - Throws: `unavailable`, `unreadable` if a segment cannot be read.
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
        if isAtEnd { next = LinePlace(segment: next.segment + 1, offset: 0) } else { lines = consume scanner }
        marks.append((next, mainCount))
        if !replies.isEmpty { far += try finder.far(replies) }
        replies = []
        if far.count >= LogCount.farAtOnce || isComplete, !far.isEmpty {
            loose += try finder.loose(far).sorted()
            far = []
        }
    }

    private func note(_ line: LogLine, number: Int) throws(StoreError) {
        if line.isBlank { return }
        let place = LinePlace(segment: next.segment, offset: line.offset)
        switch try reader.blocks.records.read(line) {
        case .success(let record):
            guard let head = record?.head else { return }
            if reader.log.repeats.holdsSorted(place) {
                problems.add("\(segments[next.segment].label):\(number): \(LineFault.repeated(head.messageID).text)")
                return
            }
            guard head.isMessage else { return }
            totals.add(head)
            if head.isMain { mainCount += 1 } else { replies.append(RootFinder.Reply(place: place, root: head.root)) }
        case .failure(let fault):
            // A last line that a writer has not finished is not an error.
            if fault == .notJSON && !line.isTerminated && next.segment == segments.count - 1 { return }
            problems.add("\(segments[next.segment].label):\(number): \(fault.text)")
        }
    }

    private var finder: RootFinder { RootFinder(log: reader.log, blocks: reader.blocks) }

    /// The number of messages of the main timeline before each of these places. Requires `isComplete`.
    /// - Parameter places: rising; none is before `start`.
    func mainCounts(before places: [LinePlace]) throws(StoreError) -> [Int] {
        var counts: [Int] = []
        while counts.count < places.count {
            // Reads each stretch once for all places in it.
            let after = marks.partitioningIndex { $0.place > places[counts.count] }
            let mark = marks[max(0, after - 1)]
            let end = after < marks.count ? marks[after].place : .end
            let wanted = places[counts.count...].prefix { $0 < end }
            guard let last = wanted.last else {
                // At the end of the log.
                return counts + Array(repeating: mainCount + loose.count, count: places.count - counts.count)
            }
            let mains = try mains(from: mark.place, to: last)
            for place in wanted {
                // If the file was overwritten meanwhile, the new lines may hold more messages than were counted.
                let count = min(mark.mainCount + mains.partitioningIndex { $0 >= place }, mainCount)
                counts.append(count + loose.partitioningIndex { $0 >= place })
            }
        }
        return counts
    }

    /// The number of messages of the main timeline before a message with this ID hash; nil if no such message was counted. Counts all
    /// lines first.
    func order(of id: IDHash) throws(StoreError) -> Int? {
        while !isComplete { try step() }
        var place: LinePlace?
        try reader.scan(start..<LinePlace.end, IDFilter([id], isOfLinks: false)) { line, head, _ in
            if head.isMain, IDHash(head.id) == id { place = line }
            return place == nil
        }
        return try place.map { (place) throws(StoreError) in try mainCounts(before: [place]).first ?? 0 }
    }

    /// The places of the messages of the main timeline in a part of the log, rising, without loose replies.
    private func mains(from start: LinePlace, to last: LinePlace) throws(StoreError) -> [LinePlace] {
        var mains: [LinePlace] = []
        var end = start
        while end < last, let block = try reader.block(from: end) {
            try reader.blocks.forEachRecord(of: block, in: reader.log) { line, head, _ in
                guard line < last else { return false }
                if head.isMain { mains.append(line) }
                return true
            }
            end = block.end
        }
        return mains
    }
}

/// The end of a log at one moment.
struct LogEnd: Equatable {
    let place: LinePlace
    /// The inode of the last file; 0 if there was none.
    private let inode: UInt64

    init(of segments: [Segment]) { self.init(at: .end(of: segments), of: segments) }

    /// - Parameter place: the end of the part that has been read.
    init(at place: LinePlace, of segments: [Segment]) {
        self.place = place
        inode = segments.indices.contains(place.segment) ? segments[place.segment].stamp.inode : 0
    }

    /// - Throws: `unavailable` for a cursor that this store did not make.
    init(_ cursor: Cursor) throws(StoreError) {
        let (place, id) = try LinePlace.parse(cursor)
        self.place = place
        inode = UInt64(id.rawValue) ?? 0
    }

    var cursor: Cursor { place.cursor(of: "\(inode)") }

    /// True if these files, which may have grown, still contain the place.
    func isWithin(_ segments: [Segment]) -> Bool {
        if inode == 0 { return true }
        guard segments.indices.contains(place.segment) else { return false }
        let stamp = segments[place.segment].stamp
        return stamp.inode == inode && stamp.size >= place.offset
    }

    /// The same end after a server's older segments have come before it.
    func moved(in segments: [Segment]) -> LogEnd {
        guard inode != 0, !isWithin(segments),
            let index = segments.firstIndex(where: { $0.stamp.inode == inode && $0.mirrorNumber != nil }),
            index > place.segment, segments[index].stamp.size >= place.offset
        else { return self }
        return LogEnd(at: LinePlace(segment: index, offset: place.offset), of: segments)
    }

    /// True if one of these files contained the place but is shorter now.
    func isCutOff(in segments: [Segment]) -> Bool {
        segments.contains { $0.stamp.inode == inode && $0.stamp.size < place.offset }
    }
}
