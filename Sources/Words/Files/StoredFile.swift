import Glibc

/// A file for reading at offsets. It stays readable after its name is removed.
final class StoredFile {
    let path: String
    /// The size in bytes when the file was opened.
    let size: Int64
    private let descriptor: CInt

    init(_ path: String) throws(WordFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(file: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .broken(file: path)
        }
        self.path = path
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// True if the file was deleted, or replaced by another file.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink == 0
    }

    /// - Throws: `broken` when the file is too short.
    func read(at offset: Int64, count: Int) throws(WordFault) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= size, Int64(count) <= size - offset else {
            throw .broken(file: path)
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: WordFault?
        bytes.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < count {
                let got = pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, Int(offset) + done)
                if got > 0 {
                    done += got
                } else if got == 0 {
                    failure = .broken(file: path)
                    return
                } else if errno != EINTR {
                    failure = .system(file: path, code: errno)
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
