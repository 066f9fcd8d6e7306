import Display
import Glibc
import Settings
import Synchronization
import Terminal
import Usage

/// All output of the program except the screen.
enum Output {
    /// True if the user's terminal and settings allow colour.
    static var allowsColor: Bool {
        let environment = Environment.variables
        let term = environment["TERM"] ?? ""
        return (environment["NO_COLOR"] ?? "").isEmpty && !term.isEmpty && term != "dumb"
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal at stdout.
    static var columns: Int { Screen.terminalSize.columns }

    /// One line for stdout, without control sequences on a terminal.
    static func harmless(_ text: String) -> String { isTerminal ? CleanText(text).string : PipedText.line(text) }

    /// Prints lines on stdout.
    /// - Throws: when they cannot all be written, so that a reader knows that a part is missing.
    static func print(_ lines: [String]) throws(CommandError) {
        try write(lines.map { $0 + "\n" }.joined())
    }

    /// Writes a text to stdout as it is.
    /// - Throws: as `print`.
    static func write(_ text: String) throws(CommandError) {
        guard write(isTerminal ? presentable(text) : text, to: STDOUT_FILENO) else {
            throw CommandError(.nothingFound, "cannot write to stdout: \(String(cString: strerror(errno)))")
        }
    }

    /// Prints one line on stderr. It may quote a file or an argument, so it is scrubbed like a message.
    /// - Parameter waits: true to wait for a terminal that accepts no output; else the line is dropped then.
    static func complain(_ text: String, waits: Bool = true) {
        if !waits {
            var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, 200) == 1, request.revents & Int16(POLLOUT) != 0 else { return }
        }
        // An error of writing to stderr cannot be reported anywhere.
        _ = write(presentable("kedge: \(CleanText(text))\n"), to: STDERR_FILENO)
    }

    /// Advice for a terminal that does not read UTF-8, and therefore gets ASCII.
    static let localeAdvice =
        "the locale is not UTF-8, so characters are shown as the nearest ones of ASCII; set LC_ALL=C.UTF-8 if the "
        + "terminal reads UTF-8"
    private static let hasAdvised = Mutex(false)

    /// The text in ASCII if the terminal does not read UTF-8: it may take a byte of a character for a control.
    static func presentable(_ text: String) -> String {
        if Width.isUTF8 { return text }
        let ascii = Transliteration.ascii(text)
        let isFirst =
            ascii.utf8.count != text.utf8.count
            && !hasAdvised.withLock { hasAdvised in
                defer { hasAdvised = true }
                return hasAdvised
            }
        if isFirst { complain(localeAdvice) }
        return ascii
    }

    /// Shows a text on the terminal in place of the cursor's line.
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

/// The progress of long work, in one line on a terminal's stderr: a bar, the speed, and the time left.
final class ProgressBar: Sendable {
    private struct State {
        let start = ContinuousClock.now
        var shown: ContinuousClock.Instant?
    }

    /// Shorter work shows no line, and nobody can read more than ten lines a second.
    private static let patience = Duration.milliseconds(300)
    private static let pause = Duration.milliseconds(100)
    private static let width = 24

    private let isVisible = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    /// - Parameters: the number of bytes done, and of all bytes.
    func show(_ done: Int64, of total: Int64) {
        guard isVisible, total > 0 else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            let elapsed = now - state.start
            guard elapsed >= ProgressBar.patience, state.shown.map({ now - $0 >= ProgressBar.pause }) ?? true else {
                return
            }
            state.shown = now
            write(ProgressBar.line(done, of: total, after: elapsed))
        }
    }

    deinit { finish() }

    /// Removes the line.
    func finish() {
        state.withLock { state in
            if state.shown != nil { write("\r\u{1B}[K") }
            state.shown = nil
        }
    }

    static func line(_ done: Int64, of total: Int64, after elapsed: Duration) -> String {
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = Double(done) / seconds
        let left = rate > 0 ? Int((Double(total - done) / rate).rounded(.up)) : 0
        return "\r\u{1B}[K\(bar) \(Int(share * 100))%  \(Int(rate / 1e6)) MB/s  \(left) s left"
    }

    private func write(_ text: String) {
        var text = Width.isUTF8 ? text : Transliteration.ascii(text)
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The program with which a user reads long output: `$PAGER`, else less.
enum UserPager {
    /// Shows lines on the terminal, in the pager if they exceed the screen.
    /// - Throws: when stdout cannot be written.
    static func show(_ lines: [String]) throws(CommandError) {
        let command = Environment.variables["PAGER"].flatMap { $0.isEmpty ? nil : $0 } ?? "less"
        guard lines.count >= Screen.terminalSize.rows, command != "cat", page(lines, by: command) else {
            return try Output.print(lines)
        }
    }

    /// - Returns: false if the pager could not be started.
    private static func page(_ lines: [String], by command: String) -> Bool {
        // If the shell did not find the pager, all lines would be lost.
        let name = command.split(separator: " ").first.map(String.init) ?? ""
        guard isInstalled(name) else { return false }
        // As for git: colours, no pager for a short text, and the text stays on the screen.
        if Environment.variables["LESS"] == nil { setenv("LESS", "FRX", 1) }
        signal(SIGPIPE, SIG_IGN)
        // ^C is for the pager.
        signal(SIGINT, SIG_IGN)
        guard let pipe = popen(command, "w") else { return false }
        for line in lines {
            let text = Output.presentable(line + "\n")
            guard fputs(text, pipe) >= 0 else { break }
        }
        pclose(pipe)
        return true
    }

    private static func isInstalled(_ name: String) -> Bool {
        guard !name.contains("/") else { return access(name, X_OK) == 0 }
        let folders = (Environment.variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
