internal import Formats

/// A session with a homeserver, which a login begins.
package struct Session: Hashable, Sendable {
    /// `@ana:example.org`
    package let user: String
    package let device: String?
    package let token: String
    /// The homeserver, if the response names another one than was asked.
    package let homeserver: String?

    /// Reads the response to a login; nil if it is none.
    package init?(login body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), let user = value["user_id"]?.string, UserID.isValid(user),
            let token = value["access_token"]?.string, Session.isToken(token)
        else { return nil }
        (self.user, self.token) = (user, token)
        device = value["device_id"]?.string
        homeserver = value["well_known"]?["m.homeserver"]?["base_url"]?.string.flatMap(Homeserver.base)
    }

    /// Reads the response to `whoAmI`; nil if it is none.
    package init?(token: String, whoAmI body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard Session.isToken(token), let value = tree.parse(body), let user = value["user_id"]?.string,
            UserID.isValid(user)
        else { return nil }
        (self.user, self.token) = (user, token)
        // The device is that of another client, which the next login must not take over.
        device = nil
        homeserver = nil
    }

    /// Whether a text can stand in the header of a request: anything else could add headers.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
