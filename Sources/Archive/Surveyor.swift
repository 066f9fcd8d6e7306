internal import Messages

/// Makes a survey, segment by segment.
struct Surveyor {
    /// A record of the block that is being read.
    private struct Entry {
        let place: LinePlace
        let line: Int
        let hash: IDHash
        let at: Timestamp
        let isMain: Bool
        let isMessage: Bool
        var isRepeat = false
    }

    private static let blockLength = 64 << 10

    private let records: RecordReader
    private let blockReader: BlockReader
    private var survey: Survey
    /// Of all IDs, for finding those that may be repeated; it goes with the surveyor. Many small filters, each ID in one
    /// of them: a single large one costs a cache miss for every probe.
    private var seen: BloomFilters
    private let seenFilters: UInt64
    // The block that is being read.
    private var start: (place: LinePlace, line: Int)?
    private var end: Int64 = 0
    private var entries: [Entry] = []
    private var suspects: [(entry: Int, id: MessageID)] = []
    private var hasOverrules = false
    private var hasRewrites = false
    private var nextSegment = 0

    /// - Throws: `unavailable`, `unreadable` when a segment cannot be read.
    static func survey(_ segments: [Segment], with blockReader: BlockReader) throws(StoreError) -> Survey {
        var surveyor = Surveyor(segments, blockReader)
        while true {
            if let survey = try surveyor.next() { return survey }
        }
    }

    /// Reads one more segment. Gives the survey when all of them are read.
    /// - Throws: `unavailable`, `unreadable` when the segment cannot be read.
    mutating func next() throws(StoreError) -> Survey? {
        if nextSegment < survey.segments.count {
            try scan(nextSegment)
            nextSegment += 1
        }
        return nextSegment == survey.segments.count ? survey : nil
    }

    /// The bytes that are read so far.
    var progress: Int64 { survey.segments[..<nextSegment].reduce(0) { $0 + $1.stamp.size } }

    init(_ segments: [Segment], _ blockReader: BlockReader) {
        survey = Survey(segments: segments)
        self.blockReader = blockReader
        records = blockReader.records
        // A line has some 60 bytes at the very least, so that a quarter of the bytes makes 15 bits a line or more; beyond
        // a gigabyte there are fewer, and more blocks are read for nothing.
        let size = segments.reduce(0) { $0 + min($1.stamp.size, 1 << 40) }
        var filters = 1
        while Int64(filters) * 512 < min(size / 4, 1 << 28) { filters *= 2 }
        seen = BloomFilters(bits: 512, probes: 4, count: filters)
        seenFilters = UInt64(filters)
    }

    private mutating func scan(_ index: Int) throws(StoreError) {
        let segment = survey.segments[index]
        let isLastSegment = index == survey.segments.count - 1
        var lines = LineScanner(try File(segment.path), size: segment.stamp.size)
        beginBlock()
        while let line = try lines.next() {
            // A line that is not read must not lie in a block, which is read as a whole.
            if line.content == nil { try closeBlock() }
            note(line, at: LinePlace(segment: index, offset: line.offset), mayBeTorn: isLastSegment)
            if line.content == nil { beginBlock() }
            if let start, end - start.place.offset >= Surveyor.blockLength { try closeBlock() }
        }
        try closeBlock()
    }

    private mutating func note(_ line: Line, at place: LinePlace, mayBeTorn: Bool) {
        if line.isBlank { return }
        if start == nil { start = (place, line.number) }
        end = line.end
        do {
            guard let (head, _) = try records.head(line) else { return }
            note(head, at: place, line: line.number)
        } catch {
            // What a writer left when it was killed is not there yet; it is no damage.
            if error == .notJSON && !line.isTerminated && mayBeTorn { return }
            report(error, at: place, line: line.number)
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
        if seen.insert(hash, at: Int((hash.value >> 41) & (seenFilters - 1))) {
            suspects.append((entries.count, MessageID(String(decoding: head.id, as: UTF8.self))))
        }
        entries.append(
            Entry(
                place: place, line: line, hash: hash, at: head.at, isMain: head.isMain, isMessage: head.isMessage))
    }

    private mutating func report(_ fault: LineFault, at place: LinePlace, line: Int) {
        let label = survey.segments[place.segment].label
        survey.problems.add("\(label):\(line): \(fault.reason); the line is passed over")
    }

    private mutating func beginBlock() {
        start = nil
        entries.removeAll(keepingCapacity: true)
        suspects.removeAll(keepingCapacity: true)
        hasOverrules = false
        hasRewrites = false
    }

    private mutating func closeBlock() throws(StoreError) {
        defer { beginBlock() }
        guard let start, !entries.isEmpty else { return }
        let length = Int(end - start.place.offset)
        if !suspects.isEmpty { try findRepeats(length: length) }
        let good = entries.filter { !$0.isRepeat }
        let messages = good.filter(\.isMessage)
        survey.blocks.append(
            Block(
                segment: start.place.segment, offset: start.place.offset, length: length, firstLine: start.line,
                mainsBefore: survey.mains, latest: messages.map(\.at).max(), hasOverrules: hasOverrules,
                hasRewrites: hasRewrites))
        survey.mains += good.count(where: \.isMain)
        survey.messages += messages.count
        if survey.first == nil { survey.first = messages.first?.at }
        survey.last = messages.last?.at ?? survey.last
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
                segment: start.place.segment, offset: start.place.offset, length: length, firstLine: start.line,
                mainsBefore: 0, latest: nil, hasOverrules: hasOverrules, hasRewrites: hasRewrites)
            try markRepeats(of: &pending, in: this)
        }
        for suspect in suspects where entries[suspect.entry].isRepeat {
            let entry = entries[suspect.entry]
            survey.repeats.append(entry.place)
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
