import Algorithms
import Display

/// The marks in a line of prose and their meaning. They stay where they are, dim, and the text that they mark looks
/// as they say: so no character of a message is ever missing, also where somebody meant none of it (`rm *.o lib*`),
/// all offsets are those of the text (of hits, of the row that an anchor holds, of what is copied), and a struck text
/// is known by its marks, since ncurses cannot strike through.
///
/// The rules are those of CommonMark in short, within one line:
///
/// - `` `code` ``, with as many backquotes at its end as at its beginning. Nothing inside means anything else.
/// - `**bold**`, `*italic*`, `_italic_`, `***both***`, `~~struck~~`. A mark opens after anything but a letter or digit, before
///   anything but a blank; it closes after anything but a blank, before anything but a letter or digit. So
///   `snake_case_words`, `2*3*4`, `__init__` and `a * b` stay as they are; East Asian writing has no blanks, and
///   counts as no letters here. The nearest mark of the same kind that is open is closed, and those between the two are text.
/// - `https://…` and `http://…`, see `WebAddress`, and `[a text](https://…)`: the address stands dim after the text, so that no
///   link lies. Inside an address nothing means anything else.
/// - A backslash before a mark makes text of it. A mark that is not closed is text.
struct Markup: Equatable, Sendable {
    struct Look: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let bold = Look(rawValue: 1 << 0)
        static let italic = Look(rawValue: 1 << 1)
        static let struck = Look(rawValue: 1 << 2)
        static let code = Look(rawValue: 1 << 3)
        /// The mark that says how the text beside it looks.
        static let mark = Look(rawValue: 1 << 4)
        /// A link: an address, or the text that stands for one.
        static let link = Look(rawValue: 1 << 5)
        /// The address after such a text.
        static let address = Look(rawValue: 1 << 6)

        /// How many there are.
        static let count = 7
    }

    struct Piece: Equatable, Sendable {
        /// Bytes of the line.
        let range: Range<Int>
        let look: Look
    }

    struct Link: Equatable, Sendable {
        /// Bytes of the line: what is opened.
        let address: Range<Int>
        /// All that stands for it: with the text before the address.
        let whole: Range<Int>
    }

    /// Sorted and apart from each other, between whole characters. What is plain is in none.
    private(set) var pieces: [Piece] = []
    /// In order.
    private(set) var links: [Link] = []

    static let none = Markup()

    private init() {}

    /// - Parameter start: bytes at the beginning of the line that are not looked at.
    init(_ line: CleanText, from start: Int) {
        guard Markup.mayHaveMarks(line.string) else { return }
        var parser = MarkupParser(line.string, from: start)
        (pieces, links) = parser.parse()
    }

    /// Most texts have none of these.
    private static func mayHaveMarks(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // Without an early exit the compiler makes vectors of it.
            var found = false
            for byte in bytes {
                found =
                    found || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "`")
                    || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/")
            }
            return found
        }
    }

    /// The pieces that lie in a part of the line, cut to it.
    func pieces(in part: Range<Int>) -> [Piece] {
        let first = pieces.partitioningIndex { $0.range.upperBound > part.lowerBound }
        return pieces[first...].prefix { $0.range.lowerBound < part.upperBound }.map {
            Piece(range: $0.range.clamped(to: part), look: $0.look)
        }
    }
}

/// The beginning of a line of prose.
struct LineHead: Equatable, Sendable {
    /// Bytes that further rows stand after: the mark of a list's item or of a quote, with the blanks around it.
    private(set) var hang = 0
    private(set) var isQuote = false

    static let none = LineHead()

    private init() {}

    /// `- `, `* `, `+ `, `• `, `1. `, `12) ` and `> ` (or several of these), after any blanks.
    init(_ line: CleanText) {
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
            // Faces and prompts (`>_<`, `>>> x`) are none.
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

    /// Nothing hangs after a blank that carries a mark, or that ends the line.
    private mutating func setHang(_ end: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
        hang = end < bytes.count && Neighbor(at: end, in: bytes) != .mark ? end : 0
    }
}
