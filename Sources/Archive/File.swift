import Glibc
internal import Messages

/// What tells whether a file is still the one that was read.
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

    /// - Throws: `unreadable` when permission is missing, else `unavailable`.
    init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw File.error(errno, path) }
    }

    deinit { close(descriptor) }

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

    /// Nil when there is nothing at the path.
    /// - Throws: when that cannot be known, because a folder on the way may not be searched, say.
    static func status(_ path: String) throws(StoreError) -> stat? {
        var status = stat()
        if stat(path, &status) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw error(errno, path) }
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
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count + JSONPadding.bytes, alignment: 16)
        buffer.initializeMemory(as: UInt8.self, repeating: 0x20)
        do {
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: 0)
        } catch {
            buffer.deallocate()
            throw error
        }
        (self.buffer, self.stamp, self.count) = (buffer, stamp, count)
    }

    deinit { buffer.deallocate() }

    /// Its bytes without a byte order mark, valid as long as the file.
    var slice: Slice {
        let start = ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return Slice(UnsafeRawBufferPointer(rebasing: buffer[start..<count]), readable: buffer.count - start)
    }
}

enum Folder {
    /// The names in a folder, without hidden ones and those that are not UTF-8, sorted by their bytes.
    /// - Throws: `unreadable` when permission is missing, else `unavailable`.
    static func names(_ path: String) throws(StoreError) -> [String] {
        guard let folder = opendir(path) else { throw File.error(errno, path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Makes a folder and those that it lies in, as far as they are not there, for their owner alone.
    /// - Returns: which one could not be made, and the number of the error.
    static func make(_ path: String) -> (path: String, code: CInt)? {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0 else { continue }
            let code = errno
            if code != EEXIST, access(made, F_OK) != 0 { return (made, code) }
        }
        return nil
    }

    /// - Throws: as `File`, when that cannot be known.
    static func exists(_ path: String) throws(StoreError) -> Bool {
        try File.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}
