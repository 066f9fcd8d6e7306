import Glibc
internal import Locks
internal import Messages

/// Lets one process at a time change a mirror.
enum MirrorLock {
    /// The longest step takes a second or so; a process that is stopped meanwhile must not hold up the others for ever.
    private static let patience = LockPatience(limit: .seconds(60), stopped: .seconds(5))

    /// - Throws: `unavailable` if another process holds the lock too long, and the errors of `body`.
    static func hold<Result>(
        _ files: MirrorFiles, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let descriptor = open(files.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw MirrorFiles.error(errno, files.lock) }
        defer { close(descriptor) }
        do {
            try FileLock.take(descriptor, patience)
        } catch FileLock.Failure.held(let holder) {
            throw .unavailable("\(files.lock) is kept locked by \(LockHolder.describe(holder))")
        } catch {
            throw .unavailable("\(files.lock): cannot be locked")
        }
        return try body()
    }
}
