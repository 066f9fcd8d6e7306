/// Text for a pipe or a file, as people wrote it but for what acts on a terminal that it is printed on later: nothing in it
/// is a control, turns other text around or cannot be seen. Unlike `CleanText` it knows no columns, so that words can be
/// looked for in it as they are spelled.
package enum PipedText {
    /// One line: line ends and tabs become single spaces, other controls pictures of themselves.
    package static func line(_ raw: String) -> String {
        if Scrubber.isPlain(raw.utf8) { return raw }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in raw.unicodeScalars {
            if scalar != "\n" || previous != "\r", let kept = substitute(for: scalar) { result.append(kept) }
            previous = scalar
        }
        return String(result)
    }

    /// Nil for what is left out.
    private static func substitute(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x20..<0x7F: return scalar
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: return " "
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: return "\u{2421}"
        default: break
        }
        let properties = scalar.properties
        // Joiners, variation selectors, bidi controls, tags, fillers: as on a terminal.
        if properties.isDefaultIgnorableCodePoint { return nil }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: "\u{FFFD}"
        default: scalar
        }
    }
}
