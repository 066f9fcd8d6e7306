import Glibc

/// Writes a new file from its beginning to its end, and puts it in place of another one only when it is whole.
///
/// Nothing waits for the disk: after a power cut a file may be damaged, which its checksums tell, and then words are made
/// anew.
final class FileWriter {
    private static let capacity = 128 << 10

    private let path: String
    private let temporary: String
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    /// Bytes that were written so far.
    private(set) var offset: Int64 = 0

    /// - Parameter path: of the file when it is whole. Until then there is one with the ending `.new`.
    init(_ path: String) throws(WordFault) {
        self.path = path
        temporary = path + ".new"
        unlink(temporary)
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(file: path, code: errno) }
        buffer.reserveCapacity(FileWriter.capacity)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    func write(_ bytes: [UInt8]) throws(WordFault) {
        buffer.append(contentsOf: bytes)
        offset += Int64(bytes.count)
        if buffer.count >= FileWriter.capacity { try flush() }
    }

    /// Puts the file in its place.
    /// - Parameter beginning: what its first bytes are to be, in place of those that were written there.
    func finish(beginningWith beginning: [UInt8] = []) throws(WordFault) {
        try flush()
        let isRewritten = beginning.withUnsafeBytes { bytes in
            bytes.isEmpty || pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
        }
        guard isRewritten else { throw .system(file: path, code: errno) }
        let result = close(descriptor)
        descriptor = -1
        guard result == 0, rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw .system(file: path, code: code)
        }
    }

    private func flush() throws(WordFault) {
        var done = 0
        while done < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if written >= 0 {
                done += written
            } else if errno != EINTR {
                throw .system(file: path, code: errno)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
