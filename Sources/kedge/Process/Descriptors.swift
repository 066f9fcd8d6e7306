import Glibc

/// The file descriptors that the process begins with.
enum Descriptors {
    /// So many must be left to be opened: `open` has some twenty at once, and libdispatch ends the process by an illegal
    /// instruction when it finds none.
    private static let needed = 48

    /// - Throws: when too few are left, also behind the limit that may be raised.
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

    /// A standard descriptor that is closed would be given to the next file that is opened, and output would go into it. It
    /// is put where neither reading nor writing works.
    private static func keepStandardOnes() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", mode)
        }
    }

    private static func areLeft() -> Bool { areFreeAmongLowest() || canBeOpened() }

    /// Asks for many descriptors by one system call whether they are open. It fails where the limit is lower than their number.
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
