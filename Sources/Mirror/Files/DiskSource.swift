internal import Formats
import Glibc
internal import Messages

/// Reads the files of an export from the disk. Follows no symbolic link but the path that the user named.
struct DiskSource: SourceReading {
    /// The canonical path of the folder, or of the one file.
    let root: String
    let isFile: Bool

    /// More files than any export has; beyond that somebody has named a whole disk.
    private static let mostFiles = 1_000_000
    /// Of so many files and folders, those at the top must be an export.
    static let manyEntries = 20_000
    private static let deepest = 16

    /// Lists a source, without saying what of it cannot be read.
    static func source(at root: String) throws(StoreError) -> Source {
        var problems: [ForeignProblem] = []
        return try source(at: root, &problems)
    }

    /// Lists a source.
    /// - Throws: `unreadable` if there is nothing to read at the path.
    /// - Parameters:
    ///   - problems: receives the files that cannot be read.
    ///   - isWanted: whether the files at the top are an export, as far as they are listed; asked once, of a folder that holds very
    ///     much: somebody may have named a home, or a whole disk.
    static func source(
        at root: String, _ problems: inout [ForeignProblem], isWanted: (Source) -> Bool = { _ in true }
    ) throws(StoreError) -> Source {
        var status = stat()
        guard stat(root, &status) == 0 else { throw .unreadable("\(root): \(String(cString: strerror(errno)))") }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let name = String(root.split(separator: "/").last ?? "")
            guard access(root, R_OK) == 0 else { throw .unreadable("\(root): \(String(cString: strerror(errno)))") }
            return Source(
                name: name, files: [file(name, status)], isFile: true, reader: DiskSource(root: root, isFile: true))
        case S_IFDIR:
            var (files, folders, depth, entries, isAsked) = ([SourceFile](), [""], 0, 0, false)
            func source() -> Source {
                Source(
                    name: String(root.split(separator: "/").last ?? "/"), files: files,
                    reader: DiskSource(root: root, isFile: false))
            }
            // The folders at the top first: they say what the rest is.
            while !folders.isEmpty {
                var below: [String] = []
                for folder in folders {
                    try list(root, folder, depth: depth, into: &files, &below, &problems)
                    entries += 1
                    guard !isAsked, files.count + entries + below.count > manyEntries else { continue }
                    isAsked = true
                    guard isWanted(source()) else {
                        throw .unreadable(
                            "\(root): holds more than \(manyEntries) files and folders, and none of those at its top is of an "
                                + "export that Kedge reads; name the folder of one export")
                    }
                }
                (folders, depth) = (depth < deepest ? below : [], depth + 1)
            }
            return source()
        default: throw .unreadable("\(root): neither a folder nor a regular file; name an export or an archive")
        }
    }

    /// The current state of a file; nil if it is gone.
    func status(_ path: String) -> SourceFile? {
        var status = stat()
        guard lstat(isFile ? root : root + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return DiskSource.file(path, status)
    }

    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        let path = isFile ? root : root + "/" + file.path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isFile ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .unreadable(file.path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let (bytes, code) = PositionedRead.bytes(of: descriptor, at: offset, count: count)
        guard code == 0 else { throw .unreadable(file.path, String(cString: strerror(code))) }
        return bytes
    }

    /// A source in which the files of these feeds are as they are now.
    static func refreshed(_ source: Source, at root: String, _ feeds: [Feed]) -> (source: Source, changed: Bool) {
        let disk = DiskSource(root: root, isFile: source.isFile)
        var new: [String: SourceFile] = [:]
        for feed in feeds where feed.grows {
            guard let old = source.file(feed.file), let now = disk.status(feed.file), now != old else { continue }
            new[feed.file] = now
        }
        guard !new.isEmpty else { return (source, false) }
        return (source.updated(new), true)
    }

    private static func file(_ path: String, _ status: stat) -> SourceFile {
        SourceFile(
            path: path, size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec),
            inode: UInt64(status.st_ino))
    }

    private static func list(
        _ root: String, _ folder: String, depth: Int, into files: inout [SourceFile], _ folders: inout [String],
        _ problems: inout [ForeignProblem]
    ) throws(StoreError) {
        guard let stream = opendir(folder.isEmpty ? root : root + "/" + folder) else {
            // One folder that is closed does not hide the others.
            if depth > 0 {
                return problems.append(ForeignProblem(file: folder, kind: String(cString: strerror(errno))))
            }
            throw .unreadable("\(root): \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let names = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                let bytes = bytes.prefix { $0 != 0 }
                return (String(validating: bytes, as: UTF8.self), String(decoding: bytes, as: UTF8.self))
            }
            guard !names.1.hasPrefix(".") else { continue }
            guard let name = names.0 else {
                problems.append(ForeignProblem(file: names.1, kind: "its name is not UTF-8; rename it"))
                continue
            }
            let path = folder.isEmpty ? name : folder + "/" + name
            var status = stat()
            guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG where faccessat(dirfd(stream), name, R_OK, AT_EACCESS) != 0:
                problems.append(ForeignProblem(file: path, kind: String(cString: strerror(errno))))
            case S_IFREG: files.append(file(path, status))
            case S_IFDIR: folders.append(path)
            default: break
            }
            guard files.count <= mostFiles else {
                throw .unreadable("\(root): has more than a million files; name the folder of one export")
            }
        }
    }
}

/// Reads a folder in which some files are unpacked elsewhere.
struct MixedSource: SourceReading {
    let plain: DiskSource
    /// Where a file is unpacked, by its path in the source.
    let unpacked: [String: String]

    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(SourceError) -> [UInt8] {
        guard let path = unpacked[file.path] else { return try plain.read(file, at: offset, count: count) }
        return try DiskSource(root: path, isFile: true).read(file, at: offset, count: count)
    }
}

/// Reads parts of one file.
struct RunReader: ~Copyable {
    private let descriptor: CInt
    private let path: String

    init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// - Throws: `unavailable` unless all bytes are there.
    mutating func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        let bytes = PositionedRead.bytes(of: descriptor, at: offset, count: count).bytes
        guard bytes.count == count else { throw MirrorFiles.error(EIO, path) }
        return bytes
    }
}

/// Reads parts of open files.
enum PositionedRead {
    /// At most `count` bytes from `offset` on; fewer at the end of the file, and after an error.
    /// - Returns: also the number of the error; 0 for none.
    static func bytes(of descriptor: CInt, at offset: Int64, count: Int) -> (bytes: [UInt8], code: CInt) {
        var code: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let part = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + filled)
                if part > 0 {
                    filled += part
                } else if part == 0 || errno != EINTR {
                    code = part == 0 ? 0 : errno
                    return
                }
            }
        }
        return (bytes, code)
    }
}

/// A file that gets its name when it is whole. Deleted if it never is.
struct UnnamedFile: ~Copyable {
    private let descriptor: CInt
    private let path: String
    /// In bytes.
    private(set) var size: Int64 = 0
    private var print = Fingerprint()
    /// The checksum of its bytes.
    var sum: UInt64 { print.value }
    private var isNamed = false

    init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw MirrorFiles.error(errno, path) }
    }

    deinit {
        close(descriptor)
        if !isNamed { unlink(path) }
    }

    mutating func append(_ bytes: [UInt8]) throws(StoreError) {
        try UnnamedFile.write(bytes, to: descriptor, path)
        size += Int64(bytes.count)
        print.add(bytes)
    }

    /// Gives the file its name, in place of any file that has it.
    mutating func finish(as name: String) throws(StoreError) {
        guard Glibc.rename(path, name) == 0 else { throw MirrorFiles.error(errno, name) }
        isNamed = true
    }

    static func rename(_ path: String, _ name: String) throws(StoreError) {
        guard Glibc.rename(path, name) == 0 else { throw MirrorFiles.error(errno, name) }
    }

    /// Appends whole lines to a file of a known size; what follows that size is cut off first.
    /// - Returns: the new size in bytes.
    static func append(_ bytes: [UInt8], to path: String, of size: Int64) throws(StoreError) -> Int64 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw MirrorFiles.error(errno, path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= size else { throw MirrorFiles.error(EIO, path) }
        if status.st_size > size { ftruncate(descriptor, off_t(size)) }
        lseek(descriptor, off_t(size), SEEK_SET)
        do throws(StoreError) {
            try write(bytes, to: descriptor, path)
        } catch {
            ftruncate(descriptor, off_t(size))
            throw error
        }
        return size + Int64(bytes.count)
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt, _ path: String) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw MirrorFiles.error(errno, path) }
            done += count
        }
    }
}
