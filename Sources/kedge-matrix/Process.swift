import Display
import Glibc
import MatrixHelper
import Threads
import Usage

extension CommandError.Status {
    /// The server refuses, or cannot be reached.
    static var server: Self { .notSent }
}

extension SyncEnd {
    /// The error to report; nil when everything is done.
    func error(of account: Account) -> CommandError? {
        switch self {
        case .done: nil
        case .loggedOut: CommandError(.server, "\(account.user): \(reason(for: account.user) ?? "")")
        case .refused(let reason): CommandError(.server, reason)
        case .disk(let reason): CommandError(.unreadable, reason)
        }
    }
}

/// ^C and SIGTERM, as a call on a thread of its own.
enum Interruption {
    private static let state = Monitor(false)

    /// True if one of them came.
    static var happened: Bool { state.withLock { $0 } }

    /// Calls `body` when one of them comes. Call this before other threads begin: they must not handle the signals.
    static func call(_ body: @escaping @Sendable () -> Void) {
        var signals = ends
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let thread = SerialThread()
        thread.run {
            var signals = ends
            var number: CInt = 0
            sigwait(&signals, &number)
            state.change { $0 = true }
            body()
        }
        kept.change { $0 = thread }
    }

    private static var ends: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }

    /// Keeps the thread for as long as the process.
    private static let kept = Monitor<SerialThread?>(nil)
}

/// Lines to and from the person at the terminal. Text from a server cannot control the terminal.
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

    /// Reads a secret from stdin, on a terminal after a question and without an echo. Nil at the end of the input.
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
