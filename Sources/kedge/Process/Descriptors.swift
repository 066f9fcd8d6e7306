import Glibc

/// The file descriptors of the process.
enum Descriptors {
    /// The number of descriptors that must be free: `open` uses some twenty at once, and libdispatch crashes when it gets
    /// none.
    private static let needed = 48

    /// - Throws: when too few are free, even after the limit was raised.
    static func prepare() throws(Failure) {
        keepStandardOnes()
        if areLeft() { return }
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        let known = limit.rlim_cur
        limit.rlim_cur = min(limit.rlim_max, max(known, 1_024))
        if limit.rlim_cur > known, setrlimit(resource, &limit) == 0, areLeft() { return }
        throw Failure(
            .unreadable,
            "too few files may be open at once (\(known), and \(needed) more are needed); raise `ulimit -n`")
    }

    /// A closed standard descriptor would be given to the next file that is opened, and output would go into that file. It is
    /// opened in a mode in which both reading and writing fail.
    private static func keepStandardOnes() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // `open` takes the lowest free number, which is this one.
            _ = open("/dev/null", mode)
        }
    }

    private static func areLeft() -> Bool { areFreeAmongLowest() || canBeOpened() }

    /// Asks by one system call which of the lowest descriptors are free. The call fails where the limit is lower than their
    /// number.
    private static func areFreeAmongLowest() -> Bool {
        var lowest = (0..<2 * CInt(needed)).map { pollfd(fd: $0, events: 0, revents: 0) }
        guard poll(&lowest, nfds_t(lowest.count), 0) >= 0 else { return false }
        return lowest.count { $0.revents & Int16(POLLNVAL) != 0 } >= needed
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
