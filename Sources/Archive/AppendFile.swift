import Glibc
internal import Messages

/// Owns a descriptor that writes at the end of a file, wherever that is. For whoever holds the lock of its folder.
struct AppendFile: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// - Throws: `notSent`
    init(_ path: String) throws(StoreError) {
        try self.init(path, open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK))
    }

    /// Makes a file where there is nothing yet.
    /// - Parameter neighbour: who may read and write this one may read and write the new one.
    /// - Throws: `notSent`
    init(newAt path: String, like neighbour: String?) throws(StoreError) {
        var mode: mode_t?
        if let neighbour { mode = try File.status(neighbour).map { $0.st_mode & 0o777 } }
        try self.init(path, open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666))
        if let mode { fchmod(descriptor, mode) }
    }

    private init(_ path: String, _ descriptor: CInt) throws(StoreError) {
        guard descriptor >= 0 else { throw WriteFailure.error(errno, path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// All bytes with one write, or none of them; when this returns the disk has them.
    /// - Throws: `notSent`
    func append(_ bytes: [UInt8]) throws(StoreError) {
        let size = try size()
        var count = 0
        repeat {
            count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        if count == bytes.count, fsync(descriptor) == 0 { return }
        let code = errno
        // What a failed fsync leaves is of no use either: a later one would say that all is well.
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

    /// - Throws: `notSent`
    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw WriteFailure.error(errno, path) }
    }

    private func size() throws(StoreError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw WriteFailure.error(errno, path) }
        return Int64(status.st_size)
    }
}
