/// Stands for bytes that need not be kept: FNV-1a, 64 bits (Fowler, Noll, Vo).
package struct Fingerprint {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Goes on after the bytes of which this is the value.
    package init(after value: UInt64) { self.value = value }

    package static func of(_ bytes: Bytes) -> UInt64 {
        var print = Fingerprint()
        print.add(bytes)
        return print.value
    }

    package static func of(_ text: String) -> UInt64 {
        var print = Fingerprint()
        print.add(text)
        return print.value
    }

    package mutating func add(_ bytes: Bytes) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    package mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: number).littleEndian) { add($0) }
    }

    /// Adds a text and a mark of its end.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
        add([0xFF])
    }

    package mutating func add(_ feed: Feed) {
        add(feed.start)
        add(feed.end ?? -1)
        add(feed.setting)
    }
}
