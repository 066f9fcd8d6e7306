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

    init(_ description: String, isCancelled: Bool = false, isFinal: Bool = false) {
        (self.description, self.isCancelled, self.isFinal) = (description, isCancelled, isFinal)
    }

    static let cancelled = HTTPFailure("the request was given up", isCancelled: true)
}
