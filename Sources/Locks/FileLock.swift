package import Glibc

/// Takes `flock` locks, with a limit on the wait. A lock ends with its descriptor, and so with the process.
package enum FileLock {
    package enum Failure: Error {
        /// An error number of the system.
        case system(CInt)
        /// Another process held the lock until the wait was over; nil when that process is not known.
        case held(LockHolder?)
    }

    /// Waits until the lock of a file or folder is free, and takes it.
    /// - Parameter note: reads the holder's process number from the file, for file systems that hide it from the
    ///   system's list.
    /// - Throws: `Failure`, and the errors of `patience.check`.
    package static func take(_ descriptor: CInt, _ patience: LockPatience, note: () -> String? = { nil }) throws {
        let start = ContinuousClock.now
        var hasCalled = false
        // Tries again and again, because flock(2) has no time limit and nothing reports that a lock is released.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw Failure.system(failure) }
            let waited = ContinuousClock.now - start
            if waited >= patience.stopped || waited >= LockPatience.noticeDelay {
                let holder = LockHolder.of(descriptor, note: note())
                let limit = holder?.isStopped ?? true ? patience.stopped : patience.limit
                guard waited < limit else { throw Failure.held(holder) }
                if waited >= LockPatience.noticeDelay, !hasCalled {
                    hasCalled = true
                    patience.onWait(LockHolder.describe(holder))
                }
            }
            try patience.check()
            // `flock` that waits can neither be cancelled nor end after some time, so the lock is tried again. This blocks the
            // thread: callers run on threads of their own, never in the cooperative pool.
            usleep(pause(after: waited))
        }
    }

    /// Microseconds until the next try: few at first, more the longer the lock is held.
    private static func pause(after waited: Duration) -> UInt32 {
        UInt32(min(max(waited / .microseconds(8), 1_000), 128_000))
    }
}

/// The process that holds a `flock` lock, for messages to people who wait for it.
package struct LockHolder: Hashable, Sendable {
    package let process: pid_t
    /// The name that the system shows, without unprintable characters.
    package let name: String
    /// Whether the process is stopped, and so keeps the lock until somebody continues it.
    package let isStopped: Bool

    /// Finds the holder of a file's lock in the system's list, or else by the process number that the holder has
    /// written into the file (some file systems hide their files from the list); nil when neither works.
    package static func of(_ descriptor: CInt, note: String? = nil) -> LockHolder? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        let list = SystemFile.text("/proc/locks") ?? ""
        let process = process(holding: status, in: list) ?? note.flatMap(number)
        return process.flatMap { LockHolder(process: $0) }
    }

    /// Nil when the process has ended.
    package init?(process: pid_t) {
        guard process > 0, let status = SystemFile.text("/proc/\(process)/stat"), let end = status.lastIndex(of: ")")
        else { return nil }
        self.process = process
        // A process can give itself any name.
        let comm = (SystemFile.text("/proc/\(process)/comm") ?? "").trimmingNewline
        name = String(String.UnicodeScalarView(comm.unicodeScalars.filter(\.isShown)))
        let state = status[status.index(after: end)...].first { $0 != " " }
        isStopped = state == "T" || state == "t"
    }

    /// `process 1234 (kedge)`; for a stopped process, also what to do about it.
    package var description: String {
        let who = "process \(process)" + (name.isEmpty ? "" : " (\(name))")
        return isStopped ? "\(who), which is stopped: continue it with `kill -CONT \(process)`, or end it" : who
    }

    /// The holder in words, even when it is not known.
    package static func describe(_ holder: LockHolder?) -> String { holder?.description ?? "another program" }

    /// - Parameter list: the contents of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 1234 08:01:5767 0 EOF`.
    package static func process(holding status: stat, in list: String) -> pid_t? {
        let device = UInt64(status.st_dev)
        let (major, minor) = ((device >> 8) & 0xFFF | (device >> 32) & ~0xFFF, device & 0xFF | (device >> 12) & ~0xFF)
        var others: [pid_t] = []
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", let process = pid_t(fields[4]), process > 0 else { continue }
            let numbers = fields[5].split(separator: ":")
            guard numbers.count == 3, UInt64(numbers[2]) == UInt64(status.st_ino) else { continue }
            if UInt64(numbers[0], radix: 16) == major, UInt64(numbers[1], radix: 16) == minor { return process }
            others.append(process)
        }
        // Some file systems report another device for a file than the list of locks does.
        return others.count == 1 ? others[0] : nil
    }

    private static func number(_ note: String) -> pid_t? { pid_t(note.trimmingNewline) }
}

/// Reads small files that the system generates on reading.
private enum SystemFile {
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}

extension String {
    fileprivate var trimmingNewline: String {
        var text = self[...]
        while let last = text.last, last.isNewline || last == " " { text = text.dropLast() }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Neither a control nor a character that reorders or hides others.
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

/// How long to wait for a lock that another process holds.
package struct LockPatience: Sendable {
    /// How long to wait before calling `onWait`.
    package static let noticeDelay = Duration.seconds(1)

    package var limit: Duration
    /// The limit when the holder is stopped: it keeps the lock until somebody continues it.
    package var stopped: Duration
    /// Called once, with the holder in words.
    package var onWait: @Sendable (String) -> Void
    /// Throws when the lock is no longer wanted.
    package var check: @Sendable () throws -> Void

    package init(
        limit: Duration, stopped: Duration = .seconds(2), onWait: @escaping @Sendable (String) -> Void = { _ in },
        check: @escaping @Sendable () throws -> Void = {}
    ) {
        self.limit = limit
        self.stopped = min(limit, stopped)
        self.onWait = onWait
        self.check = check
    }
}
