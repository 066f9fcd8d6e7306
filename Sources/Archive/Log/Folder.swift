internal import CSimdjson
import Glibc
internal import Messages
internal import Threads

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

/// Resolves a path that another person wrote: only to a file inside a folder, and never through a symbolic link.
enum EnclosedFile {
    enum Failure: Error {
        case missing
        /// The path points outside the folder.
        case outside
        case symbolicLink
        /// The path points to a folder, a pipe or the like.
        case irregular
        /// The system's error number for a failed access.
        case unreadable(CInt)
    }

    /// Finds a file without opening it.
    /// - Parameters:
    ///   - path: the names of folders and of the file, separated by "/".
    ///   - folder: the folder that contains the file. The user chose it, so its own path may contain symbolic links.
    /// - Returns: the absolute path of the file.
    static func find(_ path: String, in folder: String) throws(Failure) -> String {
        let names = path.split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), !path.utf8.contains(0), !names.contains("..") else { throw .outside }
        guard let root = realPath(folder) else { throw failure(errno) }
        guard let name = names.last else { throw .irregular }
        var parent = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw failure(errno) }
        defer { close(parent) }
        for name in names.dropLast() {
            try check(name, in: parent, is: S_IFDIR)
            let next = openat(parent, String(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw failure(errno) }
            close(parent)
            parent = next
        }
        try check(name, in: parent, is: S_IFREG)
        return root + "/" + names.joined(separator: "/")
    }

    private static func check(_ name: Substring, in folder: CInt, is kind: mode_t) throws(Failure) {
        var status = stat()
        guard fstatat(folder, String(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw failure(errno) }
        switch status.st_mode & S_IFMT {
        case kind: return
        case S_IFLNK: throw .symbolicLink
        default: throw kind == S_IFDIR ? .missing : .irregular
        }
    }

    private static func failure(_ code: CInt) -> Failure {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: .missing
        case ELOOP: .symbolicLink
        default: .unreadable(code)
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

/// The whole content of a small file, for JSON documents.
struct SmallFile: ~Copyable {
    private let buffer: UnsafeMutableRawBufferPointer
    let stamp: FileStamp
    private let count: Int

    /// - Parameter limit: the most bytes to read.
    /// - Throws: `unreadable` if the file is larger; otherwise the errors of `File`.
    init(_ path: String, limit: Int64) throws(StoreError) {
        let file = try File(path)
        let stamp = file.stamp
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

    /// The content without a byte order mark; valid while the `SmallFile` exists.
    var slice: Slice {
        let start = ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return Slice(UnsafeRawBufferPointer(rebasing: buffer[start..<count]), readable: buffer.count - start)
    }
}

/// U+FEFF in UTF-8, which some editors write at the start of a file.
enum ByteOrderMark {
    static func length(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }
}

/// The number of readable bytes that simdjson requires after the JSON.
enum JSONPadding {
    static let bytes = Int(csj_padding)
}

extension SerialThread {
    /// Starts a thread for reading files. An actor on it may block without occupying the cooperative pool.
    /// - Throws: `unavailable` if the system cannot start a thread.
    static func forReading() throws(StoreError) -> SerialThread {
        let thread = SerialThread()
        try thread.startForReading()
        return thread
    }

    /// - Throws: `unavailable` when the system gives no thread.
    func startForReading() throws(StoreError) {
        do throws(NoThread) {
            try start()
        } catch {
            throw .unavailable("no thread for reading the archive: \(error); try again")
        }
    }
}
