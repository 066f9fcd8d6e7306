import Archive
import Display
import Files
import Glibc
import Logging
import Messages
import Settings
import Synchronization
import Threads
import Usage

/// The file descriptors of the process.
enum Descriptors {
    /// The number of descriptors that must be free: `open` uses some twenty at once, and libdispatch crashes when it gets
    /// none.
    private static let needed = 48

    /// - Throws: when too few are free, even after the limit was raised.
    static func prepare() throws(CommandError) {
        var free = freeAmongLowest()
        if free?.contains(where: { $0 <= STDERR_FILENO }) ?? true {
            keepStandardOnes()
            free = freeAmongLowest()
        }
        if areEnough(free) { return }
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        let known = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, max(known, 1_024))
        if limit.rlim_cur > known, setrlimit(resource, &limit) == 0, areEnough(freeAmongLowest()) { return }
        throw CommandError(
            .unreadable,
            "the limit of \(known) open files is too low (\(needed) more are needed); raise `ulimit -n`")
    }

    /// A closed standard descriptor would be given to the next file that is opened, and output would go into that file. It is
    /// opened in a mode in which its use fails: reading stdin, writing stdout or stderr.
    private static func keepStandardOnes() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // `open` takes the lowest free number, which is this one.
            _ = open("/dev/null", mode)
        }
    }

    private static func areEnough(_ free: [CInt]?) -> Bool { free.map { $0.count >= needed } ?? false || canBeOpened() }

    /// The free ones of the lowest descriptors, by one system call; nil where the limit is lower than their number, and the call
    /// fails.
    private static func freeAmongLowest() -> [CInt]? {
        var lowest = (0..<2 * CInt(needed)).map { pollfd(fd: $0, events: 0, revents: 0) }
        guard poll(&lowest, nfds_t(lowest.count), 0) >= 0 else { return nil }
        return lowest.filter { $0.revents & Int16(POLLNVAL) != 0 }.map(\.fd)
    }

    private static func canBeOpened() -> Bool {
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { return false }
            opened.append(descriptor)
        }
        return true
    }
}

/// The thread that reads the archive of this start. Creating a thread takes the system as long as the program needs to
/// read its arguments, so it is created first.
enum EarlyThread {
    private static let thread = Mutex<SerialThread?>(nil)

    /// Starts the thread. If the system cannot start one, opening the archive tries again, and reports the reason.
    static func start() {
        let started = SerialThread.started()
        thread.withLock { $0 = started }
    }

    /// The thread, for its only user; nil when none was started.
    static func take() -> SerialThread? { thread.withLock { $0.take() } }
}

/// The end of the process.
enum Exit {
    /// Ends the process without the handlers of `exit`. Those destroy objects of libraries that other threads still use: a
    /// thread that builds the index would abort the process with simdjson's "pure virtual method called". No output is lost,
    /// since `Output` and ncurses do not leave any in the buffers of stdio.
    static func now(_ status: Int32) -> Never {
        TemporaryIndexes.removeAll()
        _exit(status)
    }
}

/// The log, for problems that come up while the screen shows a conversation. The file is created with its first line.
/// When it cannot be written, the program continues.
struct LogFile: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let folder: String?

    static func logger(in folders: Folders) -> Logger {
        Logger(label: "kedge") { _ in LogFile(folder: folders.state) }
    }

    /// The log of this user; nil where there is no home folder.
    static var path: String? {
        Folders.ofUser.state.map { path(in: $0) }
    }

    private static func path(in folder: String) -> String { folder + "/kedge.log" }

    static var silent: Logger { Logger(label: "kedge") { _ in SwiftLogNoOpLogHandler() } }

    private init(folder: String?) { self.folder = folder }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard let folder, (try? Disk.makeFolder(folder)) != nil else { return }
        let line = "\(Timestamp.now.iso8601) \(event.level) \(CleanText("\(event.message)"))\n"
        try? Disk.append(Array(line.utf8), to: LogFile.path(in: folder))
    }
}

/// The terminal as the source of keys.
enum TerminalInput {
    /// Makes the terminal the standard input, if that is something else and the screen would be shown on a terminal: as less
    /// and fzf do, so that `… | xargs kedge open` works.
    static func takeOver() {
        guard isatty(STDIN_FILENO) == 0, isatty(STDOUT_FILENO) == 1 else { return }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return }
        dup2(terminal, STDIN_FILENO)
        close(terminal)
    }
}

extension Timestamp {
    /// The time of the system's clock.
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
