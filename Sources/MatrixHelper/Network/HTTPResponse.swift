/// The response to a request, of any status.
package struct HTTPResponse: Hashable, Sendable {
    package let status: Int
    package let body: [UInt8]
    /// The header Retry-After.
    package let retryAfter: String?
}

/// Why there is no response: one line for people.
package struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the caller itself has ended the request.
    package let isCancelled: Bool

    /// Whether another try would fail as well.
    let isFinal: Bool

    /// Whether the server had the request, and did not end its response: it took too long, or was cut off.
    let isOfResponse: Bool

    /// Whether it took too long.
    let isSilence: Bool

    init(
        _ description: String, isCancelled: Bool = false, isFinal: Bool = false, isOfResponse: Bool = false,
        isSilence: Bool = false
    ) {
        (self.description, self.isCancelled) = (description, isCancelled)
        (self.isFinal, self.isOfResponse, self.isSilence) = (isFinal, isOfResponse, isSilence)
    }

    static let cancelled = HTTPFailure("the request was given up", isCancelled: true)
}
