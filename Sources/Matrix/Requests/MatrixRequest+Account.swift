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

    package static func login(user: String, password: String, device name: String) -> MatrixRequest {
        login(
            #"{"type":"m.login.password","identifier":{"type":"m.id.user","user":\#(JSONString.text(user))},"#
                + #""password":\#(JSONString.text(password)),"#, name)
    }

    /// - Parameter token: the one that a login in the browser gave.
    package static func login(token: String, device name: String) -> MatrixRequest {
        login(#"{"type":"m.login.token","token":\#(JSONString.text(token)),"#, name)
    }

    private static func login(_ start: String, _ name: String) -> MatrixRequest {
        let body = start + #""initial_device_display_name":\#(JSONString.text(name))}"#
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
