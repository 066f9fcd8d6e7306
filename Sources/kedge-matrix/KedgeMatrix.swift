import ArgumentParser
import Display
import Glibc
import MatrixHelper
import Threads
import Usage

@main
struct KedgeMatrix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kedge-matrix",
        abstract: "Mirror a Matrix account into an archive that kedge opens.",
        discussion: """
            An account is an archive in $XDG_DATA_HOME/kedge/matrix. Its rooms are conversations there, and stay readable \
            without the network.

              kedge-matrix login @ana:example.org     logs in with a password
              kedge-matrix sync                       follows the server until ^C
              kedge-matrix sync --once --history      fetches each room from its beginning
              kedge-matrix serve                      follows and sends for an open kedge
              kedge --archive "$(kedge-matrix accounts | head -1 | cut -f2)"

            Messages of encrypted rooms cannot be read: they are shown as "(encrypted message)". To read \
            and send them, run pantalaimon and log in with --pantalaimon and its address as --server.

            Exit status: 0 done, 1 there is no such account, 2 wrong usage, 3 the archive cannot be read or written, \
            4 the server refuses or cannot be reached, 130 interrupted.
            """,
        version: Version.text,
        subcommands: [
            Login.self, Logout.self, Accounts.self, Sync.self, Serve.self, Invites.self, Join.self, Leave.self,
        ])

    static func main() {
        // Writing to a pipe that nobody reads is to fail, and not to end the process by a signal.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // It sets the locale, which only a program of one thread may do.
        Width.prepare()
        let arguments = ProgramArguments.all
        do {
            if let word = unknownCommand(arguments) {
                let advice = UnknownCommand.nearest(to: word, among: commandNames, of: name)
                throw CommandFailure(CommandFailure.usage, UnknownCommand.text(word, of: name, advice: advice))
            }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let failure as CommandFailure {
            Terminal.say(failure.text)
            _exit(failure.status)
        } catch let failure as DiskFailure {
            Terminal.say(failure.description)
            _exit(CommandFailure.disk)
        } catch let failure as ServerFailure {
            Terminal.say(failure.description)
            _exit(CommandFailure.server)
        } catch {
            endAsParserSays(error, arguments)
        }
    }

    private static let name = "kedge-matrix"

    private static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }

    /// The word that stands for a command, or for one whose help is asked for, and is none; else nil.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        return word.flatMap { $0.hasPrefix("-") || commandNames.contains($0) ? nil : $0 }
    }

    /// Help and version go to stdout. An error of the command line is told in one line.
    private static func endAsParserSays(_ error: any Error, _ arguments: [String]) -> Never {
        if exitCode(for: error) == .success { exit(withError: error) }
        let command = arguments.first.flatMap { commandNames.contains($0) && $0 != "help" ? $0 : nil }
        Terminal.say(ParserMessage.line(message(for: error), of: name, command: command, arguments: arguments))
        _exit(CommandFailure.usage)
    }
}

/// The reason why a command did not do its work: one line on stderr, and the exit status.
struct CommandFailure: Error {
    static let none: Int32 = 1
    static let usage: Int32 = 2
    static let disk: Int32 = 3
    static let server: Int32 = 4

    let status: Int32
    let text: String

    init(_ status: Int32, _ text: String) { (self.status, self.text) = (status, text) }
}

/// ^C and SIGTERM, as a call on a thread of its own.
enum Interruption {
    private static let state = Monitor(false)

    /// Whether one of them came.
    static var happened: Bool { state.withLock { $0 } }

    /// Calls `body` when one of them comes. Call this before other threads begin: they are to leave the signals alone.
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

    /// The thread lives as long as the process.
    private static let kept = Monitor<SerialThread?>(nil)
}

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
