import Display
import Glibc
import Synchronization
import Terminal

/// What leaves the program other than by the screen.
enum Output {
    /// Whether the user's terminal and wishes allow colour.
    static var allowsColor: Bool {
        let environment = Environment.variables
        let term = environment["TERM"] ?? ""
        return (environment["NO_COLOR"] ?? "").isEmpty && !term.isEmpty && term != "dumb"
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Of the terminal that stdout is.
    static var columns: Int { Screen.terminalSize.columns }

    /// Text on stdout, one line of it, with nothing in it that acts on a terminal.
    static func harmless(_ text: String) -> String { isTerminal ? CleanText(text).string : PipedText.line(text) }

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
    /// - Parameter waits: whether to wait for a terminal that takes nothing; else it is not told then.
    static func complain(_ text: String, waits: Bool = true) {
        if !waits {
            var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, 200) == 1, request.revents & Int16(POLLOUT) != 0 else { return }
        }
        // Where nobody reads stderr there is nobody to tell that it failed.
        _ = write(presentable("kedge: \(CleanText(text))\n"), to: STDERR_FILENO)
    }

    /// What a terminal takes that does not read UTF-8: ASCII.
    static let localeAdvice =
        "the locale is not UTF-8: other characters are shown as the nearest of ASCII; set LC_ALL=C.UTF-8 where the "
        + "terminal reads UTF-8"
    private static let hasAdvised = Mutex(false)

    /// In a locale that is not UTF-8, a terminal may take a byte of a character for a control.
    private static func presentable(_ text: String) -> String {
        if Width.isUTF8 { return text }
        let ascii = Substitutes.ascii(text)
        let isFirst =
            ascii.utf8.count != text.utf8.count
            && !hasAdvised.withLock { hasAdvised in
                defer { hasAdvised = true }
                return hasAdvised
            }
        if isFirst { complain(localeAdvice) }
        return ascii
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
