import Display
import FoundationEssentials
import Glibc

/// What leaves the program other than by the screen.
enum Output {
    /// Whether the user's terminal and wishes allow colour.
    static var allowsColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        let term = environment["TERM"] ?? ""
        return (environment["NO_COLOR"] ?? "").isEmpty && !term.isEmpty && term != "dumb"
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Of the terminal that stdout is.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Lines on stdout.
    /// - Throws: when they cannot all be written; whoever reads a part must know that it is one.
    static func print(_ lines: [String]) throws(Failure) {
        try write(lines.map { $0 + "\n" }.joined())
    }

    /// Text on stdout as it is.
    /// - Throws: as `print`.
    static func write(_ text: String) throws(Failure) {
        guard write(isTerminal ? presentable(text) : text, to: STDOUT_FILENO) else {
            throw Failure(.nothingFound, "stdout cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    /// One line on stderr. What went wrong may quote a file or an argument: it is as hostile as a message.
    static func complain(_ text: String) {
        // Where nobody reads stderr there is nobody to tell that it failed.
        _ = write(presentable("kedge: \(CleanText(text))\n"), to: STDERR_FILENO)
    }

    /// In a locale that is not UTF-8, a terminal may take a byte of a character for a control.
    private static func presentable(_ text: String) -> String {
        if Width.isUTF8 { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
    }
}
