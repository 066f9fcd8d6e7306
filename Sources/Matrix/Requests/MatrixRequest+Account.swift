internal import Formats

/// Requests that discover a server, and begin and end a session.
extension MatrixRequest {
    private static let client = ["_matrix", "client"]

    /// Asks the domain of an ID where its homeserver is.
    package static let wellKnown = MatrixRequest(
        .get, [".well-known", "matrix", "client"], isAuthorized: false, longestResponse: 64 << 10)

    /// Asks which ways to log in there are.
    package static let loginFlows = MatrixRequest(
        .get, client + ["v3", "login"], isAuthorized: false, longestResponse: 1 << 20)

    /// - Parameter device: the ID that this device has had: posts that are repeated after the login are still the same posts for
    ///   the server, which knows their transactions by it. Nil for a new one.
    package static func login(
        user: String, password: String, device: String? = nil, name: String
    ) -> MatrixRequest {
        login(
            #"{"type":"m.login.password","identifier":{"type":"m.id.user","user":\#(JSONString.text(user))},"#
                + #""password":\#(JSONString.text(password)),"#, device, name)
    }

    /// - Parameter token: the one that a login in the browser gave.
    package static func login(token: String, device: String? = nil, name: String) -> MatrixRequest {
        login(#"{"type":"m.login.token","token":\#(JSONString.text(token)),"#, device, name)
    }

    private static func login(_ start: String, _ device: String?, _ name: String) -> MatrixRequest {
        let device = device.map { #""device_id":\#(JSONString.text($0)),"# } ?? ""
        let body = start + device + #""initial_device_display_name":\#(JSONString.text(name))}"#
        return MatrixRequest(
            .post, client + ["v3", "login"], body: Array(body.utf8), isAuthorized: false, longestResponse: 1 << 20)
    }

    /// Where a browser begins a login; it ends at `redirect`, with the parameter `loginToken`.
    package static func browserLogin(redirect: String) -> MatrixRequest {
        MatrixRequest(
            .get, client + ["v3", "login", "sso", "redirect"], query: [("redirectUrl", redirect)], isAuthorized: false)
    }

    /// Asks whose the token is.
    package static let whoAmI = MatrixRequest(.get, client + ["v3", "account", "whoami"], longestResponse: 1 << 20)

    package static let logout = MatrixRequest(
        .post, client + ["v3", "logout"], body: Array("{}".utf8), longestResponse: 1 << 20)
}
