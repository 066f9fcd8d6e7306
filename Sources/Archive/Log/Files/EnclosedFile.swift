import Glibc
internal import Messages

/// Resolves a path that another person wrote: only to a file inside a folder, and never through a symbolic link.
enum EnclosedFile {
    enum Failure: Error {
        case missing
        /// The path points outside the folder.
        case outside
        case symbolicLink
        /// The path points to a folder, a pipe or the like.
        case irregular
        /// The system's error number for a failed access.
        case unreadable(CInt)
    }

    /// Finds a file without opening it.
    /// - Parameters:
    ///   - path: the names of folders and of the file, separated by "/".
    ///   - folder: the folder that contains the file. The user chose it, so its own path may contain symbolic links.
    /// - Returns: the absolute path of the file.
    static func find(_ path: String, in folder: String) throws(Failure) -> String {
        let names = path.split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), !path.utf8.contains(0), !names.contains("..") else { throw .outside }
        guard let root = realPath(folder) else { throw failure(errno) }
        guard let name = names.last else { throw .irregular }
        var parent = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw failure(errno) }
        defer { close(parent) }
        for name in names.dropLast() {
            try check(name, in: parent, is: S_IFDIR)
            let next = openat(parent, String(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw failure(errno) }
            close(parent)
            parent = next
        }
        try check(name, in: parent, is: S_IFREG)
        return root + "/" + names.joined(separator: "/")
    }

    private static func check(_ name: Substring, in folder: CInt, is kind: mode_t) throws(Failure) {
        var status = stat()
        guard fstatat(folder, String(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw failure(errno) }
        switch status.st_mode & S_IFMT {
        case kind: return
        case S_IFLNK: throw .symbolicLink
        default: throw kind == S_IFDIR ? .missing : .irregular
        }
    }

    private static func failure(_ code: CInt) -> Failure {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .missing
        case ELOOP: .symbolicLink
        default: .unreadable(code)
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
