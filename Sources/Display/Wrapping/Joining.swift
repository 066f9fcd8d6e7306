/// The rules by which characters join to one cluster (UAX #29). Terminals that measure clusters give such a cluster the
/// columns of its first character, or two at most; terminals that measure scalars add them up.
enum Joining {
    /// Keeps two characters apart, whatever the rule, and takes no column. After a virama it also makes fonts show the
    /// virama, so that nothing is drawn in fewer cells than are counted.
    static let nonJoiner: Unicode.Scalar = "\u{200C}"

    /// Whether a scalar joins the next one: viramas, which join consonants (GB9c names most of them, and some terminals
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

    /// Whether two scalars join: an initial of Hangul joins the initial or the syllable after it (GB6). (The vowels and
    /// finals that follow an initial within a syllable have no columns of their own on any terminal.)
    static func joins(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        isInitial(first) && (isInitial(second) || (0xAC00...0xD7A3).contains(second.value))
    }

    private static func isInitial(_ scalar: Unicode.Scalar) -> Bool {
        (0x1100...0x115F).contains(scalar.value) || (0xA960...0xA97C).contains(scalar.value)
    }
}
