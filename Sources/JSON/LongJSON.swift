internal import CSimdjson

/// A value in a document of any length, parsed only where it is used: the response of a server may be larger than the memory. The
/// end of a value is found by brackets and strings alone, so that an error in one value hides that value only.
///
///     for (name, room) in LongJSON(document: body, by: tree)?["rooms"]?["join"]?.fields { … }
package struct LongJSON {
    /// The longest value to parse, in bytes: the parser needs at most twelve times as much memory. An event has at most 64 KiB.
    package static let longest = 4 << 20
    /// The most elements of a server's page: 1,000 at most are requested.
    package static let mostElements = 10_000
    /// The longest key to read, in bytes: longer ones are skipped with their values.
    private static let longestKey = 64 << 10
    /// The number of bytes after which `passed` is called.
    private static let stride = 1 << 20

    /// The bytes of the value, from its first to its last.
    private let bytes: Bytes
    /// The number of readable bytes after the value.
    private let padding: Int
    private let tree: JSONTree
    /// Called with bytes that were read, and may be read again.
    private let passed: (Bytes) -> Void

    /// - Parameters:
    ///   - bytes: a document; nil results if they are not one whole object or array.
    ///   - tree: parses values, one at a time.
    ///   - passed: called with bytes that were read, and may be read again.
    package init?(document bytes: Bytes, by tree: JSONTree, passed: @escaping (Bytes) -> Void = { _ in }) {
        let whole = LongJSON(bytes: bytes, padding: 0, tree: tree, passed: passed)
        guard let start = whole.place(after: 0, skipping: LongJSON.isBlank), whole.isBracket(at: start) else {
            return nil
        }
        guard let end = whole.end(of: start), whole.place(after: end, skipping: LongJSON.isBlank) == nil else {
            return nil
        }
        self = whole.value(start..<end)
    }

    private init(bytes: Bytes, padding: Int, tree: JSONTree, passed: @escaping (Bytes) -> Void) {
        (self.bytes, self.padding, self.tree, self.passed) = (bytes, padding, tree, passed)
    }

    package var isObject: Bool { bytes.first == UInt8(ascii: "{") }
    package var isArray: Bool { bytes.first == UInt8(ascii: "[") }
    package var count: Int { bytes.count }

    /// The value, valid until the next one is parsed; nil if it is too long, or no JSON.
    package var value: JSONValue? { bytes.count > LongJSON.longest ? nil : tree.parse(bytes, padding: padding) }
    package var string: String? { value?.string }
    package var integer: Int64? { value?.integer }
    package var isTrue: Bool { bytes.elementsEqual("true".utf8) }

    /// The first value with this key; nil without one, and for another kind than an object.
    package subscript(key: String) -> LongJSON? { fields.first { $0.name == key }?.value }

    /// The first value with each of these keys, found in one pass.
    package func fields(named names: Set<String>) -> [String: LongJSON] {
        var found: [String: LongJSON] = [:]
        for (name, value) in fields where names.contains(name) && found[name] == nil { found[name] = value }
        return found
    }

    /// The keys and values of an object, in order; none for another kind.
    package var fields: Fields { Fields(isObject ? self : nil) }

    /// The values of an array, in order; none for another kind.
    package var elements: Elements { Elements(isArray ? self : nil) }

    /// The objects in an array, parsed: each is valid until the next one. Those that are too long or no JSON are left out.
    package var objects: some Sequence<JSONValue> { elements.lazy.filter(\.isObject).compactMap(\.value) }

    // MARK: - Places

    /// The offset of the first byte that is not skipped; nil at the end.
    private func place(after start: Int, skipping isPassed: (UInt8) -> Bool) -> Int? {
        var at = start
        while at < bytes.count, isPassed(bytes[at]) { at += 1 }
        return at < bytes.count ? at : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isBetween(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || isBlank(byte) }

    private func isBracket(at place: Int) -> Bool {
        bytes[place] == UInt8(ascii: "{") || bytes[place] == UInt8(ascii: "[")
    }

    /// The place after the value that begins at `start`; nil if it does not end.
    private func end(of start: Int) -> Int? {
        var (scan, at) = (csj_scan(), start)
        while at < bytes.count, !scan.is_end {
            let part = Bytes(rebasing: bytes[at..<min(at + LongJSON.stride, bytes.count)])
            at += csj_scan_on(&scan, part.baseAddress?.assumingMemoryBound(to: CChar.self), part.count)
            if part.count == LongJSON.stride { passed(part) }
        }
        return scan.is_end ? at : nil
    }

    private func value(_ range: Range<Int>) -> LongJSON {
        LongJSON(
            bytes: Bytes(rebasing: bytes[range]), padding: bytes.count - range.upperBound + padding, tree: tree,
            passed: passed)
    }

    /// Goes through the values of an object or an array.
    private struct Walk {
        private let text: LongJSON
        private var at = 1
        private var told = 0

        init(_ text: LongJSON) { self.text = text }

        /// The next value, or key; nil at the end, and where the text is not JSON.
        mutating func next() -> LongJSON? {
            if at - told >= LongJSON.stride {
                text.passed(Bytes(rebasing: text.bytes[told..<at]))
                told = at
            }
            guard let start = text.place(after: at, skipping: LongJSON.isBetween),
                start < text.bytes.count - 1, let end = text.end(of: start), end > start
            else { return nil }
            at = end
            return text.value(start..<end)
        }

        /// Skips the colon after a key.
        mutating func takeColon() -> Bool {
            guard let place = text.place(after: at, skipping: LongJSON.isBlank), text.bytes[place] == UInt8(ascii: ":")
            else { return false }
            at = place + 1
            return true
        }
    }

    package struct Fields: Sequence, IteratorProtocol {
        private var walk: Walk?

        fileprivate init(_ text: LongJSON?) { walk = text.map { Walk($0) } }

        package mutating func next() -> (name: String, value: LongJSON)? {
            while let key = walk?.next(), key.bytes.first == UInt8(ascii: "\""), walk?.takeColon() == true {
                guard let value = walk?.next() else { return nil }
                guard key.count <= LongJSON.longestKey else { continue }
                let plain = Bytes(rebasing: key.bytes[1..<(key.bytes.count - 1)])
                if !plain.contains(UInt8(ascii: "\\")) { return (plain.string, value) }
                if let name = key.string { return (name, value) }
            }
            return nil
        }
    }

    package struct Elements: Sequence, IteratorProtocol {
        private var walk: Walk?

        fileprivate init(_ text: LongJSON?) { walk = text.map { Walk($0) } }

        package mutating func next() -> LongJSON? { walk?.next() }
    }
}
