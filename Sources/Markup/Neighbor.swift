internal import Display

/// The kind of character next to a mark.
enum Neighbor: Equatable {
    /// A blank, or the beginning or end of the line.
    case blank
    /// A letter or a digit.
    case word
    /// A character without a column of its own, drawn on the one before it.
    case mark
    case other

    init(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        guard offset < bytes.count else {
            self = .blank
            return
        }
        self = Neighbor.of(bytes, offset)
    }

    /// The kind of the character before a place. Combining marks of that character are skipped.
    init(before offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var start = offset
        repeat {
            start -= 1
            while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
            guard start >= 0 else {
                self = .blank
                return
            }
            self = Neighbor.of(bytes, start)
        } while self == .mark
    }

    private static func of(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Neighbor {
        switch bytes[offset] {
        case UInt8(ascii: " "): return .blank
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            return .word
        case ..<0x80: return .other
        default: return of(scalar(bytes, offset))
        }
    }

    /// The kind of a character that is not ASCII.
    static func of(_ scalar: Unicode.Scalar) -> Neighbor {
        switch Width.columns(of: scalar) {
        case ...0: return .mark
        case 1:
            let properties = scalar.properties
            if properties.isWhitespace { return .blank }
            return properties.isAlphabetic || properties.numericType != nil ? .word : .other
        default: return scalar.properties.isWhitespace ? .blank : .other
        }
    }

    /// The scalar that begins at a place of valid UTF-8.
    static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Unicode.Scalar {
        var iterator = bytes[offset...].prefix(4).makeIterator()
        var decoder = UTF8()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
        return "\u{FFFD}"
    }
}
