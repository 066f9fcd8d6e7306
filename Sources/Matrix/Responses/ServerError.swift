internal import Formats

/// Why a server did not do what it was asked.
package struct ServerError: Error, Hashable, Sendable {
    /// Of HTTP.
    package let status: Int
    /// `M_FORBIDDEN`; empty if the response is not one of Matrix, such as that of a proxy.
    package let code: String
    /// For people, and as hostile as all that comes from a server.
    package let text: String
    /// In milliseconds; nil if the server does not say when to try again.
    package let retryAfter: Int?
    /// Whether the session is still there and only its token has ended.
    package let isSoftLogout: Bool

    /// - Parameter header: the value of the header Retry-After, in seconds.
    package init(status: Int, body: UnsafeRawBufferPointer, header: String? = nil) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        let value = tree.parse(body)
        self.status = status
        code = value?["errcode"]?.string ?? ""
        text = value?["error"]?.string ?? ""
        isSoftLogout = value?["soft_logout"]?.isTrue == true
        let seconds = header.flatMap { Int($0) }.flatMap { $0 >= 0 && $0 < 1 << 20 ? $0 * 1_000 : nil }
        let told = value?["retry_after_ms"]?.integer.flatMap { $0 >= 0 && $0 < 1 << 30 ? Int($0) : nil }
        retryAfter = told ?? seconds
    }

    /// Whether the server does not know such a request.
    package var isOfUnknownRequest: Bool {
        code == "M_UNRECOGNIZED" || code.isEmpty && (status == 404 || status == 405)
    }

    /// Whether the token is refused, so that only a new login helps.
    package var isOfToken: Bool {
        status == 401 && (code == "M_UNKNOWN_TOKEN" || code == "M_MISSING_TOKEN" || code.isEmpty)
    }
}
