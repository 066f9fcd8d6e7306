internal import Messages

/// The hash of an ID, from which a filter takes two numbers: FNV-1a, and a finish that mixes its weak high bits.
struct IDHash: Hashable {
    let value: UInt64

    init(_ bytes: UnsafeRawBufferPointer) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        value = IDHash.mixed(hash)
    }

    init(_ id: MessageID) {
        var text = id.rawValue
        self = text.withUTF8 { IDHash(UnsafeRawBufferPointer($0)) }
    }

    /// MurmurHash3's `fmix64`.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var hash = value
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}

/// Bloom filters of one size, one behind the other in one array. "No" is certain, "yes" is worth a look.
struct BloomFilters {
    /// A power of two, at least 64.
    private let bits: Int
    private let probes: Int
    private var words: [UInt64] = []

    init(bits: Int, probes: Int) {
        self.bits = bits
        self.probes = probes
    }

    mutating func appendEmpty() { words.append(contentsOf: repeatElement(0, count: bits / 64)) }

    mutating func removeAll() { words.removeAll(keepingCapacity: true) }

    func mayContain(_ hash: IDHash, at index: Int) -> Bool {
        let first = index * (bits / 64)
        var bit = hash.value
        let step = (hash.value >> 32) | 1
        for _ in 0..<probes {
            let place = Int(truncatingIfNeeded: bit & UInt64(bits - 1))
            if words[first + place / 64] & (1 << UInt64(place % 64)) == 0 { return false }
            bit &+= step
        }
        return true
    }

    /// - Returns: whether it may have been there before.
    @discardableResult
    mutating func insert(_ hash: IDHash, at index: Int) -> Bool {
        let first = index * (bits / 64)
        var bit = hash.value
        let step = (hash.value >> 32) | 1
        var wasThere = true
        for _ in 0..<probes {
            let place = Int(truncatingIfNeeded: bit & UInt64(bits - 1))
            let mask: UInt64 = 1 << UInt64(place % 64)
            if words[first + place / 64] & mask == 0 {
                wasThere = false
                words[first + place / 64] |= mask
            }
            bit &+= step
        }
        return wasThere
    }
}
