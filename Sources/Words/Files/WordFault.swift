internal import Files
import Glibc

/// The reason why the words of an index cannot be read or written.
package enum WordFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file is damaged. The words must be built again.
    case broken(file: String)
    /// The system refused a call.
    case system(file: String, code: CInt)

    package var description: String {
        switch self {
        case .broken(let file): "\(file): it is damaged"
        case .system(let file, let code): "\(file): \(FileError.reason(forOwnFile: code))"
        }
    }
}
