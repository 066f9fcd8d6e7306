internal import Dates
package import JSON

/// Makes IDs for lines, which have none: the time as written, six letters for kind, nick and text, and a number if the same
/// letters occurred before in that second. So the ID depends neither on the zone nor on the file of the line.
///
///     20260329-000006-qbdtza      20260329-000006-qbdtza.2
struct LineIdentity {
    private(set) var id: [UInt8] = []
    private(set) var day = Int.min
    private(set) var second = 0
    /// The number of times that each combination of six letters occurred in this second. A list, because it is short.
    private(set) var recent: [(code: UInt32, count: Int)] = []
    private var many: [UInt32: Int] = [:]
    private static let letters = 308_915_776  // 26 to the power of 6

    init() {}

    /// Continues after a second whose counts are known.
    init(day: Int, second: Int, counts: [UInt32: Int]) {
        self.init()
        begin(day, second)
        if counts.count < 32 { recent = counts.map { ($0.key, $0.value) } } else { many = counts }
    }

    /// All counts in this second.
    var counts: [UInt32: Int] {
        many.isEmpty ? Dictionary(recent.map { ($0.code, $0.count) }, uniquingKeysWith: +) : many
    }

    /// Makes the next ID.
    mutating func next(day: Int, second: Int, kind: UInt8, name: Bytes?, text: Bytes) {
        if day != self.day || second != self.second { begin(day, second) }
        id.removeLast(id.count - 16)
        let code = LineIdentity.code(kind, name, text)
        var rest = code
        for _ in 0..<6 {
            id.append(UInt8(97 + rest % 26))
            rest /= 26
        }
        let count = counted(code)
        if count > 1 { id += Array(".\(count)".utf8) }
    }

    /// Makes the next ID of a message that has a moment as its time.
    mutating func next(at time: Timestamp, kind: UInt8 = 0, name: [UInt8], text: [UInt8]) -> [UInt8] {
        let seconds = time.milliseconds.flooredDivision(by: 1_000)
        let day = Int(seconds.flooredDivision(by: 86_400))
        return next(day: day, second: Int(seconds) - day * 86_400, kind: kind, name: name, text: text)
    }

    /// Makes the next ID.
    mutating func next(day: Int, second: Int, kind: UInt8 = 0, name: [UInt8], text: [UInt8]) -> [UInt8] {
        name.withUnsafeBytes { name in
            text.withUnsafeBytes { next(day: day, second: second, kind: kind, name: name, text: $0) }
        }
        return id
    }

    private mutating func begin(_ day: Int, _ second: Int) {
        if day != self.day {
            let date = CivilDate(daysSinceEpoch: day)
            id.removeAll(keepingCapacity: true)
            put(date.year / 100)
            put(date.year % 100)
            put(date.month)
            put(date.day)
            id.append(UInt8(ascii: "-"))
        }
        (self.day, self.second) = (day, second)
        id.removeLast(id.count - 9)
        put(second / 3_600)
        put(second / 60 % 60)
        put(second % 60)
        id.append(UInt8(ascii: "-"))
        recent.removeAll(keepingCapacity: true)
        if !many.isEmpty { many.removeAll() }
    }

    private mutating func put(_ value: Int) {
        id.append(UInt8(truncatingIfNeeded: 48 + value / 10 % 10))
        id.append(UInt8(truncatingIfNeeded: 48 + value % 10))
    }

    private mutating func counted(_ code: UInt32) -> Int {
        guard many.isEmpty else {
            many[code, default: 0] += 1
            return many[code] ?? 1
        }
        for index in recent.indices where recent[index].code == code {
            recent[index].count += 1
            return recent[index].count
        }
        recent.append((code, 1))
        if recent.count > 32 { many = Dictionary(recent.map { ($0.code, $0.count) }, uniquingKeysWith: +) }
        return 1
    }

    private static func code(_ kind: UInt8, _ name: Bytes?, _ text: Bytes) -> UInt32 {
        var hash = LineHash()
        hash.add(UInt64(kind))
        if let name { hash.add(name) }
        hash.add(10)
        hash.add(text)
        return UInt32(hash.value % UInt64(letters))
    }
}

/// A hash of bytes, eight at a time. IDs depend on it, so it must never change.
struct LineHash {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    mutating func add(_ word: UInt64) {
        // The multiplication moves bits up; the shift moves them down again.
        value = (value ^ word) &* 0xD6E8_FEB8_6659_FD93
        value ^= value >> 32
    }

    mutating func add(_ bytes: Bytes) {
        var at = 0
        while at + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at += 8
        }
        var rest = UInt64(bytes.count) << 56
        var shift: UInt64 = 0
        while at < bytes.count {
            rest |= UInt64(bytes[at]) << shift
            shift += 8
            at += 1
        }
        add(rest)
    }
}

/// A hash of bytes: FNV-1a, 64 bits (Fowler, Noll, Vo).
package struct Fingerprint {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Continues a hash with this value.
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

    /// Adds a text and a separator after it.
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
