import TestSupport

@testable import Index

/// The same questions as `IndexSnapshot`, answered by looking at every record.
struct PlainIndex {
    var records: [Int64: IndexRecord] = [:]
    var entries: [UInt8: [[UInt8]: [UInt8]]] = [:]
    /// The next row of each segment. No row is used twice.
    private var next: [Int64: Int64] = [:]
    private var ids: UInt64 = 0

    typealias Found = [(row: Int64, record: IndexRecord)]

    func sorted(_ rows: Range<Int64>, where isWanted: (IndexRecord) -> Bool = { _ in true }) -> Found {
        records.filter { rows.contains($0.key) && isWanted($0.value) }.sorted { $0.key < $1.key }.map {
            ($0.key, $0.value)
        }
    }

    func counts(_ rows: Range<Int64>) -> RecordCounts {
        var counts = RecordCounts()
        for (_, record) in sorted(rows) { counts.add(record.kind) }
        return counts
    }

    static func rows(of conversation: Int64) -> Range<Int64> { conversation << 24..<(conversation + 1) << 24 }
    static func rows(of conversation: Int64, _ segment: Int64) -> Range<Int64> {
        let start = conversation << 24 | segment << 16
        return start..<start + 1 << 16
    }

    /// Random hashes, few of them, so that they meet; now and then neighbours and the ends of all numbers.
    static func hash(_ random: inout SeededGenerator) -> UInt64 {
        let small = UInt64.random(in: 0..<60, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return small
        case 1: return .max - small
        default: return (small &+ 1) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    /// Makes random changes here and in a builder.
    mutating func change(_ builder: inout PartBuilder, _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let rows = PlainIndex.rows(
                of: .random(in: 1...3, using: &random), .random(in: 0...4, using: &random))
            // A segment that was replaced goes on behind its former rows.
            var row = next[rows.lowerBound] ?? rows.lowerBound
            for _ in 0..<Int.random(in: 1...90, using: &random) {
                let record = PlainIndex.record(Int64(row - rows.lowerBound), &random)
                builder.add(record, at: row)
                records[row] = record
                row += 1
            }
            next[rows.lowerBound] = row
        }
        for row in records.keys.sorted().shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
            guard var record = records[row] else { continue }
            let flag = record.kind.isAnyMessage && Bool.random(using: &random) ? RecordKind.main : RecordKind.repeated
            record.kind.code ^= flag
            builder.set(record.kind, at: row)
            records[row] = record
        }
        if Int.random(in: 0..<4, using: &random) == 0, let row = records.keys.sorted().randomElement(using: &random) {
            let start = row & ~0xFFFF
            let end = next[start] ?? start
            builder.remove(start..<end)
            records = records.filter { !(start..<end).contains($0.key) }
        }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let table = UInt8.random(in: 0...2, using: &random)
            let key = (0..<Int.random(in: 0...2, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
            let value =
                Bool.random(using: &random) ? nil : Array("value \(UInt8.random(in: 0...9, using: &random))".utf8)
            builder.set(key, in: table, to: value)
            entries[table, default: [:]][key] = value
        }
    }

    private static func record(_ number: Int64, _ random: inout SeededGenerator) -> IndexRecord {
        let codes = [RecordKind.text, RecordKind.system, RecordKind.edit, RecordKind.reaction]
        var code = codes[Int.random(in: 0..<4, using: &random)]
        var target: UInt64 = 0
        if code >= RecordKind.edit || Int.random(in: 0..<3, using: &random) == 0 {
            code |= RecordKind.target
            target = hash(&random)
        } else {
            code |= RecordKind.main
        }
        if code & 0x0F == RecordKind.system { code |= RecordKind.presence }
        return IndexRecord(
            kind: RecordKind(code: code), hash: hash(&random), target: target, at: .random(in: 0...500, using: &random),
            offset: number * 100, length: 100, sender: .random(in: 0...3, using: &random))
    }

    /// Compares all questions; returns the first one with another answer.
    /// - Throws: the errors of the snapshot.
    func difference(from index: IndexSnapshot, _ random: inout SeededGenerator) throws(IndexFault) -> String? {
        let conversation = Int64.random(in: 0...4, using: &random)
        let all = PlainIndex.rows(of: conversation)
        let known = sorted(all)
        let some =
            (known.randomElement(using: &random)?.row ?? all.lowerBound) + Int64.random(in: -1...1, using: &random)
        let other =
            (known.randomElement(using: &random)?.row ?? all.upperBound) + Int64.random(in: -1...1, using: &random)
        let rows = min(some, other)..<max(some, other)
        if try index.record(at: some) != records[some] { return "record at \(some)" }
        let limit = Int.random(in: 1...120, using: &random)
        var found: Found = []
        try index.forEach(in: rows) { row, record in
            found.append((row, record))
            return found.count < limit
        }
        if !same(found, sorted(rows).prefix(limit)) { return "records in \(rows)" }
        found = []
        try index.forEachBackwards(in: rows) { row, record in
            found.append((row, record))
            return found.count < limit
        }
        if !same(found, sorted(rows).reversed().prefix(limit)) { return "records in \(rows), backwards" }
        if try index.counts(in: rows) != counts(rows) { return "counts in \(rows)" }
        let mains = sorted(all) { $0.kind.isMain }
        let place = Int.random(in: -1...mains.count, using: &random)
        if try index.main(at: place, in: all) != (mains.indices.contains(place) ? mains[place].row : nil) {
            return "main \(place) of \(all)"
        }
        let moment = Int64.random(in: -1...510, using: &random)
        let dated = sorted(rows) { $0.kind.isMain && $0.at >= moment }.first
        if try index.firstMain(atOrAfter: moment, in: rows)?.row != dated?.row { return "main at \(moment) in \(rows)" }
        let segment = PlainIndex.rows(of: conversation, .random(in: 0...4, using: &random))
        let offset = Int64.random(in: 0...9_000, using: &random)
        let placed = sorted(segment) { $0.offset >= offset }.first
        if try index.first(in: segment, where: { $0.offset >= offset })?.row != placed?.row {
            return "offset \(offset)"
        }
        return try lookUp(in: index, rows, &random)
    }

    private func lookUp(
        in index: IndexSnapshot, _ rows: Range<Int64>, _ random: inout SeededGenerator
    ) throws(IndexFault) -> String? {
        let hash = PlainIndex.hash(&random)
        let limit = Int.random(in: 1...10, using: &random)
        if !same(try index.records(ofID: hash, in: rows), sorted(rows) { $0.hash == hash }[...]) { return "ID \(hash)" }
        let changes = sorted(rows) { $0.kind.has(RecordKind.target) && !$0.kind.isAnyMessage && $0.target == hash }
        if !same(try index.changes(of: hash, in: rows, limit: limit), changes.prefix(limit)) {
            return "changes of \(hash)"
        }
        let replies = sorted(rows) { $0.kind.has(RecordKind.target) && $0.kind.isMessage && $0.target == hash }
        if !same(try index.replies(of: hash, in: rows, limit: limit), replies.prefix(limit)) {
            return "replies of \(hash)"
        }
        let last = replies.reversed().prefix(limit)
        if !same(try index.lastReplies(of: hash, in: rows, limit: limit), last) { return "last replies of \(hash)" }
        if let (row, record) = sorted(rows).randomElement(using: &random) {
            let isReferred = records.values.contains { $0.kind.has(RecordKind.target) && $0.target == record.hash }
            if isReferred, try index.isUnreferenced(row, hash: record.hash) { return "reference to \(row)" }
        }
        let table = UInt8.random(in: 0...3, using: &random)
        var values: [[UInt8]: [UInt8]] = [:]
        var keys: [[UInt8]] = []
        try index.forEachEntry(of: table) { key, value in
            values[Array(key)] = Array(value)
            keys.append(Array(key))
            return true
        }
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
        if values != entries[table, default: [:]] || !isSorted { return "entries of \(table)" }
        let key = [UInt8.random(in: 0...3, using: &random)]
        return try index.value(of: key, in: table) == entries[table]?[key] ? nil : "entry \(key)"
    }

    private func same(_ a: Found, _ b: some Collection<(row: Int64, record: IndexRecord)>) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0 == $1 }
    }
}
