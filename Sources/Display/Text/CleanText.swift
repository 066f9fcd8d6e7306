/// Text that is safe to draw. Raw text becomes clean text only by scrubbing.
///
/// It is a single line without controls, and without format characters other than the non-joiners that scrubbing adds.
/// Every terminal shows it in the same number of `columns` (as far as `Scrubber` can ensure that).
package struct CleanText: Hashable, Sendable {
    package let string: String
    /// The display width: the sum of the widths of the scalars.
    package let columns: Int

    package static let empty = CleanText(scrubbed: "", columns: 0)

    /// Makes one line: line ends and tabs become single spaces.
    package init(_ raw: some StringProtocol) {
        if Scrubber.isPlain(raw.utf8) {
            string = String(raw)
            columns = string.utf8.count
        } else {
            self = Scrubber.line(raw.unicodeScalars)
        }
    }

    /// For pieces of text that has been scrubbed.
    init(scrubbed string: String, columns: Int) {
        self.string = string
        self.columns = columns
    }

    /// The lines of a message: split at every kind of line end, tabs expanded to stops of 4 columns. Never empty.
    package static func lines(_ raw: String) -> [CleanText] {
        Scrubber.isPlain(raw.utf8) ? [CleanText(raw)] : Scrubber.lines(raw.unicodeScalars)
    }

    /// Whether scrubbing leaves a character out, wherever it stands.
    package static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool { Scrubber.leavesOut(scalar) }

    package var isEmpty: Bool { string.isEmpty }

    /// Whether each byte is a character of one column. All other text has more bytes than columns.
    var isASCII: Bool { string.utf8.count == columns }

    package static func + (left: CleanText, right: CleanText) -> CleanText {
        CleanText(scrubbed: left.string + right.string, columns: left.columns + right.columns)
    }
}

extension CleanText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension CleanText: CustomStringConvertible {
    package var description: String { string }
}
