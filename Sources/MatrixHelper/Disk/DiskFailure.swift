internal import Glibc

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
