package import Matrix

/// A request with its address.
package struct HTTPRequest: Sendable {
    let method: String
    let address: String
    let headers: [String]
    let body: [UInt8]?
    /// In milliseconds.
    let wholeLimit: Int
    let longestBody: Int
    let follows: Bool

    /// - Parameters:
    ///   - base: the address of the server.
    ///   - token: is sent to this address only: a request with a token follows no redirect.
    package init(_ request: MatrixRequest, at base: String, token: String?) {
        method = request.method.rawValue
        address = request.address(at: base)
        var headers = ["Accept: application/json", "User-Agent: kedge"]
        if request.body != nil { headers.append("Content-Type: application/json") }
        // libcurl would ask whether it may send a long body and wait for the reply, which some proxies never send.
        headers.append("Expect:")
        if request.isAuthorized, let token { headers.append("Authorization: Bearer \(token)") }
        self.headers = headers
        body = request.body
        wholeLimit = request.limit
        longestBody = request.longestResponse
        follows = !request.isAuthorized && request.method == .get
    }
}
