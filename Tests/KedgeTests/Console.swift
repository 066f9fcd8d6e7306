import Foundation
import TestSupport
import Testing

/// A terminal with one program on it, whose bytes are read only when a test wants it: a terminal that is not read from takes
/// nothing more after some thousand bytes.
final class Console {
    let process: pid_t
    private let ends: PseudoTerminal
    private var output: [UInt8] = []
    private var end: Int32?

    struct Failure: Error {}

    /// - Parameter script: of the shell that becomes the program: its own words are the program and its arguments.
    init(
        _ arguments: [String], columns: Int, rows: Int, environment extra: [String: String?] = [:],
        shell script: String = "exec \"$@\""
    ) throws {
        ends = try PseudoTerminal(columns: columns, rows: rows)
        // Keys that a program does not read must not stop the test.
        _ = fcntl(ends.master, F_SETFL, O_NONBLOCK)
        var environment = Program.environment.merging(["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        for (name, value) in extra { environment[name] = value }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_adddup2(&actions, ends.slave, descriptor)
        }
        for descriptor in [ends.master, ends.slave] { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words = ["/bin/sh", "-c", script, "sh", Program.path] + arguments
        let strings = (words.map { strdup($0) } + [nil], environment.map { strdup("\($0)=\($1)") } + [nil])
        defer { for string in strings.0 + strings.1 { free(string) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", &actions, &attributes, strings.0, strings.1) == 0 else {
            throw Failure()
        }
        self.process = process
    }

    deinit {
        if end == nil {
            kill(process, SIGKILL)
            _ = waitpid(process, nil, 0)
        }
        close(ends.master)
        close(ends.slave)
    }

    func resize(columns: Int, rows: Int) { ends.resize(columns: columns, rows: rows) }

    func type(_ text: String) { ends.type(Array(text.utf8)) }

    /// Takes in what has been written to the terminal so far.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var request = pollfd(fd: ends.master, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 0) > 0, request.revents & Int16(POLLIN) != 0 {
            let count = Glibc.read(ends.master, &buffer, buffer.count)
            guard count > 0 else { break }
            output += buffer[..<count]
        }
        return output
    }

    var text: String { String(decoding: read(), as: UTF8.self) }

    /// Polls until something is true, reading or not.
    func wait(_ what: String, reads: Bool = true, _ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !condition() {
            if reads { _ = read() }
            guard ContinuousClock.now < deadline else {
                Issue.record("not \(what): \(text.suffix(2_000).debugDescription)")
                throw Tmux.Unmet(what: what)
            }
        }
    }

    /// Whether nothing more can be written to the terminal.
    var isFull: Bool {
        var request = pollfd(fd: ends.slave, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    /// Waits for the end.
    /// - Returns: what `waitpid` tells.
    func status(reads: Bool = true) throws -> Int32 {
        if let end { return end }
        try wait("ended", reads: reads) {
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG) == process else { return false }
            end = status
            return true
        }
        return end ?? 0
    }

    var settings: [UInt32] { ends.settings }
}
