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

    private static func text(_ code: CInt, _ path: String) -> String {
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
