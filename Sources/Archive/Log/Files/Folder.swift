import Glibc
internal import Messages

enum Folder {
    /// An entry of a folder.
    struct Entry {
        let name: String
        /// Nil for a symbolic link, and if the file system does not supply the type: `exists` determines it.
        let isFolder: Bool?
    }

    /// The entries of a folder except hidden ones, sorted by the bytes of their names.
    /// - Parameter unnamed: called with each name that is not UTF-8. Such a name cannot be an ID.
    /// - Throws: `unreadable` without permission, otherwise `unavailable`.
    static func entries(_ path: String, unnamed: (String) -> Void = { _ in }) throws(StoreError) -> [Entry] {
        guard let folder = opendir(path) else { throw File.error(errno, path) }
        defer { closedir(folder) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let (name, decoded) = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let bytes = bytes.prefix { $0 != 0 }
                return (String(validating: bytes, as: UTF8.self), String(decoding: bytes, as: UTF8.self))
            }
            if decoded.hasPrefix(".") { continue }
            guard let name else {
                unnamed(decoded)
                continue
            }
            let type = Int(entry.pointee.d_type)
            let isUnknown = type == DT_LNK || type == DT_UNKNOWN
            entries.append(Entry(name: name, isFolder: isUnknown ? nil : type == DT_DIR))
        }
        // A list that ends early would lack conversations.
        guard errno == 0 else { throw File.error(errno, path) }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The names in a folder except hidden ones and those that are not UTF-8, sorted by their bytes.
    /// - Throws: the errors of `entries`.
    static func names(_ path: String) throws(StoreError) -> [String] { try entries(path).map(\.name) }

    /// Creates a folder and its missing parents, accessible only to their owner. Removes the permissions of others from
    /// a folder that already exists.
    /// - Returns: nil after success; otherwise the folder that cannot be used and the error number, which is EPERM for
    ///   a folder of another user.
    static func make(_ path: String) -> (path: String, code: CInt)? {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0 else { continue }
            let code = errno
            if code != EEXIST, access(made, F_OK) != 0 { return (made, code) }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return (path, errno) }
        guard status.st_uid == geteuid() else { return (path, EPERM) }
        // A folder with the sticky bit, such as /tmp, is shared on purpose and stays so.
        guard status.st_mode & S_ISVTX == 0 else { return nil }
        // May fail on a file system without permissions, which has none to remove.
        if status.st_mode & 0o077 != 0 { chmod(path, status.st_mode & 0o700) }
        return nil
    }

    /// - Throws: the errors of `File.status`.
    static func exists(_ path: String) throws(StoreError) -> Bool {
        try File.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}
