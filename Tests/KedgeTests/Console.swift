import Foundation
import Synchronization
import Testing

/// A terminal with one program on it, whose bytes are read only when a test wants it: a terminal that is not read from takes
/// nothing more after some thousand bytes.
final class Console {
    let process: pid_t
    private let master: Int32
    private let slave: Int32
    private var output: [UInt8] = []
    private var end: Int32?

    struct Failure: Error {}

    init(
        _ arguments: [String], columns: Int, rows: Int, environment extra: [String: String?] = [:],
        shell script: String = "exec \"$@\""
    ) throws {
        (master, slave) = try Console.open()
        resizeQuietly(master, columns, rows)
        var environment = Program.environment.merging(["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        for (name, value) in extra { environment[name] = value }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> { posix_spawn_file_actions_adddup2(&actions, slave, descriptor) }
        for descriptor in [master, slave] { posix_spawn_file_actions_addclose(&actions, descriptor) }
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
        close(master)
        close(slave)
    }

    private static func open() throws -> (master: Int32, slave: Int32) {
        let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN, which are not imported.
        guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw Failure()
        }
        let slave = Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure() }
        // Keys that a program does not read must not stop the test.
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        return (master, slave)
    }

    func resize(columns: Int, rows: Int) { resizeQuietly(master, columns, rows) }

    func type(_ text: String) { _ = write(master, text, text.utf8.count) }

    /// Takes in what has been written to the terminal so far.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 0) > 0, request.revents & Int16(POLLIN) != 0 {
            let count = Glibc.read(master, &buffer, buffer.count)
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
        var request = pollfd(fd: slave, events: Int16(POLLOUT), revents: 0)
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

    /// The settings, in a form that can be compared.
    var settings: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        let characters = withUnsafeBytes(of: settings.c_cc) { $0.map { UInt32($0) } }
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag] + characters
    }
}

private func resizeQuietly(_ master: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
}
