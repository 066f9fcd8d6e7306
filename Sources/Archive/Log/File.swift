import Glibc
internal import Messages

/// Owns a descriptor for reading.
struct File: ~Copyable {
    let path: String
    /// The state of the file when it was opened.
    let stamp: FileStamp
    private let descriptor: CInt

    /// Opens a regular file. Never blocks on a pipe or a device.
    /// - Throws: `unreadable` without permission or if the path is not a regular file; otherwise `unavailable`.
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
        stamp = FileStamp(status)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Waits until the disk has the whole content.
    /// - Throws: `notSent`
    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw WriteFailure.error(errno, path) }
    }

    /// Fills the buffer.
    /// - Throws: `unavailable` if the file ends before.
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

    /// The message for a pipe, a device, a socket or a folder in place of a file.
    static let irregular = "not a regular file"

    /// Why a path has no `FileStamp`, for people; nil if nothing exists there.
    static func obstacle(_ path: String) -> String? {
        do throws(StoreError) {
            return try status(path) == nil ? nil : irregular
        } catch {
            return error.reason
        }
    }

    /// The status of a path; nil if nothing exists there. A name that is too long for the file system counts as
    /// missing.
    /// - Throws: if the status cannot be determined, for example if a folder on the path must not be searched.
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

extension FileStamp {
    /// The stamp of a regular file; nil if there is none. Does not open the file, which could block on a pipe.
    /// - Throws: the errors of `File.status`.
    static func of(_ path: String) throws(StoreError) -> FileStamp? {
        guard let status = try File.status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileStamp(status)
    }
}

/// Identifies a file and its state, to detect that it was replaced or has changed.
struct FileStamp: Equatable {
    let size: Int64
    let inode: UInt64
    let seconds: Int
    let nanoseconds: Int

    init(size: Int64, inode: UInt64, seconds: Int, nanoseconds: Int) {
        (self.size, self.inode, self.seconds, self.nanoseconds) = (size, inode, seconds, nanoseconds)
    }

    init(_ status: stat) {
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }

    /// Returns true if both stamps are of one file, which has not become shorter.
    func continues(_ earlier: FileStamp) -> Bool { inode == earlier.inode && size >= earlier.size }
}

/// Borrowed bytes, and how many bytes are readable from their start: simdjson reads beyond the end. Not an array, which
/// would need an allocation for each of millions of lines.
struct Slice {
    let bytes: UnsafeRawBufferPointer
    let readable: Int

    init(_ bytes: UnsafeRawBufferPointer, readable: Int) {
        self.bytes = bytes
        self.readable = readable
    }

    init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, readable: bytes.count) }

    var count: Int { bytes.count }
}

/// Allocates buffers whose size depends on the files. Swift ends the process if an allocation fails; here that is an
/// ordinary error.
enum Memory {
    /// A buffer larger than this is allocated only if `multiple` times its size is free, since parser tables and
    /// strings made from it need memory too.
    private static let large = 2 << 20
    private static let multiple = 6

    /// Tests whether this many bytes can be allocated, without keeping them.
    /// - Throws: `unavailable` if not.
    static func reserve(_ count: Int) throws(StoreError) {
        let start = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let start, start != UnsafeMutableRawPointer(bitPattern: -1) else { throw .noMemory }
        munmap(start, count)
    }

    /// Allocates zeroed bytes, aligned for any type. Release them with `free`.
    /// - Throws: `unavailable` if there is not enough memory.
    static func allocate(_ count: Int) throws(StoreError) -> UnsafeMutableRawBufferPointer {
        if count > large { try reserve(count * multiple) }
        guard let start = calloc(max(1, count), 1) else { throw .noMemory }
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    /// Allocates zeroed characters.
    static func allocateCharacters(_ count: Int) throws(StoreError) -> UnsafeMutablePointer<CChar> {
        if count > large { try reserve(count * multiple) }
        guard let start = calloc(max(1, count), 1) else { throw .noMemory }
        return start.bindMemory(to: CChar.self, capacity: count)
    }

    static func free(_ buffer: UnsafeMutableRawBufferPointer) { Glibc.free(buffer.baseAddress) }
}

extension StoreError {
    /// The error if files cannot be read for lack of memory. It implies nothing about their content.
    static var noMemory: StoreError {
        .unavailable("there is no memory left to read the archive; close other programs, or raise `ulimit -v`")
    }
}

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
