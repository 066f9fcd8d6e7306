internal import CWidth

/// Measures text in columns of a terminal, with libc's `wcwidth`, which ncurses uses as well.
package enum Width {
    /// Sets the locale on which all measuring depends. Measuring calls it; code that uses the locale without
    /// measuring, as ncurses does, must call this first.
    package static func prepare() {
        cwidth_prepare()
    }

    /// True if the locale of the environment says that the terminal reads UTF-8. Another terminal may take a byte of a
    /// character for a control. Nothing is guessed: the C locale does not say UTF-8, so it counts as another.
    package static var isUTF8: Bool { cwidth_is_terminal_utf8() }

    /// The columns of a scalar: 0 for a mark that shares the cell of its base, 1 or 2 for a character with cells of its
    /// own, -1 for one that cannot be shown.
    @inline(__always)
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20 && scalar.value < 0x7F { return 1 }
        return measure(scalar)
    }

    private static func measure(_ scalar: Unicode.Scalar) -> Int {
        // libc gives NUL no width; here it is a control character like the others.
        scalar.value == 0 ? -1 : Int(cwidth_columns(scalar.value))
    }
}

/// The rules by which characters join to one cluster (UAX #29). Terminals that measure clusters give such a cluster the
/// columns of its first character, or two at most; terminals that measure scalars add them up, as libc and ncurses do.
enum Joining {
    /// Keeps two characters apart, whatever the rule, and takes no column. After a virama it also makes fonts show the
    /// virama, so that nothing is drawn in fewer cells than are counted.
    static let nonJoiner: Unicode.Scalar = "\u{200C}"

    /// True if a scalar joins the next one: viramas, which join consonants (GB9c names most of them, and some terminals
    /// join with all), and letters that precede a base (GB9b).
    static func joinsNext(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x94D: false
        // The asat of Myanmar counts as a virama, but joins nothing.
        case 0x103A: false
        case 0xD4E, 0x1CF5...0x1CF6, 0x111C2...0x111C3, 0x113D1, 0x1193F, 0x11941, 0x11A3A, 0x11A84...0x11A89,
            0x11D46, 0x11F02:
            true
        default: scalar.properties.canonicalCombiningClass == .virama
        }
    }

    /// An initial of Hangul joins the initial or the syllable after it (GB6). (The vowels and finals that follow an initial
    /// within a syllable have no columns of their own on any terminal.)
    static func isInitial(_ scalar: Unicode.Scalar) -> Bool {
        (0x1100...0x115F).contains(scalar.value) || (0xA960...0xA97C).contains(scalar.value)
    }
}
