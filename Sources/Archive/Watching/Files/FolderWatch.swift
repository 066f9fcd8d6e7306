import Glibc
internal import Synchronization
internal import Threads

/// Tells whenever a file of some folders is written, made, renamed or removed: by inotify, on a thread of its own that
/// sleeps meanwhile. Changes that follow upon each other are told together.
final class FolderWatch: Sendable {
    /// So long after it has told of a change it does not tell of the next, in milliseconds: who writes thousands of lines a
    /// second is read some thirty times in it.
    private static let rest: CInt = 30
    private static let events = UInt32(
        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    private let descriptor: CInt
    /// Rings once, to end the thread.
    private let stopper: WakeUp
    private let isStopped = Mutex(false)
    private let onChange: @Sendable (Set<CInt>) -> Void

    /// Told among the numbers of folders when the system has lost some of them.
    static let lost: CInt = -1

    /// Watches one folder.
    /// - Throws: what the system says when it gives no such watch, or no thread.
    convenience init(_ folder: String, onChange: @escaping @Sendable () -> Void) throws(Errno) {
        try self.init { _ in onChange() }
        do {
            try add(folder)
        } catch {
            stop()
            throw error
        }
    }

    /// Watches nothing yet.
    /// - Parameter onChange: is given the numbers of the folders that have changed, on the thread of the watch.
    /// - Throws: what the system says when it gives no watch, or no thread.
    init(onChange: @escaping @Sendable (Set<CInt>) -> Void) throws(Errno) {
        self.onChange = onChange
        descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { throw Errno(code: errno) }
        guard let stopper = WakeUp() else {
            let code = errno
            close(descriptor)
            throw Errno(code: code)
        }
        self.stopper = stopper
        do throws(NoThread) {
            try SerialThread.started().run { [self] in run() }
        } catch {
            close(descriptor)
            throw Errno(code: error.code)
        }
    }

    /// The system's error number, and its words for it.
    struct Errno: Error, CustomStringConvertible {
        let code: CInt
        var description: String { String(cString: strerror(code)) }
    }

    /// Watches one folder more.
    /// - Returns: its number, which no other folder ever has; the same one for a folder that is watched already.
    /// - Throws: what the system says when it gives no such watch.
    @discardableResult
    func add(_ folder: String) throws(Errno) -> CInt {
        // Locked, so that the descriptor is not closed, and another's, meanwhile.
        let (number, code) = isStopped.withLock { isStopped -> (CInt, CInt) in
            if isStopped { return (-1, EBADF) }
            let number = inotify_add_watch(descriptor, folder, FolderWatch.events)
            return (number, errno)
        }
        guard number >= 0 else { throw Errno(code: code) }
        return number
    }

    /// Watches a folder no more.
    func remove(_ number: CInt) {
        isStopped.withLock { if !$0 { _ = inotify_rm_watch(descriptor, number) } }
    }

    /// Ends the thread. May be called often.
    func stop() {
        if end() { stopper.ring() }
    }

    /// - Returns: whether it had not ended.
    private func end() -> Bool {
        isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
    }

    private func run() {
        while sleep(for: [descriptor, stopper.descriptor], -1), let changed = drain() {
            onChange(changed)
            guard sleep(for: [stopper.descriptor], FolderWatch.rest) else { break }
        }
        stop()
        close(descriptor)
    }

    /// - Parameter timeout: in milliseconds; -1 for none.
    /// - Returns: false when the watch is over.
    private func sleep(for descriptors: [CInt], _ timeout: CInt) -> Bool {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, nfds_t(polled.count), timeout) < 0 {
            guard errno == EINTR else { return false }
        }
        return polled.last?.revents == 0
    }

    /// Takes what the system has told, of which only the folders are looked at: what has changed, the files say better.
    /// - Returns: nil when the watch is over.
    private func drain() -> Set<CInt>? {
        var changed: Set<CInt> = []
        return withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 {
                    FolderWatch.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &changed)
                } else if count == 0 || errno != EINTR {
                    return count < 0 && errno == EAGAIN ? changed : nil
                }
            }
        }
    }

    private static func take(_ events: UnsafeRawBufferPointer, into changed: inout Set<CInt>) {
        let size = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + size <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            changed.insert(event.mask & UInt32(IN_Q_OVERFLOW) != 0 ? lost : event.wd)
            offset += size + Int(event.len)
        }
    }
}
