import Glibc
internal import Messages

/// Creates files and folders that do not exist yet.
enum NewFile {
    /// Creates a folder, and those that it is in.
    /// - Throws: `notSent`
    static func makeFolders(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw WriteFailure.error(errno, path)
        }
        try makeFolders(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw WriteFailure.error(errno, path) }
    }

    /// Creates a file. When it returns, the content is on the disk; when it throws, there is no file.
    /// - Throws: `notSent`, also when there is such a file.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw WriteFailure.error(errno, path) }
        defer { close(file) }
        var count = 0
        repeat {
            count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        } while count < 0
            && errno == EINTR
        let code = count < 0 ? errno : ENOSPC
        guard count == bytes.count, fsync(file) == 0 else {
            unlink(path)
            throw WriteFailure.error(code, path)
        }
    }

    /// Waits until the disk has the names in a folder.
    static func syncNames(of folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
