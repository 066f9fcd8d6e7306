package import Files
import Glibc
internal import Synchronization
internal import Threads

/// Reports when a file in some folders is written, created, renamed or removed. Uses inotify on a thread of its own,
/// which sleeps in between. Changes in quick succession are reported together.
///
/// Where inotify is missing, or its limit for this user is reached, it reports a possible change every two seconds. Its owner
/// then compares the files with what it knows.
package final class FolderWatch: Sendable {
    /// The pause after a report, in milliseconds. It limits the reads of a file that receives thousands of lines a
    /// second to some thirty a second.
    private static let rest: CInt = 30
    private static let events = UInt32(
        IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    /// The descriptor of inotify; negative where the system has none.
    private let descriptor: CInt
    /// The time between two reports without inotify, in milliseconds.
    private let pause: CInt
    /// Signalled to end the thread, and when the first folder without inotify is added.
    private let stopper: WakeUp
    private let isStopped = Mutex(false)
    /// The numbers of the folders that inotify does not watch, by their paths.
    private let unwatched = Mutex<[String: CInt]>([:])
    private static let firstUnwatched: CInt = 1 << 30
    /// The most folders that are compared: more would take too long every time.
    private static let mostUnwatched = 1_000
    private let onChange: @Sendable (Set<CInt>) -> Void

    /// Reported in place of a folder's number if the system has dropped events.
    static let lost: CInt = -1

    /// Watches one folder.
    /// - Throws: the system's error if it cannot start the watch or a thread.
    convenience init(_ folder: String, onChange: @escaping @Sendable () -> Void) throws(FileError) {
        try self.init { _ in onChange() }
        do {
            try add(folder)
        } catch {
            stop()
            throw error
        }
    }

    /// Starts with no folders.
    /// - Parameters:
    ///   - hasInotify: false to behave as on a system without inotify.
    ///   - pause: the time between two reports without inotify, in milliseconds.
    ///   - onChange: called on the watch's thread with the numbers of the changed folders.
    /// - Throws: the system's error if it cannot start a thread.
    package init(
        hasInotify: Bool = true, pause: CInt = 2_000, onChange: @escaping @Sendable (Set<CInt>) -> Void
    ) throws(FileError) {
        (self.pause, self.onChange) = (pause, onChange)
        descriptor = hasInotify ? inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)) : -1
        guard let stopper = WakeUp() else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw FileError(.read, "inotify", code: code)
        }
        self.stopper = stopper
        guard let thread = SerialThread.started() else {
            if descriptor >= 0 { close(descriptor) }
            throw FileError(.read, "inotify", code: EAGAIN)
        }
        thread.run { [self] in run() }
    }

    /// Adds a folder.
    /// - Returns: the number of the folder. It is never reused; a folder that is already watched keeps its number.
    /// - Throws: the system's error if it cannot watch the folder.
    @discardableResult
    package func add(_ folder: String) throws(FileError) -> CInt {
        // The lock keeps the descriptor from being closed, and reused for another file, during the call.
        let (number, code) = isStopped.withLock { isStopped -> (CInt, CInt) in
            if isStopped { return (-1, EBADF) }
            if descriptor < 0 { return access(folder, R_OK) == 0 ? (-1, ENOSYS) : (-1, errno) }
            let number = inotify_add_watch(descriptor, folder, FolderWatch.events)
            return (number, errno)
        }
        if number >= 0 { return number }
        // With these errors the system has no watch for any folder. All others concern this folder.
        guard code == ENOSPC || code == ENOSYS || code == ENOMEM else { throw FileError(.read, folder, code: code) }
        let (looked, isFirst) = unwatched.withLock { folders -> (CInt?, Bool) in
            if let number = folders[folder] { return (number, false) }
            guard folders.count < FolderWatch.mostUnwatched else { return (nil, false) }
            let number = FolderWatch.firstUnwatched + CInt(folders.count)
            defer { folders[folder] = number }
            return (number, folders.isEmpty)
        }
        if isFirst { stopper.ring() }
        guard let looked else { throw FileError(.read, folder, code: code) }
        return looked
    }

    /// Stops watching a folder.
    func remove(_ number: CInt) {
        isStopped.withLock { if !$0, descriptor >= 0 { _ = inotify_rm_watch(descriptor, number) } }
    }

    /// Ends the thread. Further calls have no effect.
    package func stop() {
        if end() { stopper.ring() }
    }

    /// - Returns: true if this call has ended the watch.
    private func end() -> Bool {
        isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
    }

    private func run() {
        while let changed = wait() {
            if !changed.isEmpty { onChange(changed) }
            _ = sleep(for: [], FolderWatch.rest)
        }
        stop()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Waits for changes, or until the pause is over.
    /// - Returns: nil if the watch is over.
    private func wait() -> Set<CInt>? {
        let looks = unwatched.withLock { Set($0.values) }
        guard let ready = sleep(for: descriptor >= 0 ? [descriptor] : [], looks.isEmpty ? -1 : pause) else {
            return nil
        }
        // In this order, so that no call of `stop` is lost.
        stopper.silence()
        if isStopped.withLock({ $0 }) { return nil }
        guard var changed = descriptor >= 0 ? drain() : [] else { return nil }
        if !ready { changed.formUnion(descriptor < 0 ? looks.union([FolderWatch.lost]) : looks) }
        return changed
    }

    /// Sleeps until a descriptor is ready, the thread is called, or the time is over.
    /// - Parameter timeout: in milliseconds; -1 for none.
    /// - Returns: false on a timeout; nil if the system fails.
    private func sleep(for descriptors: [CInt], _ timeout: CInt) -> Bool? {
        var polled = (descriptors + [stopper.descriptor]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let count = poll(&polled, nfds_t(polled.count), timeout)
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { return nil }
        }
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

/// Wakes a watcher, and collects reasons until the watcher takes them.
final class Wakeup<Reasons: SetAlgebra & Sendable>: Sendable {
    private struct State {
        var reasons: Reasons = []
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Waits for a reason. Only one task may wait at a time.
    func next() async -> Reasons? {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.isOver || !state.reasons.isEmpty
                if !isReady { state.waiting = continuation }
                return isReady
            }
            if isReady { continuation.resume() }
        }
        return now()
    }

    /// Returns the reasons without waiting; there may be none. Returns nil after `stop`.
    func now() -> Reasons? {
        state.withLock { state in
            defer { state.reasons = [] }
            return state.isOver ? nil : state.reasons
        }
    }

    func send(_ reason: Reasons) { wake { $0.reasons.formUnion(reason) } }

    /// Runs `end` at `stop`, or at once if that was called before.
    func onStop(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.ends.append(end) }
            return state.isOver
        }
        if isOver { end() }
    }

    func stop() {
        let ends = state.withLock { state in
            defer { state.ends = [] }
            return state.ends
        }
        wake { $0.isOver = true }
        for end in ends { end() }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
