import Glibc
internal import Messages

/// The right to write into a conversation: `flock` on its folder, held as long as this is there. It ends with the process,
/// however that ends.
struct FolderLock: ~Copyable {
    private let descriptor: CInt

    /// - Parameter patience: how long to wait for others.
    /// - Throws: `notSent`
    init(_ folder: String, patience: Duration) throws(StoreError) {
        descriptor = try FolderLock.locked(folder, patience)
    }

    deinit { close(descriptor) }

    /// Waits until the disk has the names of the files in it.
    /// - Throws: `notSent`
    func syncNames(of folder: String) throws(StoreError) {
        // Some file systems of other systems keep no such promise, and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw WriteFailure.error(errno, folder) }
    }

    private static func locked(_ folder: String, _ patience: Duration) throws(StoreError) -> CInt {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw WriteFailure.error(errno, folder) }
        do throws(StoreError) {
            try wait(for: descriptor, folder, patience)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// A try now and then: a call that waits by itself could wait for ever.
    private static func wait(for descriptor: CInt, _ folder: String, _ patience: Duration) throws(StoreError) {
        let deadline = ContinuousClock.now + patience
        var pause = 1
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw WriteFailure.error(failure, folder) }
            guard ContinuousClock.now < deadline else {
                let seconds = patience.components.seconds
                throw .notSent(
                    "\(folder): another program has kept it locked for \(seconds) s; send again when it is done")
            }
            // Nothing tells when it is let go; this is the thread of those who write, and nobody else waits for it.
            usleep(UInt32(pause * 1_000))
            pause = min(pause * 2, 32)
        }
    }
}
