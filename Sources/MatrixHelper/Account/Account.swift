internal import Formats
package import Matrix

/// A session with a homeserver, as it is kept.
package struct Account: Hashable, Sendable {
    /// `@ana:example.org`
    package let user: String
    package let device: String?
    /// The address of the homeserver, without a slash at its end.
    package let homeserver: String
    package let token: String
    /// The path of the archive.
    package let archive: String
    /// Whether the server is pantalaimon, which encrypts what is sent to encrypted rooms.
    package let encrypts: Bool

    /// - Parameters:
    ///   - homeserver: the address at which it has logged in.
    ///   - isTyped: whether the user has named this address: then it is kept, whatever the server says.
    package init(
        _ session: Session, homeserver: String, isTyped: Bool = false, archive: String, encrypts: Bool = false
    ) {
        (user, device, token) = (session.user, session.device, session.token)
        // pantalaimon repeats the address of the server that it stands before.
        self.homeserver = encrypts || isTyped ? homeserver : session.homeserver ?? homeserver
        (self.archive, self.encrypts) = (archive, encrypts)
    }

    /// Why the account of a login is not taken: a server can say that it is anybody's, and would then fill the archive of an
    /// account of another server, and get what is written there.
    /// - Parameters:
    ///   - wanted: the ID, or the name of the server, that the user has typed.
    ///   - former: the account of this ID that is here already.
    ///   - isServerGiven: whether the user has typed the address of the server as well.
    /// - Returns: the end of a line for people; nil when it is the account that was wanted.
    package static func objection(
        to account: Account, wanted: String, former: Account?, isServerGiven: Bool
    ) -> String? {
        if wanted.hasPrefix("@") {
            guard account.user == wanted else { return "logged in as \(account.user), not as \(wanted)" }
        } else {
            let domain = UserID.domain(account.user) ?? ""
            guard domain.lowercased() == wanted.lowercased() else {
                return "logged in as \(account.user), who is of \(domain) and not of \(wanted)"
            }
        }
        guard let former, former.homeserver != account.homeserver, !(isServerGiven && account.user == wanted) else {
            return nil
        }
        return "\(account.user) is known with another server, \(former.homeserver); if it has moved, log in with "
            + "\(account.user) --server \(account.homeserver)"
    }

    init?(file bytes: [UInt8]) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var encrypts = false
        let read = bytes.withUnsafeBytes { bytes -> [String?]? in
            guard let value = tree.parse(bytes) else { return nil }
            encrypts = value["encrypts"]?.isTrue == true
            return [
                value["user"]?.string, value["device"]?.string, value["homeserver"]?.string, value["token"]?.string,
                value["archive"]?.string,
            ]
        }
        guard let read, let user = read[0], UserID.isValid(user), let homeserver = read[2].flatMap(Homeserver.base),
            let token = read[3], Session.isToken(token), let archive = read[4]
        else { return nil }
        (self.user, device, self.homeserver, self.token, self.archive) = (user, read[1], homeserver, token, archive)
        self.encrypts = encrypts
    }

    var file: [UInt8] {
        let device = device.map { ",\"device\":\(JSONString.text($0))" } ?? ""
        let text =
            "{\"user\":\(JSONString.text(user))\(device),\"homeserver\":\(JSONString.text(homeserver)),"
            + "\"token\":\(JSONString.text(token)),\"archive\":\(JSONString.text(archive))"
            + (encrypts ? ",\"encrypts\":true}\n" : "}\n")
        return Array(text.utf8)
    }
}
