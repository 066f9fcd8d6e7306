/// Text for a pipe or a file: as people wrote it, but without characters that act on a terminal that shows it later. It
/// holds no controls, nothing that reorders other text, and nothing invisible, except where that belongs to the
/// character next to it (`TextJoiner`). Unlike `CleanText` it keeps the spelling, so that words can be searched in it.
package enum PipedText {
    /// One line: line ends and tabs become single spaces, other controls become pictures of themselves.
    package static func line(_ raw: String) -> String {
        if Scrubber.isPlain(raw.utf8) { return raw }
        var raw = raw
        return raw.withUTF8 { String(decoding: scrubbed($0), as: UTF8.self) }
    }

    /// Copies runs of unchanged bytes: to append scalar by scalar would take most of the time of a search that prints
    /// many lines.
    /// - Parameter bytes: valid UTF-8.
    private static func scrubbed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var (kept, next) = (0, 0)
        var joiners = TextJoiner()
        while next < bytes.count {
            if bytes[next] >= 0x20, bytes[next] < 0x7F {
                joiners.pass(Unicode.Scalar(bytes[next]))
                next += 1
                continue
            }
            let (scalar, length) = self.scalar(at: next, in: bytes)
            let other =
                joiners.keeps(scalar, before: { self.scalars(from: next + length, in: bytes) })
                ? scalar : substitute(for: scalar)
            if let other { joiners.pass(other) }
            if other != scalar {
                output += bytes[kept..<next]
                let endsLine = scalar == "\n" && next > 0 && bytes[next - 1] == 0x0D
                if !endsLine, let other { output += Array(String(other).utf8) }
                kept = next + length
            }
            next += length
        }
        output += bytes[kept...]
        return output
    }

    /// The scalars from a place on, as many as a rule about joiners needs.
    private static func scalars(from index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [Unicode.Scalar] {
        var (index, scalars): (Int, [Unicode.Scalar]) = (index, [])
        while index < bytes.count, scalars.count < TextJoiner.reach {
            let (scalar, length) = self.scalar(at: index, in: bytes)
            scalars.append(scalar)
            index += length
        }
        return scalars
    }

    private static func scalar(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (Unicode.Scalar, length: Int) {
        let lead = bytes[index]
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
        for byte in bytes[index + 1..<min(index + length, bytes.count)] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    /// The scalar to write in place of another one; nil to leave it out.
    private static func substitute(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x20..<0x7F: return scalar
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: return " "
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: return "\u{2421}"
        // Letters, signs and symbols, without the soft hyphen: most characters beyond ASCII need no lookup in the
        // tables.
        case 0xA0..<0xAD, 0xAE..<0x300, 0x2010..<0x2028, 0x3041..<0x3097, 0x4E00..<0xA000: return scalar
        default: break
        }
        let properties = scalar.properties
        // Joiners, variation selectors, bidi controls, tags, fillers, which a terminal does not get either.
        if properties.isDefaultIgnorableCodePoint { return nil }
        // Other formats, such as the end of a verse in the Koran, are visible. A character that these tables do not know yet is one.
        return properties.generalCategory == .control ? "\u{FFFD}" : scalar
    }
}
