import Glibc
internal import Messages

/// Creates files and folders that do not exist yet: for their owner alone, unless the folder that they are in is open to others.
enum NewFile {
    /// Creates a folder in another one.
    /// - Returns: the number of the error; 0 after success.
    static func makeFolder(_ path: String) -> CInt {
        mkdir(path, permissions(in: DiskPath.folder(of: path)) | 0o700) == 0 ? 0 : errno
    }

    /// Creates a folder, and those that it is in: the first of them for the owner alone.
    /// - Throws: `notSent`
    static func makeFolders(_ path: String) throws(StoreError) {
        var code = mkdir(path, 0o700) == 0 ? 0 : errno
        if code == ENOENT, DiskPath.folder(of: path) != "/", DiskPath.folder(of: path) != "." {
            try makeFolders(DiskPath.folder(of: path))
            code = makeFolder(path)
        }
        guard code == 0 || code == EEXIST else { throw WriteFailure.error(code, path) }
    }

    /// The permissions that a new entry of a folder gives to its group and to all users: those that the folder gives them.
    static func permissions(in folder: String) -> mode_t {
        var status = stat()
        // A folder with the sticky bit, such as /tmp, is for the private files of many.
        guard stat(folder, &status) == 0, status.st_mode & S_ISVTX == 0 else { return 0 }
        return status.st_mode & 0o077
    }

    /// Creates a file. When it returns, the content is on the disk; when it throws, there is no file.
    /// - Throws: `notSent`, also when there is such a file.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let mode = permissions(in: DiskPath.folder(of: path)) & 0o066 | 0o600
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
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

private enum DiskPath {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
