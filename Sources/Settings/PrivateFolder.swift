import Glibc

/// A folder that only its owner can open.
package enum PrivateFolder {
    /// Creates a folder, and those above it that do not exist, for the owner alone. Closes an existing folder to
    /// others.
    /// - Throws: the number of the error; EPERM for the folder of another user, where private files must not be.
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

    /// Removes all permissions of others for a file or a folder that is open.
    /// - Throws: as `make`.
    package static func closeToOthers(_ descriptor: CInt, _ path: String, _ mode: UInt32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(path: path, code: errno) }
        guard status.st_uid == geteuid() else { throw Failure(path: path, code: EPERM) }
        // A folder that is shared on purpose, such as /tmp, keeps its permissions.
        guard status.st_mode & 0o077 != 0, status.st_mode & S_ISVTX == 0 else { return }
        // This fails on a file system without permissions, where there is nothing to remove.
        _ = fchmod(descriptor, status.st_mode & mode)
    }

    /// Why something cannot be made private.
    package struct Failure: Error {
        package let path: String
        package let code: CInt
    }
}
