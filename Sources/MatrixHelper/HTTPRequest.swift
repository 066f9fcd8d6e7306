package import Helper
package import Matrix

/// A request with its address.
package struct HTTPRequest: Sendable {
    let request: MatrixRequest
    let address: String
    let headers: [String]
    /// The descriptor of a file that takes the body of a response with status 200; -1 for none. It must stay open until the
    /// response has come.
    let file: CInt

    /// - Parameters:
    ///   - base: the address of the server.
    ///   - token: is sent to this address only: a request with a token follows no redirect.
    ///   - file: the descriptor of a file that takes the body; -1 for none.
    package init(_ request: MatrixRequest, at base: String, token: String?, file: CInt = -1) {
        (self.request, self.file) = (request, file)
        address = request.address(at: base)
        var headers = [file < 0 ? "Accept: application/json" : "Accept: */*", "User-Agent: kedge"]
        if request.body != nil { headers.append("Content-Type: application/json") }
        // libcurl would ask whether it may send a long body and wait for the reply, which some proxies never send.
        headers.append("Expect:")
        if request.isAuthorized, let token { headers.append("Authorization: Bearer \(token)") }
        self.headers = headers
    }
}

/// The response to a request, of any status.
package struct HTTPResponse: Sendable {
    package let status: Int
    package let body: ResponseBody
    /// The header Retry-After.
    package let retryAfter: String?
}

/// The reason why a request has no response, or none that is of use: one line for people, which may contain unchecked text of a
/// server.
package struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// True if the caller itself has ended the request.
    package let isCancelled: Bool

    /// True if another try would fail as well.
    let isFinal: Bool

    /// True if the server did not complete its response: that took too long, was cut off, or was rejected.
    let isOfResponse: Bool

    /// True if it took too long.
    let isSilence: Bool

    /// The response of a server that refuses the request; nil for any other reason.
    package let refusal: ServerError?

    init(
        _ description: String, isCancelled: Bool = false, isFinal: Bool = false, isOfResponse: Bool = false,
        isSilence: Bool = false, refusal: ServerError? = nil
    ) {
        (self.description, self.isCancelled, self.refusal) = (description, isCancelled, refusal)
        (self.isFinal, self.isOfResponse, self.isSilence) = (isFinal, isOfResponse, isSilence)
    }

    static let cancelled = RequestError("the request was cancelled", isCancelled: true)

    /// - Parameter base: the address of the server.
    static func refused(_ base: String, _ error: ServerError) -> RequestError {
        let reason =
            error.code.isEmpty
            ? "status \(error.status), and the response is not from a Matrix server"
            : error.text.isEmpty ? error.code : error.text
        return RequestError("\(base): \(reason)", refusal: error)
    }

    /// The error for a text that is not the address of a server.
    package static func noAddress(_ text: String) -> RequestError {
        RequestError("\(text): not the address of a server, such as example.org or https://example.org")
    }
}
