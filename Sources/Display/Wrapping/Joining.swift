/// What makes one cluster of the characters around it, by UAX #29. Terminals that measure clusters give such a cluster the
/// columns of its first character, or two at most; those that measure scalars add its characters up.
enum Joining {
    /// Between two characters it keeps them apart, whatever the rule, and takes no column. Behind a virama it also makes
    /// fonts show the virama, so that nothing is drawn in fewer cells than are counted.
    static let nonJoiner: Unicode.Scalar = "\u{200C}"

    /// Viramas, which join consonants (GB9c names most of them, and some terminals go by all), and letters that join what
    /// follows them (GB9b).
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

    /// Initials of Hangul join the initial or the syllable behind them (GB6). (What follows an initial in a syllable has
    /// no columns of its own, anywhere.)
    static func join(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        isInitial(first) && (isInitial(second) || (0xAC00...0xD7A3).contains(second.value))
    }

    private static func isInitial(_ scalar: Unicode.Scalar) -> Bool {
        (0x1100...0x115F).contains(scalar.value) || (0xA960...0xA97C).contains(scalar.value)
    }
}
