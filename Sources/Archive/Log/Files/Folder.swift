import Glibc
internal import Messages

enum Folder {
    /// A name in a folder.
    struct Entry {
        let name: String
        /// Nil where only a look at it tells: it is a link, or the file system does not say.
        let isFolder: Bool?
    }

    /// The names in a folder but for hidden ones, sorted by their bytes.
    /// - Parameter unnamed: is given the names that are not UTF-8, which nothing can be called by.
    /// - Throws: `unreadable` when permission is missing, else `unavailable`.
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
        // A list that breaks off would be one without some conversations.
        guard errno == 0 else { throw File.error(errno, path) }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The names in a folder, without hidden ones and those that are not UTF-8, sorted by their bytes.
    /// - Throws: as `entries`.
    static func names(_ path: String) throws(StoreError) -> [String] { try entries(path).map(\.name) }

    /// Makes a folder and those that it lies in, as far as they are not there, for their owner alone. One that was there before
    /// is closed to others.
    /// - Returns: which one could not be made, and the number of the error; EPERM for a folder of another user.
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
        // A folder that others share on purpose, as /tmp, is none of Kedge's own.
        guard status.st_mode & S_ISVTX == 0 else { return nil }
        // A file system that knows no permissions has none to take away.
        if status.st_mode & 0o077 != 0 { chmod(path, status.st_mode & 0o700) }
        return nil
    }

    /// - Throws: as `File`, when that cannot be known.
    static func exists(_ path: String) throws(StoreError) -> Bool {
        try File.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}
