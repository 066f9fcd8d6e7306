internal import Formats

/// Stands for bytes that need not be kept: FNV-1a, 64 bits (Fowler, Noll, Vo).
struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: number).littleEndian) { add($0) }
    }

    mutating func add(_ text: String) {
        add(text.utf8)
        add([0xFF])
    }

    mutating func add(_ feed: Feed) {
        add(feed.start)
        add(feed.end ?? -1)
        add(feed.setting)
    }
}
