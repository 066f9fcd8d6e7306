internal import CSimdjson

/// A growing buffer of JSON. Not an array: an array checks on each append whether it is shared, which would cost more than all
/// other work for a short field.
package struct JSONBuffer: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline package var count = 0

    /// - Parameter capacity: the bytes that fit before it grows.
    package init(capacity: Int = 4_096) {
        self.capacity = capacity
        start = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { start.deallocate() }

    /// A copy of the bytes.
    package var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }
    /// A copy of the bytes, as text.
    package var text: String { UnsafeRawBufferPointer(start: start, count: count).string }

    package mutating func removeAll() { count = 0 }

    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        (start + count).copyMemory(from: text.utf8Start, byteCount: length)
        count += length
    }

    package mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        bytes.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            (start + count).copyMemory(from: from, byteCount: bytes.count)
        }
        count += bytes.count
    }

    /// Appends a number from 0 to 99 as two digits.
    @inlinable @inline(__always)
    package mutating func appendTwo(_ value: Int) {
        append(UInt8(truncatingIfNeeded: 48 + value / 10))
        append(UInt8(truncatingIfNeeded: 48 + value % 10))
    }

    /// Appends a text in quotes, escaped. Invalid UTF-8 becomes U+FFFD.
    package mutating func append(quoted text: Bytes) {
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
        guard hasHigh, !text.isUTF8 else { return }
        count = before
        var repaired = String(decoding: text, as: UTF8.self)
        repaired.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }
}

/// A text that is valid JSON, for writing.
///
///     let body: JSONText = ["user": JSONText(name), "device": JSONText(ifAny: device), "tries": 3]
///     body.text   // {"user":"ana","tries":3} where there is no device
package struct JSONText: Sendable, Hashable {
    package let text: String

    package var bytes: [UInt8] { Array(text.utf8) }
    /// The bytes with a line feed.
    package var line: [UInt8] { bytes + [10] }

    /// - Parameter text: is valid JSON already.
    package init(json text: String) { self.text = text }

    /// Invalid UTF-8 becomes U+FFFD.
    package init(_ text: Bytes) {
        var buffer = JSONBuffer(capacity: 64)
        buffer.append(quoted: text)
        self.text = buffer.text
    }

    package init(_ text: some StringProtocol) {
        var text = String(text)
        self = text.withUTF8 { JSONText(UnsafeRawBufferPointer($0)) }
    }

    package init(_ number: some BinaryInteger) { text = String(number) }

    package init(_ truth: Bool) { text = truth ? "true" : "false" }

    package init(_ values: some Sequence<JSONText>) { text = "[\(values.map(\.text).joined(separator: ","))]" }

    package init(_ texts: some Sequence<String>) { self.init(texts.map { JSONText($0) }) }

    /// An object with these fields, in their order, without those that are nil.
    package init(fields: some Sequence<(String, JSONText?)>) {
        let all = fields.compactMap { name, value in value.map { "\(JSONText(name).text):\($0.text)" } }
        text = "{\(all.joined(separator: ","))}"
    }

    /// Nil without a text.
    package init?(ifAny text: String?) {
        guard let text else { return nil }
        self.init(text)
    }

    /// Nil without texts.
    package init?(ifAny texts: [String]) {
        if texts.isEmpty { return nil }
        self.init(texts)
    }

    /// The same JSON for files that people look at. JSON requires escapes only for C0 controls. C1 controls, line separators and
    /// direction marks are escaped too, because they would garble a terminal.
    package var printable: JSONText {
        escaping { scalar in
            switch scalar.value {
            case 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
            default: false
            }
        }
    }

    /// The same JSON with escapes for the characters that `isTrap` selects. None of them may be part of the notation of JSON.
    package func escaping(_ isTrap: (Unicode.Scalar) -> Bool) -> JSONText {
        guard text.unicodeScalars.contains(where: isTrap) else { return self }
        var escaped = ""
        for scalar in text.unicodeScalars {
            guard isTrap(scalar) else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return JSONText(json: escaped)
    }

    package static let null = JSONText(json: "null")

    /// An array with a line for each value, and a line feed: a file that people can read.
    package static func lines(_ values: some Sequence<JSONText>) -> String {
        "[\(values.map(\.text).joined(separator: ",\n"))]\n"
    }
}

/// Interpolation inserts the JSON unchanged.
extension JSONText: CustomStringConvertible {
    package var description: String { text }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self.init(text) }
    package init(integerLiteral number: Int) { self.init(number) }
    package init(booleanLiteral truth: Bool) { self.init(truth) }
    package init(arrayLiteral values: JSONText...) { self.init(values) }
    package init(dictionaryLiteral fields: (String, JSONText?)...) { self.init(fields: fields) }
}
