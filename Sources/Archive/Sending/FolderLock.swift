import Glibc
internal import Locks
internal import Messages

/// The right to write into a conversation: `flock` on its folder while this value exists. The system releases it when
/// the process ends in any way.
///
/// The folder is opened step by step from the folder of the archive, so that no symbolic link inside the archive is
/// followed. Files are opened relative to the locked descriptor, so they are in exactly that folder.
struct FolderLock: ~Copyable {
    private let folder: String
    private let descriptor: CInt

    /// - Parameters:
    ///   - folder: the folder of a conversation: `ARCHIVE/conversations/ID`.
    ///   - patience: how long to wait for other writers.
    /// - Throws: `notSent`
    init(_ folder: String, patience: Duration) throws(StoreError) {
        self.folder = folder
        descriptor = try FolderLock.locked(folder, patience)
    }

    deinit { close(descriptor) }

    /// Opens a file of the folder, never through a symbolic link.
    /// - Parameter mode: the permissions of a new file.
    /// - Returns: its descriptor, or -1 with `errno`.
    func open(_ name: String, _ flags: CInt, mode: mode_t = 0) -> CInt {
        openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
    }

    /// Removes a file of the folder.
    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Waits until the disk has the names of the files in the folder.
    /// - Throws: `notSent`
    func syncNames() throws(StoreError) {
        // Some foreign file systems cannot sync a folder and return EINVAL.
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

    /// The user chose the path of the archive, so that part may contain symbolic links.
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
