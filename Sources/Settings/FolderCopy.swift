import Glibc

/// Copies a folder with its files and folders. Leaves out everything else.
package struct FolderCopy {
    private let source: String

    package init(of source: String) { self.source = source }

    /// Puts the copy in the place of a former one, when it is whole.
    /// - Throws: the number of the error, and the path that it is about.
    package func make(at path: String) throws(PrivateFolder.Failure) {
        let new = "\(path).\(getpid()).new"
        defer { FolderCopy.remove(new) }
        try FolderCopy.copy(source, to: new)
        let old = "\(path).\(getpid()).old"
        rename(path, old)
        defer { FolderCopy.remove(old) }
        guard rename(new, path) != 0, errno != EEXIST, errno != ENOTEMPTY else { return }
        throw PrivateFolder.Failure(path: path, code: errno)
    }

    private static func copy(_ source: String, to target: String) throws(PrivateFolder.Failure) {
        guard mkdir(target, 0o700) == 0 else { throw PrivateFolder.Failure(path: target, code: errno) }
        for name in try names(in: source) {
            var status = stat()
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            guard lstat(from, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try copy(from, to: to)
            case S_IFREG: try copyFile(from, to: to)
            default: continue
            }
        }
    }

    private static func copyFile(_ source: String, to target: String) throws(PrivateFolder.Failure) {
        let from = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard from >= 0 else { throw PrivateFolder.Failure(path: source, code: errno) }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw PrivateFolder.Failure(path: target, code: errno) }
        defer { close(to) }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count >= 0 else { throw PrivateFolder.Failure(path: source, code: errno) }
            if count == 0 { return }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { write(to, $0.baseAddress?.advanced(by: done), count - done) }
                guard written > 0 else { throw PrivateFolder.Failure(path: target, code: written < 0 ? errno : ENOSPC) }
                done += written
            }
        }
    }

    private static func names(in folder: String) throws(PrivateFolder.Failure) -> [String] {
        guard let stream = opendir(folder) else { throw PrivateFolder.Failure(path: folder, code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        for name in (try? names(in: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
