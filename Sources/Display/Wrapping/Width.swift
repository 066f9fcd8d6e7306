internal import CWidth

/// Measures text in columns of a terminal, with libc's `wcwidth`, which ncurses uses as well.
package enum Width {
    /// Sets the locale on which all measuring depends. Measuring does that by itself; code that uses the locale without
    /// measuring, as ncurses does, must call this first.
    package static func prepare() {
        cwidth_prepare()
    }

    /// Whether the locale of the environment says that the terminal reads UTF-8. Another terminal may take a byte of a
    /// character for a control. Nothing is guessed: the C locale does not say UTF-8, so it counts as another.
    package static var isUTF8: Bool { cwidth_is_terminal_utf8() }

    /// 0 for a mark that shares the cell of its base, 1 or 2 for a character with cells of its own, -1 for one that
    /// cannot be shown.
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
