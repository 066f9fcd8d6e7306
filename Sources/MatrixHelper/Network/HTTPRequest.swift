package import Matrix

/// A request with its address.
package struct HTTPRequest: Sendable {
    let method: String
    let address: String
    let headers: [String]
    let body: [UInt8]?
    /// In milliseconds.
    let wholeLimit: Int
    /// In seconds: the request fails when hardly a byte has come for so long; nil for no such limit.
    let longestSilence: Int?
    let longestBody: Int
    let follows: Bool
    /// The descriptor of a file that takes the body of a response with status 200; -1 for none. It is to stay open until the
    /// response is there.
    let file: CInt

    /// - Parameters:
    ///   - base: the address of the server.
    ///   - token: is sent to this address only: a request with a token follows no redirect.
    ///   - file: the descriptor of a file that takes the body; -1 for none.
    package init(_ request: MatrixRequest, at base: String, token: String?, file: CInt = -1) {
        method = request.method.rawValue
        address = request.address(at: base)
        var headers = [file < 0 ? "Accept: application/json" : "Accept: */*", "User-Agent: kedge"]
        if request.body != nil { headers.append("Content-Type: application/json") }
        // libcurl would ask whether it may send a long body and wait for the reply, which some proxies never send.
        headers.append("Expect:")
        if request.isAuthorized, let token { headers.append("Authorization: Bearer \(token)") }
        self.headers = headers
        body = request.body
        wholeLimit = request.limit
        longestSilence = request.longestSilence
        longestBody = request.longestResponse
        follows = !request.isAuthorized && request.method == .get
        self.file = file
    }
}
