import Glibc

/// Why one race or all of them cannot be run: one line, and the screen where that helps.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Time as it passes, in seconds.
enum Stopwatch {
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func sleep(_ seconds: Double) {
        usleep(UInt32(seconds * 1e6))
    }
}

/// A program to start.
struct Command {
    let arguments: [String]
    let environment: [String: String]

    init(_ arguments: [String], _ environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts it with a terminal of its own, or with stdout at a descriptor, stdin empty and stderr silent.
    func start(_ output: Output) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        switch output {
        case .terminal(let path):
            // The first terminal that the leader of a session opens is its own.
            let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID
            posix_spawnattr_setflags(&attributes, newSession)
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        case .descriptor(let descriptor):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        let status = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
        guard status == 0 else {
            throw Failure("\(arguments[0]) cannot be started: \(String(cString: strerror(status)))")
        }
        return process
    }

    enum Output {
        case terminal(String)
        case descriptor(Int32)
    }
}

/// A pseudo terminal of this program.
struct Pty: ~Copyable {
    let master: Int32
    /// The path that programs open.
    let path: String

    init(rows: Int, columns: Int) throws {
        // (`posix_openpt` is not imported into Swift.)
        let unlock = UInt(0x4004_5431)  // TIOCSPTLCK
        let getNumber = UInt(0x8004_5430)  // TIOCGPTN
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw Failure("there is no pseudo terminal to be had; is /dev/pts mounted?")
        }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(master) }
}
