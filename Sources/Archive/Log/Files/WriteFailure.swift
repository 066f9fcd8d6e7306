import Glibc
internal import Messages

/// Why something cannot be written, in one line for people: what, where, and what to do.
enum WriteFailure {
    static func error(_ code: CInt, _ path: String) -> StoreError { .notSent(text(code, path)) }

    /// Looks whether all these may be written, without writing.
    /// - Returns: what is in the way of the first one that may not.
    static func obstacle(_ paths: [String]) -> String? {
        for path in paths {
            // The superuser may do everything, but not this.
            var system = statvfs()
            if statvfs(path, &system) == 0, system.f_flag & UInt(ST_RDONLY) != 0 { return text(EROFS, path) }
            if access(path, W_OK) != 0 { return text(errno, path) }
        }
        return nil
    }

    /// Looks whether what is inside the archive is there itself: nothing is written through a link, which may lead outside.
    /// - Parameter paths: as they are, and not what they lead to.
    /// - Returns: what is in the way of the first one through which nothing is written.
    static func link(among paths: [String]) -> String? {
        for path in paths {
            var status = stat()
            if lstat(path, &status) == 0, let obstacle = obstacle(status, path) { return obstacle }
        }
        return nil
    }

    /// Why nothing is written through what has this status; nil when it is no link.
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
        // The system says ELOOP or ENOTDIR of a link that it was not to follow.
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
