import Glibc

/// A folder that only its owner can look into.
package enum PrivateFolder {
    /// Makes a folder, and those that it lies in, as far as they are not there, for the owner alone. One that was there before
    /// is closed to others.
    /// - Throws: the number of the error; EPERM for a folder of somebody else, in which nothing of one's own may be.
    package static func make(_ path: String) throws(Failure) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0 else { continue }
            let code = errno
            if code != EEXIST, access(made, F_OK) != 0 { throw Failure(path: made, code: code) }
        }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure(path: path, code: errno) }
        defer { close(folder) }
        try closeToOthers(folder, path, 0o700)
    }

    /// Takes from others whatever they may do with a file or a folder that is open.
    /// - Throws: as `make`.
    package static func closeToOthers(_ descriptor: CInt, _ path: String, _ mode: UInt32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(path: path, code: errno) }
        guard status.st_uid == geteuid() else { throw Failure(path: path, code: EPERM) }
        // Nor is anything taken from a folder that others share on purpose, as /tmp.
        guard status.st_mode & 0o077 != 0, status.st_mode & S_ISVTX == 0 else { return }
        // A file system that knows no permissions says so here; there is nothing to take away then.
        _ = fchmod(descriptor, status.st_mode & mode)
    }

    /// Why something cannot be the owner's alone.
    package struct Failure: Error {
        package let path: String
        package let code: CInt
    }
}
