internal import Glibc

/// Why a file cannot be read or written: one line for people.
package struct DiskFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// - Parameter code: the number of the error.
    init(_ path: String, code: CInt) {
        switch code {
        case ENOSPC, EDQUOT: self.init("\(path): the disk is full; make room")
        default: self.init("\(path): \(String(cString: strerror(code)))")
        }
    }
}
