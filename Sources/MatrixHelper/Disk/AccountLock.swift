internal import Glibc
internal import Locks

/// The right to write into the archive of an account. It ends with the process.
package struct AccountLock: ~Copyable {
    private let descriptor: CInt

    /// - Parameters:
    ///   - archive: the path of the archive.
    ///   - patience: how long to wait while another process has it.
    /// - Throws: also when another process has it.
    package init(archive: String, patience: Duration = .zero) throws(DiskFailure) {
        descriptor = try AccountLock.locked(archive, patience)
    }

    private static func locked(_ archive: String, _ patience: Duration) throws(DiskFailure) -> CInt {
        let path = archive + "/matrix/lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw DiskFailure(path, code: errno) }
        do {
            try FileLock.take(file, LockPatience(limit: patience))
            return file
        } catch FileLock.Failure.held(let holder) {
            close(file)
            throw DiskFailure("\(archive): is synchronized already, by \(LockHolder.describe(holder))")
        } catch {
            close(file)
            throw DiskFailure("\(path): \(error)")
        }
    }

    deinit { close(descriptor) }
}
