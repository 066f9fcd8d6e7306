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

    /// Makes a text of pieces that have been scrubbed.
    init(scrubbed string: String, columns: Int) {
        self.string = string
        self.columns = columns
    }

    /// The lines of a message: split at every kind of line end, tabs expanded to stops of 4 columns. Never empty.
    package static func lines(_ raw: String) -> [CleanText] {
        Scrubber.isPlain(raw.utf8) ? [CleanText(raw)] : Scrubber.lines(raw.unicodeScalars)
    }

    /// True if scrubbing leaves a character out, wherever it stands.
    package static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool { Scrubber.leavesOut(scalar) }

    package var isEmpty: Bool { string.isEmpty }

    /// True if each byte is a character of one column. All other text has more bytes than columns.
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

    /// The string for a terminal that measures clusters: with a non-joiner wherever a cell would join the next one, so
    /// that all terminals give the text the same columns.
    package var apart: String {
        guard !isASCII, string.unicodeScalars.contains(where: { $0.value >= 0x94D }) else { return string }
        var apart = String.UnicodeScalarView()
        for scalar in string.unicodeScalars {
            // A vowel of Hangul belongs to the initial before it.
            if let last = apart.last, Width.columns(of: scalar) > 0, Joining.isInitial(last) {
                apart.append(Joining.nonJoiner)
            }
            apart.append(scalar)
            // At once, whatever comes next: another text may be drawn after this one.
            if Joining.joinsNext(scalar) { apart.append(Joining.nonJoiner) }
        }
        return String(apart)
    }
}

/// Makes raw text safe to draw. Every text of a message, a name or a file passes through here.
///
/// A character that could act on a terminal is shown as a picture of itself or left out. A character that terminals
/// measure differently is put into a form that takes the same columns everywhere:
///
/// - Joiners, variation selectors, tags, keycaps and skin tones are dropped: a family shows as its members.
/// - A flag becomes two letters; a number of two digits in a square becomes two digits.
/// - Non-joiners after a letter stay in scripts whose letters join: Persian keeps its spelling. They take no
///   column. (Where a terminal would join two letters to fewer columns, as consonants of Indic scripts, Terminal keeps
///   them apart.)
/// - A character that would join the one before it, although it has a column of its own, gets another spelling: the
///   Thai and Lao AM, the voicing marks of half-width kana.
///
/// No such form is known for vowel signs with a column of their own (spacing marks, as in का): most terminals count them
/// as libc does, some do not.
struct Scrubber {
    /// The number of marks in a cell: ncurses keeps 5 scalars, with the base (CCHARW_MAX).
    private static let maximumMarks = 4
    private static let tabStop = 4

    private var output: [UInt8] = []
    private var columns = 0
    /// The last scalar with columns of its own; nil at the start of a line.
    private var base: Unicode.Scalar?
    /// The last scalar of the line.
    private var last: Unicode.Scalar?
    /// The number of marks in the cell, including those that Terminal adds.
    private var marks = 0

    /// True if there is nothing to scrub, because all of it is printable ASCII.
    static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable { isPlain($0) } ?? bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // No early exit, so that the compiler vectorises the loop.
        var plain = true
        for byte in bytes { plain = plain && (byte &- 0x20) < 0x5F }
        return plain
    }

    static func line(_ raw: some Sequence<Unicode.Scalar>) -> CleanText {
        var scrubber = Scrubber()
        var previous: Unicode.Scalar?
        for scalar in raw {
            defer { previous = scalar }
            if endsLine(scalar) || scalar == "\t" {
                if scalar != "\n" || previous != "\r" { scrubber.put(" ", columns: 1) }
            } else {
                scrubber.add(scalar)
            }
        }
        return scrubber.take()
    }

    static func lines(_ raw: some Sequence<Unicode.Scalar>) -> [CleanText] {
        var scrubber = Scrubber()
        var lines: [CleanText] = []
        var previous: Unicode.Scalar?
        for scalar in raw {
            defer { previous = scalar }
            if endsLine(scalar) {
                if scalar != "\n" || previous != "\r" { lines.append(scrubber.take()) }
            } else if scalar == "\t" {
                repeat { scrubber.put(" ", columns: 1) } while scrubber.columns % tabStop != 0
            } else {
                scrubber.add(scalar)
            }
        }
        lines.append(scrubber.take())
        return lines
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private mutating func take() -> CleanText {
        let text = CleanText(scrubbed: String(decoding: output, as: UTF8.self), columns: columns)
        self = Scrubber()
        return text
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20..<0x7F: put(scalar, columns: 1)
        case 0..<0x20, 0x7F: putPicture(of: scalar)
        case 0x80..<0xA0: putReplacement()
        case 0x1F1E6...0x1F1FF: putLetter(of: scalar)
        case 0x1F3FB...0x1F3FF: if !followsEmoji { putReplacement() }
        case 0x0E33, 0x0EB3: putAM(scalar)
        case 0xFF9E where Self.hasVoicingMarks: putMark("\u{3099}")
        case 0xFF9F where Self.hasVoicingMarks: putMark("\u{309A}")
        case 0x3248...0x324F: putTens(of: scalar)
        default: addOther(scalar)
        }
    }

    /// Joiners, variation selectors, bidi controls, tags and fillers have no shape of their own and are left out; so is the
    /// keycap. A non-joiner in its place stays.
    static func leavesOut(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{20E3}" || scalar.properties.isDefaultIgnorableCodePoint
    }

    private mutating func addOther(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if scalar == Joining.nonJoiner { return putNonJoiner() }
        if Self.leavesOut(scalar) { return }
        switch properties.generalCategory {
        case .format, .control, .surrogate, .lineSeparator, .paragraphSeparator: return putReplacement()
        case .unassigned: return putReplacement()
        default: break
        }
        switch Width.columns(of: scalar) {
        case 0: putMark(scalar)
        case 1: put(scalar, columns: 1)
        // Only libc takes a spacing mark for wide.
        case 2 where properties.generalCategory != .spacingMark: put(scalar, columns: 2)
        default: putReplacement()
        }
    }

    /// True if a skin tone would follow an emoji. There it changes that emoji on some terminals, and is an emoji of its
    /// own on others; after any other character it takes 0, 1 or 2 columns.
    private var followsEmoji: Bool {
        guard let base, base.value > 0x7F else { return false }
        return base.properties.isEmoji
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func put(_ scalar: Unicode.Scalar, columns width: Int) {
        append(scalar)
        columns += width
        base = scalar
        last = scalar
        // Room in the cell for the non-joiner with which Terminal keeps the next character apart.
        marks = scalar.value > 0x7F && Joining.joinsNext(scalar) ? 1 : 0
    }

    /// A mark without a base gets a dotted circle.
    private mutating func putMark(_ scalar: Unicode.Scalar) {
        if base == nil {
            let circle: Unicode.Scalar = "\u{25CC}"
            put(Width.columns(of: circle) == 1 ? circle : " ", columns: 1)
        }
        // Terminal adds a non-joiner after a character that joins the next one: both must fit.
        let room = Joining.joinsNext(scalar) ? 2 : 1
        guard marks + room <= Self.maximumMarks else { return }
        append(scalar)
        last = scalar
        marks += room
    }

    /// A non-joiner of the text. (A joiner would make some terminals draw the next character into the same cell.)
    private mutating func putNonJoiner() {
        guard TextJoiner.isSeen(after: last), marks < Self.maximumMarks, Width.columns(of: Joining.nonJoiner) == 0
        else {
            return
        }
        append(Joining.nonJoiner)
        last = Joining.nonJoiner
        marks += 1
    }

    private mutating func putPicture(of control: Unicode.Scalar) {
        let value = control.value == 0x7F ? 0x2421 : 0x2400 + control.value
        if let picture = Unicode.Scalar(value), Width.columns(of: picture) == 1 {
            put(picture, columns: 1)
        } else {
            putReplacement()
        }
    }

    /// A flag is two letters, and shows as two letters: some terminals draw a flag, others letters in boxes.
    private mutating func putLetter(of indicator: Unicode.Scalar) {
        put(Unicode.Scalar(UInt8(truncatingIfNeeded: indicator.value - 0x1F1E6 + 0x41)), columns: 1)
    }

    /// CIRCLED NUMBER TEN ON BLACK SQUARE and so on have two columns in libc and one elsewhere.
    private mutating func putTens(of number: Unicode.Scalar) {
        put(Unicode.Scalar(UInt8(truncatingIfNeeded: number.value - 0x3248 + 0x31)), columns: 1)
        put("0", columns: 1)
    }

    /// Puts a character in place of one that cannot be shown. In a legacy charset not even U+FFFD can be shown.
    private mutating func putReplacement() {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        put(Width.columns(of: replacement) == 1 ? replacement : "?", columns: 1)
    }
}

// MARK: - Characters that join the one before them, although they have a column

extension Scrubber {
    /// False in a legacy charset, where half-width kana have no other spelling.
    private static var hasVoicingMarks: Bool {
        Width.columns(of: "\u{3099}") == 0 && Width.columns(of: "\u{309A}") == 0
    }

    /// The vowel AM is a ring (nikhahit) over the consonant before it and the letter AA after that consonant, and is
    /// written as these two. The ring is below a tone mark, so it comes before that.
    private mutating func putAM(_ am: Unicode.Scalar) {
        guard let ring = Unicode.Scalar(am.value + 0x1A), let letter = Unicode.Scalar(am.value - 1),
            Width.columns(of: ring) == 0, Width.columns(of: letter) == 1
        else { return addOther(am) }
        var tones: [Unicode.Scalar] = []
        while marks > 0, let tone = takeTone() { tones.append(tone) }
        putMark(ring)
        for tone in tones.reversed() { putMark(tone) }
        put(letter, columns: 1)
    }

    /// Removes a Thai or Lao tone mark from the end of the output.
    private mutating func takeTone() -> Unicode.Scalar? {
        guard let last = String(decoding: output.suffix(3), as: UTF8.self).unicodeScalars.last, Self.isTone(last) else {
            return nil
        }
        output.removeLast(3)
        marks -= 1
        return last
    }

    static func isTone(_ scalar: Unicode.Scalar) -> Bool {
        (0xE48...0xE4B).contains(scalar.value) || (0xEC8...0xECB).contains(scalar.value)
    }

    static func isNikhahit(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0xE4D || scalar.value == 0xECD }

    /// The AM that was written as these two.
    static func am(of ring: Unicode.Scalar, _ letter: Unicode.Scalar) -> Unicode.Scalar? {
        letter.value + 1 == ring.value - 0x1A ? Unicode.Scalar(letter.value + 1) : nil
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
