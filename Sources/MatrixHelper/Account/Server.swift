package import Matrix

/// A homeserver: sends requests to it and reads their responses.
package struct Server: Sendable {
    private let client: HTTPClient
    package let base: String
    private let token: String?
    /// Whether it encrypts what is sent to encrypted rooms, as pantalaimon does.
    let encrypts: Bool

    package init(_ client: HTTPClient, base: String, token: String? = nil, encrypts: Bool = false) {
        (self.client, self.base, self.token, self.encrypts) = (client, base, token, encrypts)
    }

    /// Whether requests would go to the same server, in the same session.
    func isSame(as other: Server) -> Bool { base == other.base && token == other.token }

    /// Sends a request and waits for its response.
    /// - Returns: what `read` makes of the body of a response with status 200.
    package func ask<Value>(
        _ request: MatrixRequest, _ read: (UnsafeRawBufferPointer) -> Value?
    ) throws(ServerFailure) -> Value {
        switch client.send(HTTPRequest(request, at: base, token: token)) {
        case .failure(let failure): throw .unreachable(base, failure.description)
        case .success(let response):
            guard response.status == 200 else { throw .refused(base, response.error) }
            guard let value = response.body.withUnsafeBytes(read) else { throw .unclear(base) }
            return value
        }
    }

    /// Begins a request. `completion` is called once, on the thread of the client.
    /// - Parameter file: the descriptor of a file that takes the body of a success; -1 for none.
    /// - Parameter progress: receives the number of bytes that the file has taken.
    func start(
        _ request: MatrixRequest, file: CInt = -1, progress: HTTPClient.Progress? = nil,
        _ completion: @escaping HTTPClient.Completion
    ) -> Int {
        client.start(HTTPRequest(request, at: base, token: token, file: file), progress: progress, completion)
    }

    func cancel(_ number: Int) { client.cancel(number) }

    /// Asks a domain where its homeserver is.
    package static func discover(_ domain: String, by client: HTTPClient) throws(ServerFailure) -> String {
        guard let base = Homeserver.typed(domain) else { throw .noAddress(domain) }
        // A server that cannot be asked is perhaps itself the homeserver: the next request shows that.
        guard case .success(let response) = client.send(HTTPRequest(.wellKnown, at: base, token: nil)) else {
            return base
        }
        switch response.body.withUnsafeBytes({ Homeserver.discovery(status: response.status, body: $0) }) {
        case .none: return base
        case .base(let other): return other
        case .invalid: throw .noAddress("the homeserver that \(base) names")
        }
    }
}

extension HTTPResponse {
    /// The reason why the server says no.
    var error: ServerError {
        body.withUnsafeBytes { ServerError(status: status, body: $0, header: retryAfter) }
    }
}
