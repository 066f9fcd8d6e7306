/// A part of a text that is scrubbed, parsed and wrapped independently. Sections do not depend on a width. A section ends with a
/// line; within a line that is longer than a section, it ends at a blank if one is near.
package struct TextSection: Equatable, Sendable {
    /// The bytes of the original text.
    package let bytes: Range<Int>
    /// True if it begins inside a block of code.
    package var isCode = false
    /// True if it begins in the middle of a line.
    package var goesOn = false

    /// The bytes of a section, apart from combining marks of its last character.
    static let size = 4_096
    /// The distance in bytes within which to look for a blank.
    private static let reach = 512

    /// A text of this many bytes as one section.
    package static func whole(_ count: Int) -> TextSection { TextSection(bytes: 0..<count) }

    /// All sections; at least one.
    package static func all(of text: String) -> [TextSection] {
        if text.utf8.count <= size { return [.whole(text.utf8.count)] }
        var text = text
        return text.withUTF8 { all(of: $0) }
    }

    static func all(of bytes: UnsafeBufferPointer<UInt8>) -> [TextSection] {
        if bytes.count <= size { return [.whole(bytes.count)] }
        var sections: [TextSection] = []
        var start = 0
        var (isCode, goesOn) = (false, false)
        while start < bytes.count {
            let end = self.end(from: start, in: bytes)
            sections.append(TextSection(bytes: start..<end, isCode: isCode, goesOn: goesOn))
            isCode = passFences(in: bytes, start..<end, isCode: isCode, goesOn: goesOn)
            goesOn = bytes[end - 1] != lineFeed
            start = end
        }
        return sections
    }

    /// The sections that may hold an address.
    package static func withAddresses(in text: String, _ sections: [TextSection]) -> [Int] {
        var text = text
        return text.withUTF8 { bytes in
            sections.indices.filter { index in
                // Most texts have no slash, and a search for one byte is fast.
                bytes[sections[index].bytes.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: "/"))
            }
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")

    private static func end(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.count - start > size else { return bytes.count }
        let limit = start + size
        if let feed = bytes[start..<limit].lastIndex(of: lineFeed) { return feed + 1 }
        let blank = bytes[(limit - reach)..<limit].lastIndex(of: UInt8(ascii: " "))
        return wholeCharacter(from: blank.map { $0 + 1 } ?? limit, in: bytes)
    }

    /// The first place from here on where a cut separates no combining mark from its character, and does not split a line end.
    private static func wholeCharacter(from place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var place = place
        while place < bytes.count, bytes[place] & 0xC0 == 0x80 { place += 1 }
        while place < bytes.count {
            var decoder = UTF8()
            var rest = bytes[place...].makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&rest), belongsToLast(scalar) else { break }
            place += UTF8.width(scalar)
        }
        return place
    }

    private static func belongsToLast(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0E33, 0x0EB3: true
        case ..<0x300: false
        default:
            scalar.properties.isGraphemeExtend || scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.isEmojiModifier
        }
    }

    /// True if a block of code is open at the end of a section.
    private static func passFences(
        in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isCode: Bool, goesOn: Bool
    ) -> Bool {
        var fences = Fences(isCode: isCode)
        for line in RawLines(bytes, range) where !goesOn || line.lowerBound > range.lowerBound {
            // Only these lines can be fences, whatever the screen leaves out of the others.
            guard bytes[line].contains(UInt8(ascii: "`")) else { continue }
            let visible = VisibleLine(UnsafeBufferPointer(rebasing: bytes[line]))
            visible.bytes.withUnsafeBufferPointer { _ = fences.next($0[...]) }
        }
        return fences.isCode
    }
}
