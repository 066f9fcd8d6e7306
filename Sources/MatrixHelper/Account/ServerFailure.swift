package import Matrix

/// Why a server did not do what it was asked.
package enum ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case noAddress(String)
    case unreachable(String, String)
    case refused(String, ServerError)
    /// It sent something else than an answer.
    case unclear(String)

    /// One line for people. What the server says stands in it as it came.
    package var description: String {
        switch self {
        case .noAddress(let text): "\(text): is no address of a server, such as example.org or https://example.org"
        case .unreachable(let base, let reason): "\(base): \(reason)"
        case .refused(let base, let error) where error.code.isEmpty:
            "\(base): status \(error.status), and no answer of a Matrix server"
        case .refused(let base, let error): "\(base): \(error.text.isEmpty ? error.code : error.text)"
        case .unclear(let base): "\(base): the answer is none of a Matrix server"
        }
    }
}
