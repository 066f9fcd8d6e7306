import Glibc
internal import Synchronization

/// Tells whenever a file of a folder is written, made, renamed or removed: by inotify, on a thread of its own that sleeps
/// meanwhile. Changes that follow upon each other are told together.
final class FolderWatch: Sendable {
    /// So long after it has told of a change it does not tell of the next, in milliseconds: who writes thousands of lines a
    /// second is read some thirty times in it.
    private static let rest: CInt = 30
    private static let events = UInt32(
        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    private let descriptor: CInt
    /// Closed at its writing end to end the thread.
    private let stopper: (reading: CInt, writing: CInt)
    private let isStopped = Mutex(false)
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called on the thread of the watch.
    /// - Throws: what the system says when it gives no such watch, or no thread.
    init(_ folder: String, onChange: @escaping @Sendable () -> Void) throws(Errno) {
        self.onChange = onChange
        descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { throw Errno(code: errno) }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            let code = errno
            close(descriptor)
            throw Errno(code: code)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopper = (ends[0], ends[1])
        var code: CInt?
        if inotify_add_watch(descriptor, folder, FolderWatch.events) < 0 { code = errno }
        if code == nil { code = OwnThread.start { [self] in run() } }
        guard let code else { return }
        for each in [descriptor, stopper.reading, stopper.writing] { close(each) }
        throw Errno(code: code)
    }

    /// What the system said, in words.
    struct Errno: Error, CustomStringConvertible {
        let code: CInt
        var description: String { String(cString: strerror(code)) }
    }

    /// Ends the thread. May be called often.
    func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { close(stopper.writing) }
    }

    private func run() {
        while sleep(for: [descriptor, stopper.reading], -1), drain() {
            onChange()
            guard sleep(for: [stopper.reading], FolderWatch.rest) else { break }
        }
        close(descriptor)
        close(stopper.reading)
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

    /// Takes what the system has told, of which nothing is looked at: what has changed, the files say better.
    private func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 || (count < 0 && errno == EINTR) { continue }
                return count < 0 && errno == EAGAIN
            }
        }
    }
}
