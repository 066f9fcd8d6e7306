import Glibc
internal import Messages

/// Owns a descriptor for reading.
struct File: ~Copyable {
    let path: String
    /// The state of the file when it was opened.
    let stamp: FileStamp
    private let descriptor: CInt

    /// Opens a regular file. Never blocks on a pipe or a device.
    /// - Throws: `unreadable` without permission or if the path is not a regular file; otherwise `unavailable`.
    init(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw File.error(errno, path) }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw code == 0 ? .unreadable("\(path): \(File.irregular); move it away") : File.error(code, path)
        }
        self.path = path
        stamp = FileStamp(status)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Waits until the disk has the whole content.
    /// - Throws: `notSent`
    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw WriteFailure.error(errno, path) }
    }

    /// Fills the buffer.
    /// - Throws: `unavailable` if the file ends before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StoreError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw File.error(errno, path) }
            guard count > 0 else { throw .unavailable("\(path): became shorter while it was read; try again") }
            done += count
        }
    }

    /// The message for a pipe, a device, a socket or a folder in place of a file.
    static let irregular = "not a regular file"

    /// Why a path has no `FileStamp`, for people; nil if nothing exists there.
    static func obstacle(_ path: String) -> String? {
        do throws(StoreError) {
            return try status(path) == nil ? nil : irregular
        } catch {
            return error.reason
        }
    }

    /// The status of a path; nil if nothing exists there. A name that is too long for the file system counts as
    /// missing.
    /// - Throws: if the status cannot be determined, for example if a folder on the path must not be searched.
    static func status(_ path: String) throws(StoreError) -> stat? {
        var status = stat()
        if stat(path, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG else { throw error(errno, path) }
        return nil
    }

    static func error(_ code: CInt, _ path: String) -> StoreError {
        switch code {
        case EACCES, EPERM: .unreadable("\(path): may not be read (permission denied); check its permissions")
        case ENOENT: .unavailable("\(path): vanished while it was read; try again")
        default: .unavailable("\(path): cannot be read (\(String(cString: strerror(code)))); try again")
        }
    }
}

extension FileStamp {
    /// The stamp of a regular file; nil if there is none. Does not open the file, which could block on a pipe.
    /// - Throws: the errors of `File.status`.
    static func of(_ path: String) throws(StoreError) -> FileStamp? {
        guard let status = try File.status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileStamp(status)
    }
}
