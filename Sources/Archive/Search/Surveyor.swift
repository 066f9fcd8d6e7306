internal import Algorithms
internal import Messages

/// A survey that is being made. By reference, since a copy of a surveyor would be one of its filter too.
final class Surveying {
    private var surveyor: Surveyor

    /// - Parameter rest: to survey only what words do not cover.
    init(_ segments: [Segment], _ blockReader: BlockReader, behind rest: WordCoverage? = nil) {
        surveyor = Surveyor(segments, blockReader, behind: rest)
    }

    /// As the surveyor's. After a failure it has to be given up.
    func next() throws(StoreError) -> Survey? { try surveyor.next() }

    /// The bytes that are read so far.
    var progress: Int64 { surveyor.progress }
}

/// Makes a survey, some blocks at a time.
struct Surveyor: ~Copyable {
    /// A record of the block that is being read.
    private struct Entry {
        let place: LinePlace
        let line: Int
        let hash: IDHash
        let at: Timestamp
        var isMain: Bool
        let isMessage: Bool
        var isRepeat = false
    }

    private static let blockLength = 64 << 10
    private static let blocksAtOnce = 4

    private let records: RecordReader
    private let blockReader: BlockReader
    private var survey: Survey
    /// Of all IDs, for finding those that may be repeated; it goes with the surveyor. Many small filters, each ID in one
    /// of them: a single large one costs a cache miss for every probe.
    private var seen: BloomFilters
    private let seenFilters: UInt64
    // The block that is being read.
    private var start: LinePlace?
    private var end: Int64 = 0
    private var entries: [Entry] = []
    private var suspects: [(entry: Int, id: MessageID)] = []
    private var replies: [RootFinder.Reply] = []
    private var hasOverrules = false
    private var hasRewrites = false
    /// Of the segment that is being read.
    private var lines: LineScanner?
    private var segment = 0
    /// Of the line behind the last one that was read.
    private var offset: Int64 = 0

    /// - Throws: `unavailable`, `unreadable` when a segment cannot be read.
    static func survey(_ segments: [Segment], with blockReader: BlockReader) throws(StoreError) -> Survey {
        var surveyor = Surveyor(segments, blockReader)
        while true {
            if let survey = try surveyor.next() { return survey }
        }
    }

    /// Reads some blocks more. Gives the survey when all segments are read.
    /// - Throws: `unavailable`, `unreadable` when a segment cannot be read.
    mutating func next() throws(StoreError) -> Survey? {
        if segment < survey.segments.count, try scan() {
            segment += 1
            offset = 0
        }
        return segment == survey.segments.count ? survey : nil
    }

    /// The bytes that are read so far.
    var progress: Int64 { survey.segments[..<segment].reduce(offset) { $0 + $1.stamp.size } }

    init(_ segments: [Segment], _ blockReader: BlockReader, behind covered: WordCoverage? = nil) {
        survey = Survey(segments: segments)
        if let covered {
            survey.isPart = true
            survey.mains = covered.mains
            survey.repeats = covered.repeatsBehind
            segment = covered.end.segment
            offset = covered.end.offset
        }
        self.blockReader = blockReader
        records = blockReader.records
        // A usual line has some 160 bytes, of which an eighth makes 20 bits; beyond half a gigabyte there are fewer, and
        // more blocks are read for nothing.
        let size = covered?.rest ?? segments.reduce(0) { $0 + min($1.stamp.size, 1 << 40) }
        var filters = 1
        while Int64(filters) * 512 < min(size / 8, 1 << 26) { filters *= 2 }
        seen = BloomFilters(bits: 512, probes: 4, count: filters)
        seenFilters = UInt64(filters)
    }

    /// - Returns: whether the segment has been read to its end.
    private mutating func scan() throws(StoreError) -> Bool {
        let stamp = survey.segments[segment].stamp
        var lines = self.lines.take()
        if lines == nil {
            lines = LineScanner(try File(survey.segments[segment].path), size: stamp.size, from: offset)
            beginBlock()
        }
        let enough = offset + Int64(Surveyor.blocksAtOnce * Surveyor.blockLength)
        while let line = try lines?.next() {
            // A line that is not read must not lie in a block, which is read as a whole.
            if line.content == nil { try closeBlock() }
            try note(line, number: lines?.number ?? 0)
            if line.content == nil { beginBlock() }
            offset = line.end
            if let start, end - start.offset >= Surveyor.blockLength { try closeBlock() }
            if start == nil, offset >= enough {
                self.lines = lines
                return false
            }
        }
        try closeBlock()
        return true
    }

    private mutating func note(_ line: Line, number: Int) throws(StoreError) {
        if line.isBlank { return }
        let place = LinePlace(segment: segment, offset: line.offset)
        if start == nil { start = place }
        end = line.end
        switch try records.read(line) {
        case .success(let record): if let record { note(record.head, at: place, line: number) }
        case .failure(let fault):
            // What a writer left when it was killed is not there yet; it is no damage.
            if fault == .notJSON && !line.isTerminated && segment == survey.segments.count - 1 { return }
            report(fault, at: place, line: number)
        }
    }

    private mutating func note(_ head: RecordHead, at place: LinePlace, line: Int) {
        let hash = IDHash(head.id)
        if entries.isEmpty {
            survey.ids.appendEmpty()
            survey.targets.appendEmpty()
        }
        let block = survey.blocks.count
        survey.ids.insert(hash, at: block)
        if !head.target.isEmpty {
            survey.targets.insert(IDHash(head.target), at: block)
            hasOverrules = true
            if head.kind.isRewrite { hasRewrites = true }
        }
        if head.isReply {
            replies.append(
                RootFinder.Reply(place: place, root: MessageID(String(decoding: head.target, as: UTF8.self))))
        }
        if seen.insert(hash, at: Int((hash.value >> 41) & (seenFilters - 1))) {
            suspects.append((entries.count, MessageID(String(decoding: head.id, as: UTF8.self))))
        }
        entries.append(
            Entry(
                place: place, line: line, hash: hash, at: head.at, isMain: head.isMain, isMessage: head.isMessage,
                isRepeat: survey.isRepeat(place)))
    }

    private mutating func report(_ fault: LineFault, at place: LinePlace, line: Int) {
        let label = survey.segments[place.segment].label
        survey.problems.add("\(label):\(line): \(fault.reason); the line is passed over")
    }

    private mutating func beginBlock() {
        start = nil
        entries.removeAll(keepingCapacity: true)
        suspects.removeAll(keepingCapacity: true)
        replies.removeAll(keepingCapacity: true)
        hasOverrules = false
        hasRewrites = false
    }

    private mutating func closeBlock() throws(StoreError) {
        defer { beginBlock() }
        guard let start, !entries.isEmpty else { return }
        let length = Int(end - start.offset)
        if !suspects.isEmpty { try findRepeats(length: length) }
        if !replies.isEmpty { try findLoose() }
        let good = entries.filter { !$0.isRepeat }
        let messages = good.filter(\.isMessage)
        survey.blocks.append(
            Block(
                segment: start.segment, offset: start.offset, length: length, mainsBefore: survey.mains,
                latest: messages.map(\.at).max(), hasOverrules: hasOverrules, hasRewrites: hasRewrites))
        survey.mains += good.count(where: \.isMain)
        survey.messages += messages.count
        if survey.first == nil { survey.first = messages.first?.at }
        survey.last = messages.last?.at ?? survey.last
    }

    /// Marks the replies of the block that have no root before them.
    private mutating func findLoose() throws(StoreError) {
        let finder = RootFinder(segments: survey.segments, blocks: blockReader, index: nil, repeats: survey.repeats)
        let loose = try finder.loose(replies)
        if loose.isEmpty { return }
        for index in entries.indices where loose.contains(entries[index].place) { entries[index].isMain = true }
        survey.loose += loose.sorted()
    }

    /// Looks for an earlier line with the same ID behind each hit of the filter: in the blocks whose filters have it, and
    /// in this one when two of its hashes are equal. A block is read once for all suspects of this one.
    private mutating func findRepeats(length: Int) throws(StoreError) {
        guard let start else { return }
        var pending: [IDHash: [Int]] = [:]
        for (index, suspect) in suspects.enumerated() {
            pending[entries[suspect.entry].hash, default: []].append(index)
        }
        var hashes: [IDHash: Int] = [:]
        for entry in entries where pending[entry.hash] != nil { hashes[entry.hash, default: 0] += 1 }
        for (index, block) in survey.blocks.enumerated()
        where pending.keys.contains(where: { survey.ids.mayContain($0, at: index) }) {
            try markRepeats(of: &pending, in: block)
            if pending.isEmpty { break }
        }
        if !pending.isEmpty, hashes.values.contains(where: { $0 > 1 }) {
            let this = Block(
                segment: start.segment, offset: start.offset, length: length, mainsBefore: 0, latest: nil,
                hasOverrules: hasOverrules, hasRewrites: hasRewrites)
            try markRepeats(of: &pending, in: this)
        }
        for suspect in suspects where entries[suspect.entry].isRepeat {
            let entry = entries[suspect.entry]
            if survey.isRepeat(entry.place) { continue }
            let index = survey.repeats.partitioningIndex { $0 > entry.place }
            survey.repeats.insert(entry.place, at: index)
            report(.repeated(suspect.id), at: entry.place, line: entry.line)
        }
    }

    /// Marks the suspects that repeat a record of a block; they are suspects no more.
    private mutating func markRepeats(of pending: inout [IDHash: [Int]], in block: Block) throws(StoreError) {
        var found: [Int] = []
        try blockReader.forEachRecord(of: block, in: survey) { place, head, _ in
            let hash = IDHash(head.id)
            guard let candidates = pending[hash] else { return true }
            let left = candidates.filter { index in
                let suspect = suspects[index]
                let repeats = entries[suspect.entry].place > place && head.id.elementsEqual(suspect.id.rawValue.utf8)
                if repeats { found.append(suspect.entry) }
                return !repeats
            }
            pending[hash] = left.isEmpty ? nil : left
            return !pending.isEmpty
        }
        for entry in found { entries[entry].isRepeat = true }
    }
}
