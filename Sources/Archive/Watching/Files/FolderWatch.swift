import Glibc
internal import Synchronization
internal import Threads

/// Reports when a file in some folders is written, created, renamed or removed. Uses inotify on a thread of its own,
/// which sleeps in between. Changes in quick succession are reported together.
package final class FolderWatch: Sendable {
    /// The pause after a report, in milliseconds. It limits the reads of a file that receives thousands of lines a
    /// second to some thirty a second.
    private static let rest: CInt = 30
    private static let events = UInt32(
        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    private let descriptor: CInt
    /// Signalled once, to end the thread.
    private let stopper: WakeUp
    private let isStopped = Mutex(false)
    private let onChange: @Sendable (Set<CInt>) -> Void

    /// Reported in place of a folder's number if the system has dropped events.
    static let lost: CInt = -1

    /// Watches one folder.
    /// - Throws: the system's error if it cannot start the watch or a thread.
    convenience init(_ folder: String, onChange: @escaping @Sendable () -> Void) throws(Errno) {
        try self.init { _ in onChange() }
        do {
            try add(folder)
        } catch {
            stop()
            throw error
        }
    }

    /// Starts with no folders.
    /// - Parameter onChange: called on the watch's thread with the numbers of the changed folders.
    /// - Throws: the system's error if it cannot start inotify or a thread.
    package init(onChange: @escaping @Sendable (Set<CInt>) -> Void) throws(Errno) {
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

    /// The system's error number with its message.
    package struct Errno: Error, CustomStringConvertible {
        let code: CInt
        package var description: String { String(cString: strerror(code)) }
    }

    /// Adds a folder.
    /// - Returns: the number of the folder. It is never reused; a folder that is already watched keeps its number.
    /// - Throws: the system's error if it cannot watch the folder.
    @discardableResult
    package func add(_ folder: String) throws(Errno) -> CInt {
        // The lock keeps the descriptor from being closed, and reused for another file, during the call.
        let (number, code) = isStopped.withLock { isStopped -> (CInt, CInt) in
            if isStopped { return (-1, EBADF) }
            let number = inotify_add_watch(descriptor, folder, FolderWatch.events)
            return (number, errno)
        }
        guard number >= 0 else { throw Errno(code: code) }
        return number
    }

    /// Stops watching a folder.
    func remove(_ number: CInt) {
        isStopped.withLock { if !$0 { _ = inotify_rm_watch(descriptor, number) } }
    }

    /// Ends the thread. Further calls have no effect.
    package func stop() {
        if end() { stopper.ring() }
    }

    /// - Returns: whether this call has ended the watch.
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
    /// - Returns: false if the watch is over.
    private func sleep(for descriptors: [CInt], _ timeout: CInt) -> Bool {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, nfds_t(polled.count), timeout) < 0 {
            guard errno == EINTR else { return false }
        }
        return polled.last?.revents == 0
    }

    /// Reads all pending events and keeps only the folders: the files themselves show the change.
    /// - Returns: nil if the watch is over.
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
