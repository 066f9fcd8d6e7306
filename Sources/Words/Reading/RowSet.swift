internal import Search

/// A set of rows of the index: a bit for each row of a stretch that has any. A word that a million messages contain
/// takes 125 KB.
package struct RowSet {
    private static let stretchBits: Int64 = 10
    private static let wordsOfStretch = 1 << (stretchBits - 6)

    /// The place of the bits of each stretch.
    private var starts: [Int64: Int] = [:]
    private var bits: [UInt64] = []
    /// The stretch that was used last: rows mostly come in order.
    private var last: (stretch: Int64, start: Int)?
    /// The numbers of all stretches, in ascending order; empty until `finish`.
    private var sorted: [Int64] = []

    package init() {}

    package var isEmpty: Bool { starts.isEmpty }

    @inline(__always)
    package mutating func insert(_ row: Int64) {
        let start = start(of: row >> RowSet.stretchBits)
        let bit = Int(row & (1 << RowSet.stretchBits - 1))
        bits[start + bit >> 6] |= 1 << UInt64(bit & 63)
    }

    package mutating func remove(_ row: Int64) {
        guard let start = knownStart(of: row >> RowSet.stretchBits) else { return }
        let bit = Int(row & (1 << RowSet.stretchBits - 1))
        bits[start + bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    private mutating func knownStart(of stretch: Int64) -> Int? {
        if let last, last.stretch == stretch { return last.start }
        guard let start = starts[stretch] else { return nil }
        last = (stretch, start)
        return start
    }

    @inline(__always)
    private mutating func start(of stretch: Int64) -> Int {
        if let last, last.stretch == stretch { return last.start }
        return newStart(of: stretch)
    }

    private mutating func newStart(of stretch: Int64) -> Int {
        let start = starts[stretch] ?? bits.count
        if start == bits.count {
            starts[stretch] = start
            bits.append(contentsOf: repeatElement(0, count: RowSet.wordsOfStretch))
        }
        last = (stretch, start)
        return start
    }

    package func contains(_ row: Int64) -> Bool {
        guard !starts.isEmpty, let start = starts[row >> RowSet.stretchBits] else { return false }
        let bit = Int(row & (1 << RowSet.stretchBits - 1))
        return bits[start + bit >> 6] >> UInt64(bit & 63) & 1 == 1
    }

    /// Call this after the last insertion and before `rows`.
    package mutating func finish() { sorted = starts.keys.sorted() }

    /// The highest rows within a range, in descending order.
    package func rows(in range: Range<Int64>, limit: Int) -> [Int64] {
        var found: [Int64] = []
        var index = sorted.partitioningIndex { $0 << RowSet.stretchBits >= range.upperBound }
        while index > 0, found.count < limit {
            index -= 1
            let first = sorted[index] << RowSet.stretchBits
            guard first + (1 << RowSet.stretchBits) > range.lowerBound, let start = starts[sorted[index]] else { break }
            for word in (0..<RowSet.wordsOfStretch).reversed() {
                var rest = bits[start + word]
                while rest != 0, found.count < limit {
                    let bit = 63 - rest.leadingZeroBitCount
                    rest &= ~(1 << UInt64(bit))
                    let row = first + Int64(word * 64 + bit)
                    if range.contains(row) { found.append(row) }
                }
            }
        }
        return found
    }
}
