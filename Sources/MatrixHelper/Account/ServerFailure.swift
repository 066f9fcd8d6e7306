package import Matrix

/// Why a server did not do what it was asked.
package enum ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case noAddress(String)
    case unreachable(String, String)
    case refused(String, ServerError)
    /// The body is not one that the request can have.
    case unclear(String)

    /// One line for people. What the server says stands in it as it came.
    package var description: String {
        switch self {
        case .noAddress(let text): "\(text): is no address of a server, such as example.org or https://example.org"
        case .unreachable(let base, let reason): "\(base): \(reason)"
        case .refused(let base, let error) where error.code.isEmpty:
            "\(base): status \(error.status), and no response of a Matrix server"
        case .refused(let base, let error): "\(base): \(error.text.isEmpty ? error.code : error.text)"
        case .unclear(let base): "\(base): this is not the response of a Matrix server"
        }
    }
}
