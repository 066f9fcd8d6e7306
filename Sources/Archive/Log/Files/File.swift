import Glibc
internal import Messages

/// Tells whether a file is still the one that was read.
struct FileStamp: Equatable {
    let size: Int64
    let inode: UInt64
    let seconds: Int
    let nanoseconds: Int

    init(size: Int64, inode: UInt64, seconds: Int, nanoseconds: Int) {
        (self.size, self.inode, self.seconds, self.nanoseconds) = (size, inode, seconds, nanoseconds)
    }

    fileprivate init(_ status: stat) {
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }

    /// Whether this is the same file, grown at most.
    func continues(_ earlier: FileStamp) -> Bool { inode == earlier.inode && size >= earlier.size }

    /// Nil when there is no such regular file: a pipe or a folder is never opened.
    /// - Throws: as `File`, when that cannot be known.
    static func of(_ path: String) throws(StoreError) -> FileStamp? {
        guard let status = try File.status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileStamp(status)
    }
}

/// Owns a descriptor that is open for reading.
struct File: ~Copyable {
    let path: String
    private let descriptor: CInt

    /// Opens a regular file, and nothing that could keep one waiting.
    /// - Throws: `unreadable` when permission is missing or it is something else, else `unavailable`.
    init(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw File.error(errno, path) }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw code == 0 ? .unreadable("\(path): \(File.irregular); move it away") : File.error(code, path)
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Waits until the disk has all of it.
    /// - Throws: `notSent`
    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw WriteFailure.error(errno, path) }
    }

    func stamp() throws(StoreError) -> FileStamp {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw File.error(errno, path) }
        return FileStamp(status)
    }

    /// Fills the buffer.
    /// - Throws: `unavailable` when the file ends before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StoreError) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw File.error(errno, path) }
            guard count > 0 else { throw .unavailable("\(path): became shorter while it was read; try again") }
            done += count
        }
    }

    /// The word for a pipe, a device, a socket or a folder that stands in place of a file.
    static let irregular = "not a regular file"

    /// Why there is no stamp of a file, for people; nil when there is nothing at its path.
    static func obstacle(_ path: String) -> String? {
        do throws(StoreError) {
            return try status(path) == nil ? nil : irregular
        } catch {
            return error.reason
        }
    }

    /// Nil when there is nothing at the path; no file system has room for a name that is too long.
    /// - Throws: when that cannot be known, because a folder on the way may not be searched, say.
    static func status(_ path: String) throws(StoreError) -> stat? {
        var status = stat()
        if stat(path, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG else { throw error(errno, path) }
        return nil
    }

    static func error(_ code: CInt, _ path: String) -> StoreError {
        switch code {
        case EACCES, EPERM: .unreadable("\(path): may not be read (permission denied); check its permissions")
        case ENOENT: .unavailable("\(path): vanished while it was read; try again")
        default: .unavailable("\(path): cannot be read (\(String(cString: strerror(code)))); try again")
        }
    }
}

/// A small file as a whole, for those that are JSON documents.
struct SmallFile: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    let stamp: FileStamp
    private let count: Int

    /// - Parameter limit: in bytes.
    /// - Throws: `unreadable` when it is longer; else as `File`.
    init(_ path: String, limit: Int64) throws(StoreError) {
        let file = try File(path)
        let stamp = try file.stamp()
        guard stamp.size <= limit else { throw .unreadable("\(path): larger than \(limit >> 20) MiB; make it smaller") }
        let count = Int(stamp.size)
        let buffer = try Memory.allocate(count + JSONPadding.bytes)
        do {
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: 0)
        } catch {
            Memory.free(buffer)
            throw error
        }
        (self.buffer, self.stamp, self.count) = (buffer, stamp, count)
    }

    deinit { Memory.free(buffer) }

    /// Its bytes without a byte order mark, valid as long as the file.
    var slice: Slice {
        let start = ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return Slice(UnsafeRawBufferPointer(rebasing: buffer[start..<count]), readable: buffer.count - start)
    }
}

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
