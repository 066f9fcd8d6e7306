/// A request to a homeserver, as a value.
package struct MatrixRequest: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    package let method: Method
    /// The parts of the path, as they are: `["_matrix", "client", "v3", "rooms", "!a/b"]`.
    package let path: [String]
    package let query: [Parameter]
    /// JSON; nil without a body.
    package let body: [UInt8]?
    /// Whether the access token is sent with it.
    package let isAuthorized: Bool
    /// How long all of it may take, in milliseconds.
    package let limit: Int
    /// In seconds: the request fails when hardly a byte has come for so long; nil for no such limit.
    package var longestSilence: Int?
    /// In bytes: a longer response is given up.
    package let longestResponse: Int

    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    init(
        _ method: Method, _ path: [String], query: [(String, String?)] = [], body: [UInt8]? = nil,
        isAuthorized: Bool = true, limit: Int = 60_000, longestResponse: Int = 4 << 20
    ) {
        self.method = method
        self.path = path
        self.query = query.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
        self.body = body
        self.isAuthorized = isAuthorized
        self.limit = limit
        self.longestResponse = longestResponse
    }

    /// The address at a server.
    /// - Parameter base: `https://matrix.example.org`, without a slash at its end.
    package func address(at base: String) -> String {
        var address = base + "/" + path.map(Percent.encoded).joined(separator: "/")
        if !query.isEmpty {
            address +=
                "?"
                + query.map { "\(Percent.encoded($0.name))=\(Percent.encoded($0.value))" }.joined(separator: "&")
        }
        return address
    }
}
