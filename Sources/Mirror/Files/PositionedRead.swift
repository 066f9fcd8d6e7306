import Glibc

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
