import Glibc
internal import Messages

/// Why a file cannot be written, in one line for people: the path, the cause and a remedy.
enum WriteFailure {
    static func error(_ code: CInt, _ path: String) -> StoreError { .notSent(text(code, path)) }

    /// Tests whether these paths are writable, without writing.
    /// - Returns: the obstacle of the first one that is not.
    static func obstacle(_ paths: [String]) -> String? {
        for path in paths {
            // `access` grants everything to root, even on a file system that is mounted read-only.
            var system = statvfs()
            if statvfs(path, &system) == 0, system.f_flag & UInt(ST_RDONLY) != 0 { return text(EROFS, path) }
            if access(path, W_OK) != 0 { return text(errno, path) }
        }
        return nil
    }

    /// Tests that these paths are not links. Kedge never writes through a link, which may point outside the archive.
    /// - Parameter paths: symbolic links in their last component are not followed.
    /// - Returns: the obstacle of the first link.
    static func link(among paths: [String]) -> String? {
        for path in paths {
            var status = stat()
            if lstat(path, &status) == 0, let obstacle = obstacle(status, path) { return obstacle }
        }
        return nil
    }

    /// Why a file with this status is not written; nil if it is not a link.
    static func obstacle(_ status: stat, _ path: String) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFLNK:
            return "\(path): is a symbolic link, through which nothing is written; put the original in its place"
        case S_IFREG where status.st_nlink > 1:
            return "\(path): has a second name (a hard link), under which it would change too; "
                + "put a copy in its place"
        default: return nil
        }
    }

    private static func text(_ code: CInt, _ path: String) -> String {
        // The system reports ELOOP or ENOTDIR for a link that must not be followed.
        if code == ELOOP || code == ENOTDIR, let link = link(among: [path]) { return link }
        let reason = String(cString: strerror(code))
        switch code {
        case EACCES, EPERM: return "\(path): may not be written (permission denied); check its permissions"
        case EROFS: return "\(path): is mounted to be read only; write into a copy of the archive"
        case ENOSPC, EDQUOT, EFBIG: return "\(path): no room (\(reason)); make some and send again"
        case EEXIST: return "\(path): stands where the next file should; move it away and send again"
        default: return "\(path): cannot be written (\(reason)); send again"
        }
    }
}
