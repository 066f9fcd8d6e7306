internal import CSimdjson

/// A value of a parsed document: a place on the tape of simdjson (github.com/simdjson/simdjson, doc/tape.md). Valid as long as
/// the document is. Makes no copy of anything.
package struct JSONValue {
    let tape: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>
    let index: Int

    private var tag: UInt8 { UInt8(truncatingIfNeeded: tape[index] >> 56) }
    private var payload: Int { Int(truncatingIfNeeded: tape[index] & 0x00FF_FFFF_FFFF_FFFF) }

    package var isObject: Bool { tag == UInt8(ascii: "{") }
    package var isArray: Bool { tag == UInt8(ascii: "[") }
    package var isNull: Bool { tag == UInt8(ascii: "n") }
    package var isString: Bool { tag == UInt8(ascii: "\"") }
    package var isTrue: Bool { tag == UInt8(ascii: "t") }

    /// The text of a string, unescaped; nil for another kind.
    package var bytes: Bytes? {
        guard isString else { return nil }
        let start = UnsafeRawPointer(strings + payload)
        return UnsafeRawBufferPointer(
            start: start + 4, count: Int(start.loadUnaligned(as: UInt32.self)))
    }

    package var string: String? { bytes?.string }

    /// A whole number that fits; nil for anything else.
    package var integer: Int64? {
        switch tag {
        case UInt8(ascii: "l"): Int64(bitPattern: tape[index + 1])
        case UInt8(ascii: "u"): Int64(exactly: tape[index + 1])
        default: nil
        }
    }

    /// Any number; nil for anything else.
    package var number: Double? {
        switch tag {
        case UInt8(ascii: "l"): Double(Int64(bitPattern: tape[index + 1]))
        case UInt8(ascii: "u"): Double(tape[index + 1])
        case UInt8(ascii: "d"): Double(bitPattern: tape[index + 1])
        default: nil
        }
    }

    /// The first value with this key; nil without one, and for another kind than an object.
    package subscript(key: StaticString) -> JSONValue? {
        guard isObject else { return nil }
        let end = self.end - 1
        var at = index + 1
        while at < end {
            let value = JSONValue(tape: tape, strings: strings, index: at + 1)
            if let name = JSONValue(tape: tape, strings: strings, index: at).bytes, name == key { return value }
            at = value.end
        }
        return nil
    }

    /// Calls `body` with each key and value of an object, until it returns false.
    package func forEachField(_ body: (Bytes, JSONValue) -> Bool) {
        guard isObject else { return }
        let end = self.end - 1
        var at = index + 1
        while at < end {
            let value = JSONValue(tape: tape, strings: strings, index: at + 1)
            guard let name = JSONValue(tape: tape, strings: strings, index: at).bytes, body(name, value) else { return }
            at = value.end
        }
    }

    /// Calls `body` with each key of an object and its value, except for those that are null.
    package func forEachSetField(_ body: (Bytes, JSONValue) -> Void) {
        forEachField { name, value in
            if !value.isNull { body(name, value) }
            return true
        }
    }

    /// The values of an array; none for another kind.
    package var elements: Elements {
        isArray
            ? Elements(next: JSONValue(tape: tape, strings: strings, index: index + 1), end: end - 1)
            : Elements(next: self, end: index)
    }

    /// The place on the tape after this value.
    var end: Int {
        switch tag {
        case UInt8(ascii: "{"), UInt8(ascii: "["): payload & 0xFFFF_FFFF
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
        default: index + 1
        }
    }
}

extension JSONValue? {
    /// The values of an array; none for another kind, or without a value.
    package var list: JSONValue.Elements { self?.elements ?? JSONValue.Elements(next: nil, end: 0) }
}

extension JSONValue {
    /// The values of an array, in order.
    package struct Elements: Sequence, IteratorProtocol {
        private var current: JSONValue?
        private let end: Int

        init(next: JSONValue?, end: Int) {
            current = next
            self.end = end
        }

        package mutating func next() -> JSONValue? {
            guard let value = current, value.index < end else { return nil }
            current = JSONValue(tape: value.tape, strings: value.strings, index: value.end)
            return value
        }
    }
}

/// Parses JSON documents, one at a time, by simdjson. Use it on one thread only.
package final class JSONTree {
    private let tree: OpaquePointer?

    package init() { tree = csj_tree_create() }

    deinit { csj_tree_destroy(tree) }

    /// The document that fills the bytes; nil if they are not JSON. Valid until the next call. Lone surrogates and invalid UTF-8
    /// become U+FFFD.
    /// - Parameter padding: the number of readable bytes after these; with 64, simdjson needs no copy.
    package func parse(_ bytes: UnsafeRawBufferPointer, padding: Int = 0) -> JSONValue? {
        guard let tree, let start = bytes.baseAddress else { return nil }
        var tape: UnsafePointer<UInt64>?
        var strings: UnsafePointer<UInt8>?
        let status = csj_tree_parse(
            tree, start.assumingMemoryBound(to: CChar.self), bytes.count, bytes.count + padding, &tape, &strings)
        guard status == CSJ_OK, let tape, let strings else { return nil }
        // The first word is the root of the document.
        return JSONValue(tape: tape, strings: strings, index: 1)
    }
}
