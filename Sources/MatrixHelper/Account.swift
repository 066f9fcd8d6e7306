internal import Formats
internal import Glibc
package import Matrix
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

    /// Where the archive of a new account is made.
    package func archive(of user: String) -> String { data + "/" + AccountStore.name(user) }

    /// All accounts, by the bytes of their IDs, and the paths of files that hold none.
    package func all() throws(DiskFailure) -> (accounts: [Account], broken: [String]) {
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

    package func keep(_ account: Account) throws(DiskFailure) {
        try make(folder)
        try DiskFile.replace(path(of: account.user), with: [account.file], mode: 0o600)
    }

    /// Forgets an account. Its archive stays.
    package func forget(_ user: String) throws(DiskFailure) {
        guard unlink(path(of: user)) == 0 || errno == ENOENT else {
            throw DiskFailure(path(of: user), code: errno)
        }
        try DiskFile.syncNames(of: folder)
    }

    /// Makes the folder in which an archive is to be.
    package func makeFolder(of archive: String) throws(DiskFailure) {
        guard let slash = archive.lastIndex(of: "/") else { return }
        try make(String(archive[..<slash]))
    }

    private func make(_ folder: String) throws(DiskFailure) {
        do {
            try PrivateFolder.make(folder)
        } catch {
            throw DiskFailure(error.path, code: error.code)
        }
    }

    private func path(of user: String) -> String { "\(folder)/\(AccountStore.name(user)).json" }

    /// No file system takes a name of more than 255 bytes, and others are made of this one.
    private static let longestName = 200

    /// An ID as the name of a file: it may hold slashes. One that is too long is cut, and ends with a number of its own.
    private static func name(_ user: String) -> String {
        let name = user.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard name.utf8.count > longestName else { return name }
        let number = String(Array(user.utf8).withUnsafeBytes { Fingerprint.of($0) }, radix: 16)
        var start = name.unicodeScalars.prefix(longestName - number.utf8.count - 1)
        while String(start).utf8.count + number.utf8.count + 1 > longestName { start.removeLast() }
        return "\(String(start))~\(number)"
    }
}

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

/// Why a server did not do what it was asked.
package enum ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case noAddress(String)
    case unreachable(String, String)
    case refused(String, ServerError)
    /// The body is not one that the request can have.
    case unclear(String)

    /// One line for people. What the server says stands in it as it came.
    package var description: String {
        switch self {
        case .noAddress(let text): "\(text): is no address of a server, such as example.org or https://example.org"
        case .unreachable(let base, let reason): "\(base): \(reason)"
        case .refused(let base, let error) where error.code.isEmpty:
            "\(base): status \(error.status), and no response of a Matrix server"
        case .refused(let base, let error): "\(base): \(error.text.isEmpty ? error.code : error.text)"
        case .unclear(let base): "\(base): this is not the response of a Matrix server"
        }
    }
}
