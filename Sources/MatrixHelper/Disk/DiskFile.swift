internal import CMirror
internal import Formats
internal import Glibc
internal import Locks

/// Whole files: read at once, and replaced at once.
enum DiskFile {
    /// The bytes of a file; nil if there is none.
    /// - Parameter longest: in bytes; a longer file fails.
    static func read(_ path: String, longest: Int = 1 << 30) throws(DiskFailure) -> [UInt8]? {
        guard let file = try open(path, longest: longest) else { return nil }
        defer { close(file) }
        return try read(file, path, from: 0, count: Int(lseek(file, 0, SEEK_END)))
    }

    /// Opens a file for reading; nil if there is none. The caller closes it.
    /// - Parameter longest: in bytes; a longer file fails.
    static func open(_ path: String, longest: Int) throws(DiskFailure) -> CInt? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw DiskFailure(path, code: errno)
        }
        do throws(DiskFailure) {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw DiskFailure(path, code: errno) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw DiskFailure("\(path): not a regular file") }
            guard status.st_size <= longest else { throw DiskFailure("\(path): larger than \(longest >> 20) MiB") }
        } catch {
            close(file)
            throw error
        }
        return file
    }

    /// Bytes of an open file; fewer where it ends.
    static func read(
        _ file: CInt, _ path: String, from offset: Int, count: Int
    ) throws(DiskFailure) -> [UInt8] {
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = pread(file, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                if part < 0, errno == EINTR { continue }
                if part < 0 { failure = errno }
                guard part > 0 else { return }
                filled += part
            }
        }
        if failure != 0 { throw DiskFailure(path, code: failure) }
        return bytes
    }

    /// Replaces a file, completely or not at all. When it returns, the disk has the new one.
    /// - Parameter body: the bytes after the parts; nil for none.
    static func replace(
        _ path: String, with parts: [[UInt8]], and body: ResponseBody? = nil, mode: mode_t = 0o600
    ) throws(DiskFailure) {
        let (folder, name) = split(path)
        let new = "\(folder)/.\(name).new"
        try write(parts, and: body, toNew: new, mode: mode, isSynced: true)
        guard rename(new, path) == 0 else { throw DiskFailure(path, code: errno) }
        try syncNames(of: folder)
    }

    /// Writes a file that does not exist; one that a killed process has left is replaced.
    /// - Parameter isSynced: whether the disk has it when this returns.
    static func write(
        _ parts: [[UInt8]], and body: ResponseBody? = nil, toNew path: String, mode: mode_t, isSynced: Bool
    ) throws(DiskFailure) {
        unlink(path)
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw DiskFailure(path, code: errno) }
        defer { close(file) }
        do throws(DiskFailure) {
            for part in parts { try append(part, to: file, path) }
            try body?.forEachPiece { (piece) throws(DiskFailure) in try append(piece, to: file, path) }
            guard !isSynced || fsync(file) == 0 else { throw DiskFailure(path, code: errno) }
        } catch {
            unlink(path)
            throw error
        }
    }

    static func append(_ bytes: [UInt8], to file: CInt, _ path: String) throws(DiskFailure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DiskFailure) in try append(bytes, to: file, path) }
        }
        try result.get()
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to file: CInt, _ path: String) throws(DiskFailure) {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DiskFailure(path, code: count < 0 ? errno : ENOSPC) }
            written += count
        }
    }

    /// Waits until the disk has the names in a folder.
    static func syncNames(of folder: String) throws(DiskFailure) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure(folder, code: errno) }
        defer { close(descriptor) }
        // Some file systems cannot do this for a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw DiskFailure(folder, code: errno) }
    }

    /// Waits until the disk has everything that was written to the file system of a folder: one wait for thousands of files.
    static func syncAll(of folder: String) throws(DiskFailure) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure(folder, code: errno) }
        defer { close(descriptor) }
        let code = cmirror_sync(descriptor)
        guard code == 0 else { throw DiskFailure(folder, code: code) }
    }

    /// Creates a folder unless it is there.
    static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(DiskFailure) {
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw DiskFailure(path, code: errno) }
    }

    /// The names in a folder, in no order; none if there is no folder.
    static func names(in folder: String) throws(DiskFailure) -> [String] {
        guard let list = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw DiskFailure(folder, code: errno)
        }
        defer { closedir(list) }
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The folder that holds a file.
    static func folder(of path: String) -> String { split(path).folder }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}

/// Why a file cannot be read or written: one line for people.
package struct DiskFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether no other file could be written either: nothing goes on before that is over. Any other failure concerns one room.
    let stopsAll: Bool

    init(_ description: String) { (self.description, stopsAll) = (description, false) }

    /// - Parameter code: the number of the error.
    init(_ path: String, code: CInt) {
        let isFull = code == ENOSPC || code == EDQUOT
        description = "\(path): " + (isFull ? "the disk is full; make room" : String(cString: strerror(code)))
        stopsAll = isFull || [EIO, EROFS, EMFILE, ENFILE, ENOMEM, EFBIG, ESTALE].contains(code)
    }
}

/// Records as bytes: whole lines.
enum Lines {
    /// The ID of a record; nil if it has none, or stands out of its place (`late`).
    static func id(of line: UnsafeRawBufferPointer, _ tree: JSONTree) -> String? {
        guard let value = tree.parse(line), value["late"] == nil else { return nil }
        return value["id"]?.string
    }

    /// The IDs of the messages, in their order.
    static func messages(in bytes: [UInt8]) -> [String] {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var ids: [String] = []
        forEach(in: bytes) { line in
            if let value = tree.parse(line), value["type"]?.string == "message", let id = value["id"]?.string {
                ids.append(id)
            }
        }
        return ids
    }

    /// Calls `body` with each line, without its line feed.
    static func forEach(in bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                body(UnsafeRawBufferPointer(rebasing: rest[..<end]))
                rest = end < rest.endIndex ? UnsafeRawBufferPointer(rebasing: rest[(end + 1)...]) : .empty
            }
        }
    }

    /// The last lines.
    static func last(_ count: Int, of bytes: [UInt8]) -> [UInt8] {
        var (start, found) = (bytes.endIndex, 0)
        while start > bytes.startIndex {
            if start < bytes.endIndex, bytes[start - 1] == 0x0A {
                found += 1
                if found == count { break }
            }
            start -= 1
        }
        return Array(bytes[start...])
    }

    /// The lines that hold a text, read by `read`, in their order.
    static func find<Value>(
        _ needle: String, in bytes: [UInt8], _ tree: JSONTree, _ read: (JSONValue) -> Value?
    ) -> [Value] {
        bytes.withUnsafeBytes { bytes in
            var found: [Value] = []
            var start = 0
            while let place = bytes.offset(of: needle, from: start) {
                let begin = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.endIndex
                if let value = tree.parse(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])).flatMap(read) {
                    found.append(value)
                }
                start = end
            }
            return found
        }
    }

    static func ids(in bytes: [UInt8]) -> Set<String> {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var ids: Set<String> = []
        forEach(in: bytes) { if let id = id(of: $0, tree) { ids.insert(id) } }
        return ids
    }

    /// The lines whose IDs are not among these.
    static func without(_ ids: Set<String>, _ bytes: [UInt8]) -> [UInt8] {
        guard !ids.isEmpty else { return bytes }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var rest: [UInt8] = []
        forEach(in: bytes) { line in
            if let id = id(of: line, tree), ids.contains(id) { return }
            rest += line
            rest.append(0x0A)
        }
        return rest
    }
}

/// The right to write into the archive of an account. It ends with the process.
package struct AccountLock: ~Copyable {
    private let descriptor: CInt

    /// - Parameters:
    ///   - archive: the path of the archive.
    ///   - patience: how long to wait while another process has it.
    /// - Throws: also when another process has it.
    package init(archive: String, patience: Duration = .zero) throws(DiskFailure) {
        descriptor = try AccountLock.locked(archive, patience)
    }

    private static func locked(_ archive: String, _ patience: Duration) throws(DiskFailure) -> CInt {
        let path = archive + "/matrix/lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw DiskFailure(path, code: errno) }
        do {
            try FileLock.take(file, LockPatience(limit: patience))
            return file
        } catch FileLock.Failure.held(let holder) {
            close(file)
            throw DiskFailure("\(archive): is synchronized already, by \(LockHolder.describe(holder))")
        } catch {
            close(file)
            throw DiskFailure("\(path): \(error)")
        }
    }

    deinit { close(descriptor) }
}
