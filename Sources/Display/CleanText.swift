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

extension CleanText {
    /// The string as people spell it, for searching, with the same UTF-8 offsets. The Thai and Lao AM, which is drawn
    /// as two characters, is one again; an invisible character fills the bytes that are left.
    package var spelled: String {
        guard !isASCII, string.unicodeScalars.contains(where: Scrubber.isNikhahit) else { return string }
        let scalars = Array(string.unicodeScalars)
        var spelled = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let end = scalars[(index + 1)...].firstIndex { !Scrubber.isTone($0) } ?? scalars.count
            if Scrubber.isNikhahit(scalars[index]), end < scalars.count,
                let am = Scrubber.am(of: scalars[index], scalars[end])
            {
                spelled.append(contentsOf: scalars[(index + 1)..<end] + [am, Joining.nonJoiner])
                index = end + 1
            } else {
                spelled.append(scalars[index])
                index += 1
            }
        }
        return String(spelled)
    }
}

/// The longest text that Kedge copies. Terminals drop longer ones without a word.
package enum ClipboardLimit {
    package static let bytes = 1 << 20
}

extension Int {
    /// `1,234,567`
    package var grouped: String {
        let digits = Array(magnitude.description.utf8)
        var bytes: [UInt8] = self < 0 ? [UInt8(ascii: "-")] : []
        for index in digits.indices {
            if index > 0, (digits.count - index) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(digits[index])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
