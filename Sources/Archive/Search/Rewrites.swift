internal import Messages
internal import Search

/// What the lines behind a place, read backwards so far, do to the texts of the messages before it. Of a bounded size:
/// what it does not know for certain is read again from the log.
struct Rewrites {
    /// Where the edits and deletions of a message stand.
    enum Lines {
        case none
        /// At these places, but for IDs with the same hash; not sorted.
        case at([LinePlace])
        /// In some blocks behind the message: not all of them are remembered.
        case somewhere
    }

    private struct Noted {
        let target: IDHash
        let place: LinePlace
        /// The number of the line of the same target that was noted before.
        let previous: Int?
    }

    /// Edits and deletions whose places are remembered: with the numbers of the last ones some 1.5 MiB at most.
    static let usualCapacity = 16_384
    /// Beyond that many messages that an edit made a match of and that are still to come, all messages are looked at.
    private static let mostPending = 4_096

    private let capacity: Int
    /// The lines that were noted last, each at its number modulo the capacity.
    private var lines: [Noted] = []
    private var count = 0
    /// By target: the number of the line that was noted last, as long as it is remembered.
    private var last: [IDHash: Int] = [:]
    /// The targets of the lines that are not remembered any more. Grows with the conversation, up to 128 KiB.
    private var forgotten: BloomFilters
    /// The targets of the edits that match, as long as their messages are still to come.
    private var pending: Set<IDHash> = []
    private var isOverfull = false

    /// - Parameters:
    ///   - blocks: of the conversation, with edits or deletions in them.
    ///   - capacity: in lines, at least 1.
    init(blocks: Int, capacity: Int = Rewrites.usualCapacity) {
        var bits = 64
        while bits < min(blocks * 4_096, 1 << 20) { bits *= 2 }
        forgotten = BloomFilters(bits: bits, probes: 4, count: 1)
        self.capacity = max(1, capacity)
    }

    mutating func note(_ target: UnsafeRawBufferPointer, at place: LinePlace, isMatch: Bool) {
        let hash = IDHash(target)
        remember(Noted(target: hash, place: place, previous: last[hash]))
        guard isMatch, !isOverfull else { return }
        pending.insert(hash)
        if pending.count > Rewrites.mostPending {
            isOverfull = true
            pending = []
        }
    }

    /// In the place of the line that was noted first.
    private mutating func remember(_ line: Noted) {
        if lines.count < capacity {
            lines.append(line)
        } else {
            let old = lines[count % capacity].target
            forgotten.insert(old, at: 0)
            if last[old] == count - capacity { last[old] = nil }
            lines[count % capacity] = line
        }
        last[line.target] = count
        count += 1
    }

    /// The lines that make a message say something else than its own one.
    func lines(of id: UnsafeRawBufferPointer) -> Lines {
        if count == 0 { return .none }
        let hash = IDHash(id)
        if isForgotten(hash) { return .somewhere }
        var places: [LinePlace] = []
        var next = last[hash]
        while let number = next, number >= count - capacity {
            let line = lines[number % capacity]
            places.append(line.place)
            next = line.previous
        }
        return places.isEmpty ? .none : .at(places)
    }

    private func isForgotten(_ hash: IDHash) -> Bool { count > capacity && forgotten.mayContain(hash, at: 0) }

    /// The targets of matching edits whose messages have not come; nil when they were too many to be remembered.
    var stillPending: Set<IDHash>? { isOverfull ? nil : pending }

    /// Whether a block may hold a message that an edit made a match of.
    func mayMatch(block: Int, of survey: Survey) -> Bool {
        isOverfull || pending.contains { survey.ids.mayContain($0, at: block) }
    }

    /// Whether an edit may have made a match of a message, which has come now.
    mutating func takeMatch(_ id: UnsafeRawBufferPointer) -> Bool {
        if isOverfull {
            let hash = IDHash(id)
            return last[hash] != nil || isForgotten(hash)
        }
        return !pending.isEmpty && pending.remove(IDHash(id)) != nil
    }
}
