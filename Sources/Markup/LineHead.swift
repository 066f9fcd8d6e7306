package import Display

/// The beginning of a line of prose.
package struct LineHead: Equatable, Sendable {
    /// Bytes before the place where further rows begin: the mark of a list item or of a quote, with the blanks around it.
    package private(set) var hang = 0
    package private(set) var isQuote = false

    /// That of a line without one.
    package static let none = LineHead()

    private init() {}

    /// `- `, `* `, `+ `, `• `, `1. `, `12) ` and `> ` (or several of these), after any blanks.
    package init(_ line: CleanText) {
        var text = line.string
        self = text.withUTF8 { LineHead($0) }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let blank = UInt8(ascii: " ")
        func afterBlanks(_ start: Int) -> Int { bytes[start...].firstIndex { $0 != blank } ?? bytes.count }
        func isBlank(_ index: Int) -> Bool { index < bytes.count && bytes[index] == blank }

        let start = afterBlanks(0)
        guard start < bytes.count else { return }
        var end = start
        switch bytes[start] {
        case UInt8(ascii: ">"):
            // `>_<` and `>>> x` are no quotes.
            guard isBlank(start + 1) || start + 1 == bytes.count else { return }
            isQuote = true
            while end < bytes.count, bytes[end] == UInt8(ascii: ">"), isBlank(end + 1) { end = afterBlanks(end + 1) }
            setHang(end, bytes)
            return
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"): end += 1
        case 0xE2 where bytes[start...].starts(with: "•".utf8): end += "•".utf8.count
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            while end < bytes.count, end - start < 4, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[end] { end += 1 }
            guard end - start < 4, end < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ")")
            else { return }
            end += 1
        default: return
        }
        guard isBlank(end) else { return }
        setHang(afterBlanks(end), bytes)
    }

    /// There is no place to hang from after a blank that carries a combining mark, or at the end of the line.
    private mutating func setHang(_ end: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        hang = end < bytes.count && Neighbor(at: end, in: bytes) != .mark ? end : 0
    }
}
