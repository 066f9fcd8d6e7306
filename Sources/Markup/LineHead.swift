package import Display

/// The beginning of a line of prose.
package struct LineHead: Equatable, Sendable {
    /// Bytes before the place where further rows begin: the mark of a list item or of a quote, with the blanks around it.
    package private(set) var hang = 0
    /// The place where the text of a quote begins: after its last mark, and the blank that belongs to this.
    private(set) var textStart = 0
    /// The number of `>` at the beginning of a quote.
    private(set) var quotes = 0

    package var isQuote: Bool { quotes > 0 }

    /// That of a line without one.
    package static let none = LineHead()

    private init() {}

    /// `- `, `* `, `+ `, `• `, `1. `, `12) ` and `> ` (or several of these), after any blanks.
    package init(_ line: CleanText) {
        var text = line.string
        self = text.withUTF8 { LineHead($0, isScrubbed: true) }
    }

    /// That of a line that has not been scrubbed, in which blanks may also be tabs.
    init(raw line: UnsafeBufferPointer<UInt8>) { self.init(line, isScrubbed: false) }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, isScrubbed: Bool) {
        func isBlank(_ index: Int) -> Bool {
            index < bytes.count && (bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t"))
        }
        func afterBlanks(_ start: Int) -> Int { (start..<bytes.count).first { !isBlank($0) } ?? bytes.count }

        let start = afterBlanks(0)
        guard start < bytes.count else { return }
        var end = start
        switch bytes[start] {
        case UInt8(ascii: ">"):
            // `>_<` and `>>> x` are no quotes.
            guard isBlank(start + 1) || start + 1 == bytes.count else { return }
            repeat {
                quotes += 1
                textStart = isBlank(end + 1) ? end + 2 : end + 1
                end = afterBlanks(end + 1)
            } while end < bytes.count && bytes[end] == UInt8(ascii: ">")
                && (isBlank(end + 1) || end + 1 == bytes.count)
            setHang(end, bytes, isScrubbed)
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
        setHang(afterBlanks(end), bytes, isScrubbed)
    }

    /// There is no place to hang from after a blank that carries a combining mark, or at the end of the line.
    private mutating func setHang(_ end: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ isScrubbed: Bool) {
        guard end < bytes.count else { return }
        let next = isScrubbed ? Neighbor(at: end, in: bytes) : Neighbor(at: end, inRaw: bytes)
        if next != .mark { hang = end }
    }
}
