internal import Display

/// Text that its sender has hidden, because it would spoil something. It is covered until the reader opens it.
package enum Spoiler {
    /// The character for a column of a covered text.
    package static let cover: Character = "▒"
    /// The longest text that is searched for spoilers, in bytes.
    private static let longest = 1 << 20

    /// The text with its spoilers covered, column by column, so that rows do not move; nil if there are no spoilers.
    package static func covered(_ text: String) -> String? {
        var text = text
        guard let ranges = text.withUTF8({ ranges(in: $0) }), !ranges.isEmpty else { return nil }
        var (result, end) = (String(), text.utf8.startIndex)
        for range in ranges {
            let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
            let next = text.utf8.index(start, offsetBy: range.count)
            result += text[end..<start]
            for character in text[start..<next] {
                let columns = max(1, CleanText(String(character)).columns)
                result += character.isWhitespace ? String(character) : String(repeating: cover, count: columns)
            }
            end = next
        }
        return result + text[end...]
    }

    /// The bytes of the spoilers, without their marks. Nil if the text cannot contain any.
    private static func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
        let bar = UInt8(ascii: "|")
        guard text.count <= longest, zip(text, text.dropFirst()).contains(where: { $0 == bar && $1 == bar }) else {
            return nil
        }
        var ranges: [Range<Int>] = []
        for line in MarkedLines(text, hasHeads: true) where line.kind == .prose {
            for piece in line.markup.pieces where piece.look.contains(.spoiler) {
                let range =
                    line.bytes.lowerBound + piece.range.lowerBound..<line.bytes.lowerBound + piece.range.upperBound
                // A spoiler may contain pieces with other looks.
                if let last = ranges.last, last.upperBound == range.lowerBound {
                    ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
                } else {
                    ranges.append(range)
                }
            }
        }
        return ranges
    }
}
