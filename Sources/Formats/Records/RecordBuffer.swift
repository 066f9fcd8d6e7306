internal import CSimdjson

/// Bytes of records that grow at their end. An array checks on each append whether it is shared, which would cost more than all
/// else that is done for a short field.
struct RecordBuffer: ~Copyable {
    private var start = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 16)
    private var capacity = 4_096
    private(set) var count = 0

    deinit { start.deallocate() }

    /// A copy of the bytes.
    var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        (start + count).copyMemory(from: text.utf8Start, byteCount: length)
        count += length
    }

    mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        bytes.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            (start + count).copyMemory(from: from, byteCount: bytes.count)
        }
        count += bytes.count
    }

    /// Appends two digits.
    @inline(__always)
    mutating func appendTwo(_ value: Int) {
        append(UInt8(truncatingIfNeeded: 48 + value / 10))
        append(UInt8(truncatingIfNeeded: 48 + value % 10))
    }

    /// Appends a text in quotes, escaped. What is not valid UTF-8 becomes U+FFFD.
    mutating func append(quoted text: Bytes) {
        let before = count
        append(UInt8(ascii: "\""))
        var hasHigh = false
        var rest = text
        // In parts, so that a text of megabytes does not ask for six times as much memory.
        while let from = rest.baseAddress, !rest.isEmpty {
            let length = min(rest.count, 64 << 10)
            reserve(length * 6 + 1)
            var isHigh = false
            count += csj_escape(
                from.assumingMemoryBound(to: CChar.self), length, (start + count).assumingMemoryBound(to: CChar.self),
                &isHigh)
            hasHigh = hasHigh || isHigh
            rest = Bytes(rebasing: rest[length...])
        }
        append(UInt8(ascii: "\""))
        guard hasHigh, !csj_is_utf8(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count) else { return }
        count = before
        var repaired = String(decoding: text, as: UTF8.self)
        repaired.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }
}
