import Algorithms

/// The marks in a line of prose and their meaning. They stay where they are, dim, and the text that they mark looks
/// as they say: so no character of a message is ever missing, also where somebody meant none of it (`rm *.o lib*`),
/// all offsets are those of the text (of hits, of the row that an anchor holds, of the copied text), and a struck text
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
        /// The bytes of the line that are opened.
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

    /// - Parameters: pieces and links, each sorted and apart from each other.
    init(pieces: [Piece], links: [Link]) { (self.pieces, self.links) = (pieces, links) }

    /// The pieces that lie in a part of the line, cut to it.
    func pieces(in part: Range<Int>) -> [Piece] {
        let first = pieces.partitioningIndex { $0.range.upperBound > part.lowerBound }
        return pieces[first...].prefix { $0.range.lowerBound < part.upperBound }.map {
            Piece(range: $0.range.clamped(to: part), look: $0.look)
        }
    }
}
