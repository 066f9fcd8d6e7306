import Glibc

/// Writes a new file, and replaces an old one with it only when it is complete.
///
/// It does not wait for the disk: a power cut may damage the file. Its checksums detect that, and the words are built
/// again.
final class FileWriter {
    private static let capacity = 128 << 10

    private let path: String
    private let temporary: String
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    /// The number of bytes written so far.
    private(set) var offset: Int64 = 0

    /// - Parameter path: the path of the complete file. Until then its name ends with `.new`.
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

    func write(_ bytes: [UInt8]) throws(WordFault) { try write(bytes[...]) }

    func write(_ bytes: ArraySlice<UInt8>) throws(WordFault) {
        buffer.append(contentsOf: bytes)
        offset += Int64(bytes.count)
        if buffer.count >= FileWriter.capacity { try flush() }
    }

    /// Moves the file into place.
    /// - Parameter beginning: replaces the first bytes of the file.
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
