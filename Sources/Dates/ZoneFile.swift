/// A zone as the system's zone files describe it (TZif, RFC 8536): the changes of its clocks in the past, and the rule after
/// them.
struct ZoneFile {
    /// The moments at which clocks change, in seconds since 1970.
    private let changes: [Int64]
    /// The offset after each change, in seconds east of UTC.
    private let offsets: [Int64]
    /// The offset before the first change.
    private let first: Int64
    /// Nil if there is none: the last offset then stays.
    private let rule: ZoneRule?

    /// Nil unless the bytes are a zone file of version 2 or later.
    init?(_ bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0), let header = Header(bytes, at: 44 + old.size(ofTimes: 4)) else {
            return nil
        }
        let start = 44 + old.size(ofTimes: 4) + 44
        guard bytes.count >= start + header.size(ofTimes: 8), header.types > 0 else { return nil }
        func number(_ at: Int, _ count: Int) -> Int64 {
            let value = bytes[at..<at + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }
        let (kinds, types) = (start + 8 * header.changes, start + 9 * header.changes)
        let all = (0..<header.types).map { number(types + 6 * $0, 4) }
        changes = (0..<header.changes).map { number(start + 8 * $0, 8) }
        var offsets: [Int64] = []
        for index in 0..<header.changes {
            let kind = Int(bytes[kinds + index])
            guard kind < all.count else { return nil }
            offsets.append(all[kind])
        }
        self.offsets = offsets
        first = all[0]
        let footer = bytes[(start + header.size(ofTimes: 8))...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
        rule = ZoneRule(String(decoding: footer, as: UTF8.self))
    }

    /// Seconds east of UTC.
    func offset(at seconds: Int64) -> Int64 {
        guard let last = changes.last, seconds < last else { return rule?.offset(at: seconds) ?? offsets.last ?? first }
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    private struct Header {
        let changes: Int
        let types: Int
        private let others: Int
        private let leaps: Int
        private let names: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start >= 0, bytes.count >= start + 44, bytes[start..<start + 4].elementsEqual("TZif".utf8),
                bytes[start + 4] >= 0x32
            else { return nil }
            func count(_ at: Int) -> Int { bytes[start + at..<start + at + 4].reduce(0) { $0 << 8 | Int($1) } }
            (others, leaps, changes) = (count(20) + count(24), count(28), count(32))
            (types, names) = (count(36), count(40))
        }

        func size(ofTimes width: Int) -> Int {
            changes * (width + 1) + types * 6 + names + leaps * (width + 4) + others
        }
    }
}
