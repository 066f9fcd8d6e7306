import Files
import Glibc
import Interface
import Relay
import Served
import Settings
import Threads

/// Starts other programs: by a list of arguments, never through a shell.
enum Child {
    /// glibc's POSIX_SPAWN_SETSID, which Swift cannot import.
    private static let ownSession: Int32 = 0x80

    /// Starts a program that can access only its input. It has a process group of its own, since ^Z stops the whole
    /// group of Kedge, and receives all signals, although a `SerialThread` blocks them.
    /// - Parameters:
    ///   - program: a path, or a name to be found by PATH.
    ///   - input: a descriptor to read from; nil for an empty input.
    ///   - seesTerminal: false to start the program in a session without a terminal.
    ///   - output: a descriptor for its output; without one the output is discarded.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String], reading input: Int32? = nil,
        writing output: Int32? = nil, seesTerminal: Bool = true
    ) throws(FileError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // A session of its own has no terminal, and is a group of its own, too.
        let group = seesTerminal ? POSIX_SPAWN_SETPGROUP : Child.ownSession
        return try spawn(program, arguments, environment, actions: &actions, flags: group)
    }

    /// Starts a program that uses the terminal, in the process group of Kedge, so that ^Z stops both. Its signals have
    /// their default handlers.
    static func startOnTerminal(
        _ program: String, _ arguments: [String], environment: [String: String]
    ) throws(FileError) -> pid_t {
        try spawn(program, arguments, environment, actions: nil, flags: POSIX_SPAWN_SETSIGDEF)
    }

    /// Starts a program without blocked signals. With `POSIX_SPAWN_SETSIGDEF` among the flags, all signals have their
    /// default handlers.
    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String],
        actions: UnsafePointer<posix_spawn_file_actions_t>?, flags: Int32
    ) throws(FileError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags | POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let code = withStrings([program] + arguments) { words in
            withStrings(environment.map { "\($0)=\($1)" }) {
                posix_spawnp(&process, program, actions, &attributes, words, $0)
            }
        }
        guard code == 0 else { throw FileError(.read, program, code: code) }
        return process
    }

    /// Waits until the program ends.
    /// - Returns: the status of `waitpid`: 0 when the program succeeded.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }
}

/// Opens web addresses and files in the user's programs for them, by running `xdg-open`.
final class Browser: Sendable {
    private let program: String
    private let environment: [String: String]
    private let mailbox: Mailbox

    /// - Parameter program: a path, or a name to be found by PATH.
    init(
        mailbox: Mailbox, environment: [String: String] = Environment.variables,
        program: String = "xdg-open"
    ) {
        self.mailbox = mailbox
        self.program = program
        self.environment = environment
    }

    /// Returns at once. Reports an error to the loop.
    /// - Parameters:
    ///   - address: a web address, or the absolute path of a file.
    ///   - kind: the user's word for it.
    func open(_ address: String, as kind: String = "link") {
        // A thread for each program: some run as long as the window that they opened, and each has to be waited for.
        SerialThread().run { [self] in
            guard let failure = run(address, kind) else { return }
            mailbox.post(.notOpened("the \(kind) was not opened: \(failure)", link: kind == "link" ? address : nil))
        }
    }

    private func run(_ address: String, _ kind: String) -> String? {
        let process: pid_t
        do throws(FileError) {
            process = try Child.start(program, [address], environment: environment)
        } catch {
            return error.code == ENOENT
                ? "there is no \(program) (package xdg-utils)"
                : "\(program) cannot be started: \(error.reason)"
        }
        let status = Child.wait(for: process)
        if status == 0 { return nil }
        let code = status >> 8 & 0xFF
        return code == 3
            ? "\(program) knows no \(kind == "link" ? "browser" : "program for it")"
            : "\(program) failed with status \(code)"
    }
}

/// The user's own editor for texts: `$VISUAL`, else `$EDITOR`, else vi.
struct TextEditor {
    /// The command, perhaps with arguments: `code --wait`.
    private let command: String
    /// The folders for the file, the best first.
    private let folders: [String]
    private let environment: [String: String]

    /// More than a message can have.
    private static let mostBytes: Int64 = 1 << 25

    init(environment: [String: String], folders: [String]) {
        command = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        self.folders = folders
        self.environment = environment
    }

    /// Shows a text in the editor, which uses the terminal meanwhile, and waits for its end.
    /// - Returns: the text of the file; or the reason why there is none.
    func edit(_ text: String) -> Result<String, EffectError> {
        var written: String?
        for folder in folders where written == nil { written = TextEditor.write(text, into: folder) }
        guard let path = written else {
            return .failure(EffectError("cannot create a temporary file for the editor"))
        }
        defer { unlink(path) }
        if let reason = run(path) { return .failure(EffectError(reason)) }
        guard let text = TextEditor.read(path) else {
            return .failure(EffectError("the text of the editor cannot be read"))
        }
        return .success(text)
    }

    /// - Returns: the reason of an error.
    private func run(_ path: String) -> String? {
        // Keys for the editor that the terminal turns into signals are not for Kedge; ^Z stops both, as the shell expects.
        let handlers: [(Int32, __sighandler_t?)] = [(SIGINT, SIG_IGN), (SIGQUIT, SIG_IGN), (SIGTSTP, SIG_DFL)]
        let former = handlers.map { number, handler in
            var (action, old) = (sigaction(), sigaction())
            action.__sigaction_handler.sa_handler = handler
            sigaction(number, &action, &old)
            return (number, old)
        }
        defer {
            for (number, old) in former { withUnsafePointer(to: old) { _ = sigaction(number, $0, nil) } }
        }
        let name = command.split(separator: " ").first.map(String.init) ?? command
        let process: pid_t
        do throws(FileError) {
            // The variable is a command line of the user's own, as for git.
            process = try Child.startOnTerminal(
                "/bin/sh", ["-c", "exec \(command) \"$@\"", name, path], environment: environment)
        } catch {
            return "the editor cannot be started: \(error.reason)"
        }
        let status = Child.wait(for: process)
        if status == 0 { return nil }
        let short = name.split(separator: "/").last ?? name[...]
        if status & 0x7F != 0 { return "\(short) was ended by signal \(status & 0x7F)" }
        let code = status >> 8 & 0xFF
        return code == 127 ? "there is no \(name); set EDITOR" : "\(short) failed with status \(code)"
    }

    /// Writes a new file that nobody else can read.
    /// - Returns: its path; nil when it cannot be written.
    private static func write(_ text: String, into folder: String) -> String? {
        // Editors expect a line feed at the end; some would join a new line to the last one.
        let text = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
        return try? Disk.createTemporary(in: folder, "kedge-draft-", ".md", Array(text.utf8))
    }

    /// Reads the file. The editor may have replaced the original file.
    private static func read(_ path: String) -> String? {
        guard let bytes = try? Disk.read(path, limit: mostBytes, follows: false) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Starts `kedge-matrix`, which serves the archive of an account. It outlives Kedge, and ends on its own some time later.
enum HelperProgram {
    private static let name = "kedge-matrix"

    /// The program next to this one; if there is none, found by PATH.
    private static var path: String {
        let own = ArchiveLocation.realPath("/proc/self/exe")
        let beside = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)]) + "/" + name
        return access(beside, X_OK) == 0 ? beside : name
    }

    /// - Parameter archive: the real path of the archive.
    /// - Returns: a descriptor for its output, which gets a line when the program listens.
    static func start(archive: String) -> Result<CInt, RelayError> {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return .failure(RelayError("no file descriptor is left")) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        do throws(FileError) {
            let process = try Child.start(
                path, ["serve", "--archive", archive], environment: Environment.variables,
                writing: ends[1], seesTerminal: false)
            // Sleeps until it ends: it may end before Kedge does.
            SerialThread().run { _ = Child.wait(for: process) }
            return .success(ends[0])
        } catch {
            close(ends[0])
            return .failure(
                RelayError(
                    error.code == ENOENT
                        ? "there is no \(name)" : "\(name) cannot be started: \(error.reason)")
            )
        }
    }
}
