/// A line of a text that has not been scrubbed, with what its marks mean: the same as on the screen.
package struct MarkedLine: Sendable {
    /// Its bytes in the text, without the line end.
    package let bytes: Range<Int>
    package let kind: LineKind
    /// Whether it is the rest of the line before, which is longer than a section.
    package let goesOn: Bool
    /// The number of `>` at its beginning.
    package let quotes: Int
    /// The number of bytes before the text of a quote, or before what follows the backquotes of a fence.
    package let start: Int
    /// Its offsets count from the beginning of the line.
    package let markup: Markup
    /// The addresses of its links, as they are opened: exactly as they were written, without what is invisible and loose.
    package let addresses: [String]
}
