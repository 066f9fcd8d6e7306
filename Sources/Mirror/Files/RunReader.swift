import Glibc
internal import Messages

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
