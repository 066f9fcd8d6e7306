import Glibc
internal import Locks
internal import Messages

/// Owns a descriptor that appends to a file. Requires the lock of the file's folder.
struct AppendFile: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// Opens the file that was listed as the segment. Refuses another file that now has its name, and a file with a
    /// second name (hard link), which may be outside the archive.
    /// - Throws: `notSent`
    static func open(_ segment: Segment, in folder: borrowing FolderLock) throws(StoreError) -> AppendFile {
        let path = segment.path
        let file = try AppendFile(path, folder.open(segment.name, O_WRONLY | O_APPEND))
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, UInt64(status.st_ino) == segment.stamp.inode else {
            throw .notSent("\(path): is another file than a moment ago; send again")
        }
        if let obstacle = WriteFailure.obstacle(status, path) { throw .notSent(obstacle) }
        return file
    }

    /// Creates a file that does not exist yet.
    /// - Parameter neighbour: the new file gets the permissions of this one; without it, those of the folder.
    /// - Throws: `notSent`
    static func make(
        _ name: String, at path: String, in folder: borrowing FolderLock, like neighbour: String?
    ) throws(StoreError) -> AppendFile {
        var mode: mode_t?
        if let neighbour { mode = try File.status(neighbour).map { $0.st_mode & 0o777 } }
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL
        let others = NewFile.permissions(in: String(path.dropLast(name.utf8.count + 1))) & 0o066
        let file = try AppendFile(path, folder.open(name, flags, mode: mode ?? others | 0o600))
        if let mode { fchmod(file.descriptor, mode) }
        return file
    }

    private init(_ path: String, _ descriptor: CInt) throws(StoreError) {
        guard descriptor >= 0 else { throw WriteFailure.error(errno, path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Appends all bytes with one write, or none of them. When it returns, they are on the disk.
    /// - Throws: `notSent`
    func append(_ bytes: [UInt8]) throws(StoreError) {
        let size = Int64(try status().st_size)
        var count = 0
        repeat {
            count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        if count == bytes.count, fsync(descriptor) == 0 { return }
        let code = errno
        // After a failed fsync the bytes must go too: a later fsync would report success although they never reached
        // the disk.
        if count > 0 { try? cut(to: size) }
        guard count < 0 || count == bytes.count else {
            throw .notSent(
                "\(path): only \(count) of \(bytes.count) bytes could be written; make room on the disk and send again")
        }
        throw WriteFailure.error(code, path)
    }

    /// - Throws: `notSent`
    func cut(to size: Int64) throws(StoreError) {
        while ftruncate(descriptor, off_t(size)) != 0 {
            guard errno == EINTR else { throw WriteFailure.error(errno, path) }
        }
    }

    private func status() throws(StoreError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw WriteFailure.error(errno, path) }
        return status
    }
}

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
