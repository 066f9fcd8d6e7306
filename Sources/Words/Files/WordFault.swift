import Glibc

/// Why the words of an index cannot be read or written.
package enum WordFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file is damaged. The words must be built again.
    case broken(file: String)
    /// The system refused a call.
    case system(file: String, code: CInt)

    package var description: String {
        switch self {
        case .broken(let file): "\(file): it is damaged"
        case .system(let file, let code): "\(file): \(WordFault.reason(code))"
        }
    }

    private static func reason(_ code: CInt) -> String {
        switch code {
        case ENOSPC, EDQUOT: "the disk is full; make room"
        case EFBIG: "`ulimit -f` allows no larger file"
        case EACCES, EPERM, EROFS: "it may not be opened; check its permissions"
        case EMFILE, ENFILE: "too many files are open"
        default: String(cString: strerror(code))
        }
    }
}
