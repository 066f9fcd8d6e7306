import Glibc
internal import Messages

/// Finds a file by a path that somebody else wrote: only what lies in a folder, with no symbolic link on the way.
enum EnclosedFile {
    enum Failure: Error {
        case missing
        /// The path leads out of the folder.
        case outside
        case symbolicLink
        /// It is a folder, a pipe or the like.
        case irregular
        /// The system's number for why it cannot be looked at.
        case unreadable(CInt)
    }

    /// Looks for a file, without opening it.
    /// - Parameters:
    ///   - path: the names of folders and of the file, with "/" between them.
    ///   - folder: is followed, wherever it leads: the user chose it.
    /// - Returns: its absolute path.
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
