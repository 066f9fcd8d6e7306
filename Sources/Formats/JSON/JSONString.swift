internal import CSimdjson

/// Writes the strings of JSON.
package enum JSONString {
    /// Appends the text between quotes. What is not valid UTF-8 becomes U+FFFD.
    package static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        guard csj_is_utf8(text.baseAddress, text.count) else {
            var repaired = String(decoding: text, as: UTF8.self)
            return repaired.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
        var rest = text
        while let start = rest.baseAddress, !rest.isEmpty {
            let plain = csj_plain_length(start, rest.count)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[..<plain]))
            guard plain < rest.count else { break }
            escape(rest[plain], &bytes)
            rest = UnsafeRawBufferPointer(rebasing: rest[(plain + 1)...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The text between quotes.
    package static func text(_ text: String) -> String {
        var bytes: [UInt8] = []
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8, _ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes += [
                UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), digits[Int(byte >> 4)], digits[Int(byte & 15)],
            ]
        }
    }
}
