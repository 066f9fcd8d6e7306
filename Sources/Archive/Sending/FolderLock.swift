import Glibc
internal import Locks
internal import Messages

/// The right to write into a conversation: `flock` on its folder, held as long as this is there. It ends with the process,
/// however that ends.
///
/// The folder is opened step by step from the folder of the archive, so that no symbolic link inside the archive leads
/// elsewhere; files are opened relative to the descriptor that is locked, so that they are in that very folder.
struct FolderLock: ~Copyable {
    private let folder: String
    private let descriptor: CInt

    /// - Parameters:
    ///   - folder: of a conversation: `ARCHIVE/conversations/ID`.
    ///   - patience: how long to wait for others.
    /// - Throws: `notSent`
    init(_ folder: String, patience: Duration) throws(StoreError) {
        self.folder = folder
        descriptor = try FolderLock.locked(folder, patience)
    }

    deinit { close(descriptor) }

    /// Opens a file of the folder, never through a symbolic link.
    /// - Parameter mode: of a new file.
    /// - Returns: its descriptor, or -1 with `errno`.
    func open(_ name: String, _ flags: CInt, mode: mode_t = 0) -> CInt {
        openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
    }

    /// Removes a file of the folder.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Waits until the disk has the names of the files in it.
    /// - Throws: `notSent`
    func syncNames() throws(StoreError) {
        // Some file systems of other systems keep no such promise, and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw WriteFailure.error(errno, folder) }
    }

    private static func locked(_ folder: String, _ patience: Duration) throws(StoreError) -> CInt {
        let descriptor = try opened(folder)
        do throws(StoreError) {
            try wait(for: descriptor, folder, patience)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The archive's own path is the user's, and may lead through links.
    private static func opened(_ folder: String) throws(StoreError) -> CInt {
        let names = folder.split(separator: "/", omittingEmptySubsequences: false)
        var path = names.dropLast(2).joined(separator: "/")
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var descriptor = Glibc.open(path.isEmpty ? "/" : path, flags)
        for name in names.suffix(2) where descriptor >= 0 {
            let parent = descriptor
            path += "/" + name
            descriptor = openat(parent, String(name), flags | O_NOFOLLOW)
            let failure = errno
            close(parent)
            errno = failure
        }
        guard descriptor >= 0 else { throw WriteFailure.error(errno, path) }
        return descriptor
    }

    private static func wait(for descriptor: CInt, _ folder: String, _ patience: Duration) throws(StoreError) {
        do {
            try FileLock.take(descriptor, LockPatience(limit: patience, stopped: patience))
        } catch FileLock.Failure.system(let code) {
            throw WriteFailure.error(code, folder)
        } catch FileLock.Failure.held(let holder) {
            let seconds = patience.components.seconds
            throw .notSent(
                "\(folder): kept locked for \(seconds) s by \(LockHolder.describe(holder)); send again when it is done")
        } catch {
            throw .notSent("\(folder): \(error)")
        }
    }
}
