internal import Files
import Glibc
internal import Messages

/// A file of an archive that is open for reading. Its errors are those of a store.
struct File: ~Copyable {
    /// The state of the file when it was opened.
    let stamp: FileStamp
    private let file: OpenFile

    var path: String { file.path }

    /// Opens a regular file. Never blocks on a pipe or a device.
    /// - Throws: `unreadable` without permission or if the path is not a regular file; otherwise `unavailable`.
    init(_ path: String) throws(StoreError) {
        do throws(FileError) {
            let file = try OpenFile(reading: path)
            stamp = try file.firstStatus().stamp
            self.file = file
        } catch {
            throw StoreError(reading: error)
        }
    }

    /// Waits until the disk has the whole content.
    /// - Throws: `notSent`
    func sync() throws(StoreError) {
        do throws(FileError) { try file.sync() } catch { throw StoreError(writing: error) }
    }

    /// Fills the buffer.
    /// - Throws: `unavailable` if the file ends before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StoreError) {
        do throws(FileError) { try file.read(into: buffer, at: offset) } catch { throw StoreError(reading: error) }
    }

    /// At most `count` bytes from `offset` on: fewer where the file ends.
    func bytes(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        do throws(FileError) { return try file.bytes(at: offset, count: count) } catch {
            throw StoreError(reading: error)
        }
    }

    /// True if a line feed is right before an offset. False if the file ends before.
    func endsLine(at offset: Int64) throws(StoreError) -> Bool { try bytes(at: offset - 1, count: 1) == [0x0A] }

    /// The message for a pipe, a device, a socket or a folder in place of a file.
    static let irregular = "not a regular file"

    /// The reason why a path has no `FileStamp`, for the user; nil if nothing exists there.
    static func obstacle(_ path: String) -> String? {
        do throws(StoreError) {
            return try status(path) == nil ? nil : irregular
        } catch {
            return error.reason
        }
    }

    /// The status of a path; nil if nothing exists there, as for `Disk.status`.
    static func status(_ path: String) throws(StoreError) -> FileStatus? {
        do throws(FileError) { return try Disk.status(path) } catch { throw StoreError(reading: error) }
    }
}

extension FileStamp {
    /// The stamp of a regular file; nil if there is none. Does not open the file, which could block on a pipe.
    /// - Throws: the errors of `File.status`.
    static func of(_ path: String) throws(StoreError) -> FileStamp? {
        guard let status = try File.status(path), status.isFile else { return nil }
        return status.stamp
    }
}

extension StoreError {
    /// The error for a file that cannot be read. An error that the user has to mend is `unreadable`; any other may pass.
    init(reading error: FileError) {
        switch error.cause {
        case .system(EACCES), .system(EPERM), .irregular, .tooLarge: self = .unreadable(error.description)
        default: self = .unavailable(error.description)
        }
    }

    /// The error for a file that cannot be written.
    init(writing error: FileError) { self = .notSent(WriteFailure.text(error)) }
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

    static func free(_ buffer: UnsafeMutableRawBufferPointer) { Glibc.free(buffer.baseAddress) }
}

extension StoreError {
    /// The error if files cannot be read for lack of memory. It implies nothing about their content.
    static var noMemory: StoreError {
        .unavailable("there is no memory left to read the archive; close other programs, or raise `ulimit -v`")
    }
}

/// The reason why a file cannot be written, in one line for the user: the path, the cause and a remedy.
enum WriteFailure {
    /// Tests whether these paths are writable, without writing.
    /// - Returns: the reason why the first one is not writable; nil if all are.
    static func obstacle(_ paths: [String]) -> String? {
        for path in paths {
            // `access` grants everything to root, even on a file system that is mounted read-only.
            var system = statvfs()
            if statvfs(path, &system) == 0, system.f_flag & UInt(ST_RDONLY) != 0 {
                return text(FileError(.write, path, code: EROFS))
            }
            if access(path, W_OK) != 0 { return text(FileError(.write, path, code: errno)) }
        }
        return nil
    }

    /// Tests that these paths are not links. Kedge never writes through a link, which may point outside the archive.
    /// - Parameter paths: symbolic links in their last component are not followed.
    /// - Returns: the error of the first link; nil if there is no link.
    static func link(among paths: [String]) -> String? {
        for path in paths {
            if let cause = (try? Disk.existing(path, follows: false))?.obstacle {
                return FileError(.write, path, cause).description
            }
        }
        return nil
    }

    static func text(_ error: FileError) -> String {
        // The system reports ELOOP or ENOTDIR for a link that must not be followed.
        if [ELOOP, ENOTDIR].contains(error.code), let link = link(among: [error.path]) { return link }
        return error.text(retry: "send again")
    }
}
