/// Makes raw text safe to draw. Everything that a message, a name or a file says passes through here.
///
/// What could act on a terminal is shown as a picture of itself or left out; what terminals measure differently is put
/// into a form that takes the same columns everywhere.
struct Scrubber {
    /// Base and marks of one cell: ncurses keeps 5 (CCHARW_MAX).
    private static let maximumMarks = 4
    private static let tabStop = 4

    private var output: [UInt8] = []
    private var columns = 0
    /// The last scalar that has columns of its own; nil at the start of a line.
    private var base: Unicode.Scalar?
    private var marks = 0

    /// Whether there is nothing to scrub: printable ASCII only.
    static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable { isPlain($0) } ?? bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Without an early exit the compiler makes vectors of it.
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
        case 0x1F3FB...0x1F3FF where followsEmoji, 0x20E3: break
        default: addOther(scalar)
        }
    }

    private mutating func addOther(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        // Joiners, variation selectors, bidi controls, tags, fillers: all that has no shape of its own.
        if properties.isDefaultIgnorableCodePoint { return }
        switch properties.generalCategory {
        case .format, .control, .surrogate, .lineSeparator, .paragraphSeparator: return putReplacement()
        case .unassigned: return putReplacement()
        default: break
        }
        switch Width.columns(of: scalar) {
        case 0: putMark(scalar)
        case 1: put(scalar, columns: 1)
        case 2: put(scalar, columns: 2)
        default: putReplacement()
        }
    }

    /// A skin tone changes the emoji before it on some terminals, and is one of its own on others.
    private var followsEmoji: Bool {
        guard let base, base.value > 0x7F else { return false }
        return base.properties.isEmoji
    }

    private mutating func put(_ scalar: Unicode.Scalar, columns width: Int) {
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        columns += width
        base = scalar
        marks = 0
    }

    /// A mark that has nothing to stand on gets a dotted circle.
    private mutating func putMark(_ scalar: Unicode.Scalar) {
        if base == nil {
            let circle: Unicode.Scalar = "\u{25CC}"
            put(Width.columns(of: circle) == 1 ? circle : " ", columns: 1)
        }
        guard marks < Self.maximumMarks else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
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

    /// What cannot be shown. In a legacy charset not even U+FFFD can.
    private mutating func putReplacement() {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        put(Width.columns(of: replacement) == 1 ? replacement : "?", columns: 1)
    }
}
