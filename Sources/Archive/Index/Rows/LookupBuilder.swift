internal import SQLite

/// Makes the look-ups of all records at once. Reads all records several times, each time for a part of all hashes: so the
/// memory for sorting stays small.
///
/// Repeats are not known yet: all records count as the first ones with their IDs.
final class LookupBuilder {
    /// The most records to sort at once, as long as `mostParts` allows it.
    static let usualPart = 300_000
    /// The most times that all records are read.
    private static let mostParts = 16

    /// The hashes that several records of a conversation have, by the conversation's number.
    private(set) var shared: [Int64: Set<Int64>] = [:]
    /// The replies without a root before them.
    private(set) var loose: [Int64] = []
    private let database: Database
    private let table: RecordTable
    private let part: Int
    /// An upper limit of the number of records.
    private var count = 0
    private var quiet: [Int64: Int64] = [:]

    /// - Parameter part: about how many records to sort at once.
    init(_ database: Database, part: Int = LookupBuilder.usualPart) {
        self.database = database
        self.part = part
        table = RecordTable(database)
    }

    /// - Parameter records: an upper limit of their number.
    func run(records: Int) throws {
        count = records
        var bits = 0
        while count >> bits > part, 1 << bits < LookupBuilder.mostParts { bits += 1 }
        for part in 0..<Int64(1) << bits { try run(part, bits) }
        try QuietRows(database: database).insert(quiet)
    }

    /// A record by the hash of its own ID or of its target.
    private struct Entry {
        let hash: Int64
        /// The row, which has 63 bits, and in the last bit the flag: so an entry takes 16 bytes.
        private let tagged: UInt64

        init(_ hash: Int64, _ row: Int64, isFlagged: Bool) {
            self.hash = hash
            tagged = UInt64(bitPattern: row) << 1 | (isFlagged ? 1 : 0)
        }

        var row: Int64 { Int64(tagged >> 1) }
        /// For a record by its own ID, whether it is a message, which can be a root; for a reply by its target, whether
        /// it is one that is only in its thread.
        var isFlagged: Bool { tagged & 1 != 0 }
    }

    /// - Parameters:
    ///   - part: the first bits of the hashes, in the order of the hashes.
    ///   - bits: the number of these bits.
    private func run(_ part: Int64, _ bits: Int) throws {
        var (own, changes, replies): ([Entry], [Entry], [Entry]) = ([], [], [])
        // The smallest hash has the number 0.
        let isPart = { (hash: Int64) in bits == 0 || Int64(UInt64(bitPattern: hash ^ .min) >> (64 - bits)) == part }
        // Not more than that: a damaged index may tell any number.
        own.reserveCapacity(min(count >> bits, LookupBuilder.usualPart))
        try table.scan { row, record in
            if isPart(record.hash) { own.append(Entry(record.hash, row, isFlagged: record.kind.isMessage)) }
            if let target = record.target, isPart(target) {
                let entry = Entry(target, row, isFlagged: record.kind.isHiddenReply)
                if record.kind.isAnyMessage { replies.append(entry) } else { changes.append(entry) }
            }
        }
        sort(&own, after: bits)
        sort(&changes, after: bits)
        sort(&replies, after: bits)
        try table.ids.append(own.map { IDEntry(hash: $0.hash, row: $0.row) })
        for entry in changes { try table.changes.insert(entry.hash, entry.row) }
        for entry in replies { try table.replies.insert(entry.hash, entry.row) }
        findShared(own)
        findLoose(replies, own)
        findQuiet(own, changes, replies)
    }

    /// Sorts entries, which are in the order of their rows, by their hashes. Hashes are spread evenly, so after one step
    /// by their next bits only few have the same ones.
    private func sort(_ entries: inout [Entry], after bits: Int) {
        // To fill no elements, Swift would write into the empty array that all threads share.
        if entries.isEmpty { return }
        let width = 12
        let bucket = { (hash: Int64) in
            Int(truncatingIfNeeded: (UInt64(bitPattern: hash ^ .min) << bits) >> (64 - width))
        }
        var ends = [Int](repeating: 0, count: 1 << width)
        for entry in entries { ends[bucket(entry.hash)] += 1 }
        var sum = 0
        for index in ends.indices { (ends[index], sum) = (sum, sum + ends[index]) }
        let sorted = [Entry](unsafeUninitializedCapacity: entries.count) { sorted, count in
            for entry in entries {
                let index = bucket(entry.hash)
                sorted.initializeElement(at: ends[index], to: entry)
                ends[index] += 1
            }
            var start = 0
            for end in ends {
                if end - start > 1 {
                    sorted[start..<end].sort { ($0.hash, $0.row) < ($1.hash, $1.row) }
                }
                start = end
            }
            count = entries.count
        }
        entries = sorted
    }

    private func findShared(_ own: [Entry]) {
        for (entry, next) in zip(own, own.dropFirst()) where entry.hash == next.hash {
            let number = RecordRow(entry.row).conversation
            if RecordRow(next.row).conversation == number { shared[number, default: []].insert(entry.hash) }
        }
    }

    /// Finds the replies whose root does not stand before them in their conversation.
    private func findLoose(_ replies: [Entry], _ own: [Entry]) {
        var next = 0
        for reply in replies where reply.isFlagged {
            // Many conversations may have records with this ID.
            let first = RecordRow.all(of: RecordRow(reply.row).conversation).lowerBound
            while next < own.count, (own[next].hash, own[next].row) < (reply.hash, first) { next += 1 }
            let root = own[next...].lazy.prefix { $0.hash == reply.hash && $0.row < reply.row }.first { $0.isFlagged }
            if root == nil { loose.append(reply.row) }
        }
    }

    private func findQuiet(_ own: [Entry], _ changes: [Entry], _ replies: [Entry]) {
        var (change, reply) = (0, 0)
        for entry in own {
            while change < changes.count, changes[change].hash < entry.hash { change += 1 }
            while reply < replies.count, replies[reply].hash < entry.hash { reply += 1 }
            if change < changes.count, changes[change].hash == entry.hash { continue }
            if reply < replies.count, replies[reply].hash == entry.hash { continue }
            quiet[QuietRows.word(of: entry.row), default: 0] |= QuietRows.bit(of: entry.row)
        }
    }
}
