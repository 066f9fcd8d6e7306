internal import CWidth

/// How many terminal columns text takes. Measured by libc's `wcwidth`, which ncurses asks as well.
package enum Width {
    /// Sets the locale that all measuring depends on. Measuring does it by itself; whoever reads the locale without
    /// measuring, as ncurses does, calls this before.
    package static func prepare() {
        cwidth_prepare()
    }

    /// Whether the locale of the environment says that the terminal reads UTF-8. Where it does not, a byte of a character may
    /// be a control to it. Nothing is guessed: the C locale, which says nothing, is none of UTF-8.
    package static var isUTF8: Bool { cwidth_is_terminal_utf8() }

    /// 0 for a mark that shares its base's cell, 1 or 2 for what has cells of its own, -1 for what cannot be shown.
    @inline(__always)
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20 && scalar.value < 0x7F { return 1 }
        return measure(scalar)
    }

    private static func measure(_ scalar: Unicode.Scalar) -> Int {
        // libc calls NUL empty, which for us is a control character like the others.
        scalar.value == 0 ? -1 : Int(cwidth_columns(scalar.value))
    }
}
