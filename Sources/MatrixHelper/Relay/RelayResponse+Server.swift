internal import Matrix
internal import Relay

extension RelayResponse {
    /// The server has refused a request.
    static func failed(_ error: ServerError) -> RelayResponse {
        .failed(reason: error.text.isEmpty ? "status \(error.status)" : error.text, retry: error.retryAfter)
    }
}
