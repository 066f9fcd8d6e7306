internal import Formats
import Glibc
internal import Messages

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
