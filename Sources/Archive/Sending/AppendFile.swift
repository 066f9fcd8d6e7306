import Glibc
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
