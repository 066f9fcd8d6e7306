import Display
import Glibc

/// Lines to and from the person at the terminal. What comes from a server cannot control the terminal.
enum Terminal {
    /// Writes a line to stderr.
    static func say(_ line: String) { write("kedge-matrix: \(CleanText(line))\n", to: STDERR_FILENO) }

    /// Writes a line to stdout.
    static func print(_ line: String) { write("\(CleanText(line))\n", to: STDOUT_FILENO) }

    /// Writes the parts of a record, with tabs between them.
    static func print(record: [String]) {
        write(record.map { "\(CleanText($0))" }.joined(separator: "\t") + "\n", to: STDOUT_FILENO)
    }

    private static func write(_ text: String, to file: CInt) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Reads a secret from stdin: on a terminal it is asked for and not shown. Nil at the end of the input.
    static func secret(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine(strippingNewline: true) }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        // ^C gives the terminal back as it was.
        Interruption.call { [before] in
            var before = before
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            _exit(130)
        }
        write("\(CleanText(question)): ", to: STDERR_FILENO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            write("\n", to: STDERR_FILENO)
        }
        return readLine(strippingNewline: true)
    }
}
