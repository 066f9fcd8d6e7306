internal import CLogScan
internal import Messages

/// The hash of an ID, from which a filter takes two numbers.
struct IDHash: Hashable {
    let value: UInt64

    init(value: UInt64) { self.value = value }

    init(_ bytes: UnsafeRawBufferPointer) {
        value = cls_hash_id(bytes.baseAddress, bytes.count)
    }

    init(_ id: OpaqueID<some Any>) {
        var text = id.rawValue
        self = text.withUTF8 { IDHash(UnsafeRawBufferPointer($0)) }
    }
}

/// Bloom filters of one size, one behind the other in one array. "No" is certain, "yes" is worth a look.
struct BloomFilters {
    /// A power of two, at least 64.
    private let bits: Int
    private let probes: Int
    private var words: [UInt64]

    /// - Parameter count: of empty filters to begin with.
    init(bits: Int, probes: Int, count: Int = 0) {
        self.bits = bits
        self.probes = probes
        words = Array(repeating: 0, count: count * (bits / 64))
    }

    mutating func appendEmpty() { words.append(contentsOf: repeatElement(0, count: bits / 64)) }

    func mayContain(_ hash: IDHash, at index: Int) -> Bool {
        let first = index * (bits >> 6)
        var bit = hash.value
        let step = (hash.value >> 32) | 1
        for _ in 0..<probes {
            let place = bit & UInt64(bits - 1)
            if words[first + Int(place >> 6)] & (1 << (place & 63)) == 0 { return false }
            bit &+= step
        }
        return true
    }

    /// Through a buffer: the array would check its ownership for each of some 7 bits a line.
    /// - Returns: whether it may have been there before.
    @discardableResult
    mutating func insert(_ hash: IDHash, at index: Int) -> Bool {
        let range = index * (bits >> 6)..<(index + 1) * (bits >> 6)
        let mask = UInt64(bits - 1)
        let step = (hash.value >> 32) | 1
        return words.withUnsafeMutableBufferPointer { words in
            let filter = UnsafeMutableBufferPointer(rebasing: words[range])
            var bit = hash.value
            var absent: UInt64 = 0
            for _ in 0..<probes {
                let place = bit & mask
                let word = filter[Int(place >> 6)]
                absent |= ~word & (1 << (place & 63))
                filter[Int(place >> 6)] = word | (1 << (place & 63))
                bit &+= step
            }
            return absent == 0
        }
    }
}
