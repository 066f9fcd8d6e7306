/// Why a file of an export cannot be read. `description` is one line for people.
package enum SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path in the source, and the reason.
    case unreadable(String, String)
    case tooLarge(String)

    /// The error as something in the export that was not understood.
    package var problem: ForeignProblem {
        switch self {
        case .unreadable(let path, let reason): ForeignProblem(file: path, kind: reason)
        case .tooLarge(let path): ForeignProblem(file: path, kind: "too large to be read at once")
        }
    }

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .tooLarge(let path): "\(path): too large to be read at once"
        }
    }
}
