import Display
import Glibc
import Settings
import Synchronization
import Terminal

/// All output of the program but the screen.
enum Output {
    /// Whether the user's terminal and settings allow colour.
    static var allowsColor: Bool {
        let environment = Environment.variables
        let term = environment["TERM"] ?? ""
        return (environment["NO_COLOR"] ?? "").isEmpty && !term.isEmpty && term != "dumb"
    }

    /// The colours of output on the terminal; nil for none.
    static var theme: Theme? {
        guard allowsColor else { return nil }
        let environment = Environment.variables
        let isRich = (environment["TERM"] ?? "").contains("256") || !(environment["COLORTERM"] ?? "").isEmpty
        // The terminal is not asked for its background: a pager would get the reply.
        return Theme(Config.ofUser.theme, background: nil, count: isRich ? 256 : 8, changes: Config.ofUser.colors)
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal that stdout is.
    static var columns: Int { Screen.terminalSize.columns }

    /// One line for stdout, in which nothing acts on a terminal.
    static func harmless(_ text: String) -> String { isTerminal ? CleanText(text).string : PipedText.line(text) }

    /// Prints lines on stdout.
    /// - Throws: when they cannot all be written, since a reader has to know that a part is missing.
    static func print(_ lines: [String]) throws(Failure) {
        try write(lines.map { $0 + "\n" }.joined())
    }

    /// Writes a text to stdout as it is.
    /// - Throws: as `print`.
    static func write(_ text: String) throws(Failure) {
        guard write(isTerminal ? presentable(text) : text, to: STDOUT_FILENO) else {
            throw Failure(.nothingFound, "cannot write to stdout: \(String(cString: strerror(errno)))")
        }
    }

    /// One line on stderr. It may quote a file or an argument, so it is scrubbed like a message.
    /// - Parameter waits: whether to wait for a terminal that takes no output; else the line is dropped then.
    static func complain(_ text: String, waits: Bool = true) {
        if !waits {
            var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, 200) == 1, request.revents & Int16(POLLOUT) != 0 else { return }
        }
        // A failure to write to stderr cannot be told anywhere.
        _ = write(presentable("kedge: \(CleanText(text))\n"), to: STDERR_FILENO)
    }

    /// A terminal that does not read UTF-8 gets ASCII.
    static let localeAdvice =
        "the locale is not UTF-8, so characters are shown as the nearest ones of ASCII; set LC_ALL=C.UTF-8 if the "
        + "terminal reads UTF-8"
    private static let hasAdvised = Mutex(false)

    /// A terminal that does not read UTF-8 may take a byte of a character for a control.
    static func presentable(_ text: String) -> String {
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

    /// Shows a text on the terminal in place of the line that the cursor is on.
    static func replaceLine(by text: String) {
        _ = write("\r\u{1B}[K" + CleanText(text).string, to: STDOUT_FILENO)
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
