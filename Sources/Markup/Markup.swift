internal import Search

/// The marks in a line of prose. They stay visible, but dim, and the text between them gets their look. So no character of a
/// message is ever missing, even if nobody meant a mark (`rm *.o lib*`); all offsets are those of the text (of hits, of anchored
/// rows, of copied text); and struck text is recognisable by its marks, since ncurses cannot strike through.
///
/// The rules are those of CommonMark, simplified, within one line:
///
/// - `` `code` ``, with as many backquotes at its end as at its beginning. There are no marks inside.
/// - `**bold**`, `*italic*`, `_italic_`, `***both***`, `~~struck~~`. A mark opens unless a letter or digit comes before it or a
///   blank after it; it closes unless a blank comes before it or a letter or digit after it. So `snake_case_words`, `2*3*4`,
///   `__init__` and `a * b` are unchanged. East Asian characters do not count as letters here, since they are written without
///   blanks. A closing mark belongs to the nearest open mark of its kind; open marks between the two are text.
/// - `||spoiler||`, by the same rule, but also within words, because a hidden text must stay hidden. `a || b || c` is unchanged.
/// - `https://…` and `http://…`, see `WebLink` of Search, and `[a text](https://…)`. The address stays visible after the text, dim,
///   so that no link can hide where it leads. There are no marks inside an address.
/// - A mark after a backslash is text, and so is a mark that is not closed.
package struct Markup: Equatable, Sendable {
    /// The look of a piece of a line.
    package struct Look: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Look(rawValue: 1 << 0)
        package static let italic = Look(rawValue: 1 << 1)
        package static let struck = Look(rawValue: 1 << 2)
        package static let code = Look(rawValue: 1 << 3)
        /// A mark itself.
        package static let mark = Look(rawValue: 1 << 4)
        /// A link: an address, or the text of one.
        package static let link = Look(rawValue: 1 << 5)
        /// The address after the text of a link.
        package static let address = Look(rawValue: 1 << 6)

        /// Text that its sender has hidden.
        package static let spoiler = Look(rawValue: 1 << 7)

        /// The number of looks.
        static let count = 8
    }

    /// A part of a line with one look.
    package struct Piece: Equatable, Sendable {
        /// Bytes of the line.
        package let range: Range<Int>
        package let look: Look
    }

    /// A link in a line.
    package struct Link: Equatable, Sendable {
        /// The bytes of the address.
        package let address: Range<Int>
        /// The bytes of the whole link, with its text.
        package let whole: Range<Int>
    }

    /// Sorted, without overlaps, between whole characters. Plain text is in no piece.
    package private(set) var pieces: [Piece] = []
    /// The links, in order.
    package private(set) var links: [Link] = []

    /// The markup of a line without marks.
    package static let none = Markup()

    private init() {}

    /// - Parameters: pieces and links, each sorted and without overlaps.
    init(pieces: [Piece], links: [Link]) { (self.pieces, self.links) = (pieces, links) }

    /// The pieces in a part of the line, cut at its ends.
    package func pieces(in part: Range<Int>) -> [Piece] {
        let first = pieces.partitioningIndex { $0.range.upperBound > part.lowerBound }
        return pieces[first...].prefix { $0.range.lowerBound < part.upperBound }.map {
            Piece(range: $0.range.clamped(to: part), look: $0.look)
        }
    }
}
