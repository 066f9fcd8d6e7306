package import Files
internal import Formats
internal import Glibc
internal import Helper
internal import JSON
package import Matrix
internal import Relay
package import Settings

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
    /// True if the server is pantalaimon, which encrypts what is sent to encrypted rooms.
    package let encrypts: Bool

    /// - Parameters:
    ///   - homeserver: the address at which it has logged in.
    ///   - isTyped: true if the user has named this address: then it is kept, whatever the server says.
    package init(
        _ session: Session, homeserver: String, isTyped: Bool = false, archive: String, encrypts: Bool = false
    ) {
        (user, device, token) = (session.user, session.device, session.token)
        // pantalaimon returns the address of the server behind it, not its own.
        self.homeserver = encrypts || isTyped ? homeserver : session.homeserver ?? homeserver
        (self.archive, self.encrypts) = (archive, encrypts)
    }

    /// The reason to reject the account of a login: a server can claim any account, and would then fill the archive of an account
    /// at another server, and receive what is written there.
    /// - Parameters:
    ///   - wanted: the ID, or the name of the server, that the user has typed.
    ///   - former: the account that is already known by this ID.
    ///   - isServerGiven: true if the user has typed the address of the server as well.
    /// - Returns: the end of a line for people; nil when it is the account that was wanted.
    package static func objection(
        to account: Account, wanted: String, former: Account?, isServerGiven: Bool
    ) -> String? {
        if wanted.hasPrefix("@") {
            guard account.user == wanted else { return "logged in as \(account.user), not as \(wanted)" }
        } else {
            let domain = UserID.domain(account.user) ?? ""
            guard domain.lowercased() == wanted.lowercased() else {
                return "logged in as \(account.user), who belongs to \(domain), not to \(wanted)"
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
        guard let value = bytes.withUnsafeBytes({ tree.parse($0) }), let user = value["user"]?.string,
            UserID.isValid(user), let homeserver = value["homeserver"]?.string.flatMap(Homeserver.base),
            let token = value["token"]?.string, Session.isToken(token), let archive = value["archive"]?.string
        else { return nil }
        (self.user, self.homeserver, self.token, self.archive) = (user, homeserver, token, archive)
        (device, encrypts) = (value["device"]?.string, value["encrypts"]?.isTrue == true)
    }

    var file: [UInt8] {
        let fields: JSONText = [
            "user": JSONText(user), "device": JSONText(ifAny: device), "homeserver": JSONText(homeserver),
            "token": JSONText(token), "archive": JSONText(archive), "encrypts": encrypts ? true : nil,
        ]
        return fields.line
    }
}

/// The accounts of this user: a file for each, which nobody else can read.
package struct AccountStore: Sendable {
    private let folder: String
    private let data: String

    /// Nil without a home.
    package init?(_ folders: Folders) {
        guard let state = folders.state, let data = folders.data else { return nil }
        folder = state + "/matrix"
        self.data = data + "/matrix"
    }

    /// The path for the archive of a new account.
    package func archive(of user: String) -> String { data + "/" + AccountStore.name(user) }

    /// All accounts, sorted by the bytes of their IDs, and the paths of files without an account.
    package func all() throws(FileError) -> (accounts: [Account], broken: [String]) {
        var accounts: [Account] = []
        var broken: [String] = []
        for name in try DiskFile.names(in: folder).sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
            let path = folder + "/" + name
            if let account = try DiskFile.read(path, longest: 1 << 20).flatMap({ Account(file: $0) }) {
                accounts.append(account)
            } else {
                broken.append(path)
            }
        }
        return (accounts, broken)
    }

    /// Saves an account, in place of an earlier one with its ID.
    package func keep(_ account: Account) throws(FileError) {
        try Disk.makeFolder(folder)
        try DiskFile.replace(path(of: account.user), with: [account.file])
    }

    /// Forgets an account. Its archive stays.
    package func forget(_ user: String) throws(FileError) {
        try DiskFile.remove(path(of: user))
        try OpenFile(folder: folder).syncNames()
    }

    /// Makes the folder for an archive.
    package func makeFolder(of archive: String) throws(FileError) {
        try Disk.makeFolder(Disk.folder(of: archive))
    }

    private func path(of user: String) -> String { "\(folder)/\(AccountStore.name(user)).json" }

    /// In bytes: most file systems allow 255, and suffixes are added to this name.
    private static let longestName = 200

    /// The name of a file for an ID, which may hold slashes. A name that is too long is cut, and ends with a hash of the ID.
    private static func name(_ user: String) -> String {
        let name = user.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard name.utf8.count > longestName else { return name }
        let number = String(Array(user.utf8).withUnsafeBytes { Fingerprint.of($0) }, radix: 16)
        return "\(OutsideName.cut(name, toBytes: longestName - number.utf8.count - 1))~\(number)"
    }
}

/// A homeserver: sends requests to it and reads their responses.
package struct Server: Sendable {
    private let client: any Requester
    package let base: String
    private let token: String?
    /// True if it encrypts what is sent to encrypted rooms, as pantalaimon does.
    let encrypts: Bool

    package init(_ client: any Requester, base: String, token: String? = nil, encrypts: Bool = false) {
        (self.client, self.base, self.token, self.encrypts) = (client, base, token, encrypts)
    }

    /// The server of an account, in the session that is kept.
    package init(_ client: any Requester, of account: Account) {
        self.init(client, base: account.homeserver, token: account.token, encrypts: account.encrypts)
    }

    /// True if requests would go to the same server, in the same session.
    func isSame(as other: Server) -> Bool { base == other.base && token == other.token }

    /// Sends a request and waits for its response.
    /// - Returns: what `read` makes of the body of a response with status 200.
    package func ask<Value>(
        _ request: MatrixRequest, _ read: (UnsafeRawBufferPointer) -> Value?
    ) throws(RequestError) -> Value {
        switch client.send(HTTPRequest(request, at: base, token: token)) {
        case .failure(let error): throw RequestError("\(base): \(error)")
        case .success(let response):
            guard response.status == 200 else { throw .refused(base, response.error) }
            guard let value = response.body.withUnsafeBytes(read) else {
                throw RequestError("\(base): this is not the response of a Matrix server")
            }
            return value
        }
    }

    /// Begins a request. `completion` is called once, on the thread of the client.
    /// - Parameter file: the descriptor of a file that takes the body of a success; -1 for none.
    /// - Parameter progress: receives the number of bytes that the file has taken.
    func start(
        _ request: MatrixRequest, file: CInt = -1, progress: Requester.Progress? = nil,
        _ completion: @escaping Requester.Completion
    ) -> Int {
        client.start(HTTPRequest(request, at: base, token: token, file: file), progress: progress, completion)
    }

    func cancel(_ number: Int) { client.cancel(number) }

    /// Asks a domain where its homeserver is.
    package static func discover(_ domain: String, by client: HTTPClient) throws(RequestError) -> String {
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
    /// The error that the response reports.
    var error: ServerError {
        body.withUnsafeBytes { ServerError(status: status, body: $0, header: retryAfter) }
    }
}

extension RelayError {
    /// The error of a request that the server has refused.
    init(_ error: ServerError) { self.init(error.reason, retry: error.retryAfter) }
}
