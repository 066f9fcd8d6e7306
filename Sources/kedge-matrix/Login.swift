import ArgumentParser
import Glibc
internal import Helper
import Matrix
import MatrixHelper
import Usage

struct Login: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in to a homeserver.",
        discussion: """
            The password or the token is read from the terminal, or from stdin; it is never in the command line, which \
            other users can see. Kedge keeps the token of the session in a file that only you can read.

              kedge-matrix login @ana:example.org
              pass matrix/ana | kedge-matrix login @ana:example.org
              kedge-matrix login example.org --browser
              kedge-matrix login @ana:example.org --pantalaimon --server http://127.0.0.1:8009
            """)

    @Argument(help: ArgumentHelp("Your ID (@ana:example.org), or the name of your server.", valueName: "id"))
    var id: String

    @Option(
        help: ArgumentHelp(
            "The address of the homeserver; without it, the server of the ID is asked.", valueName: "url"))
    var server: String?

    @Flag(help: "The server is pantalaimon: it encrypts, so Kedge may send to encrypted rooms.")
    var pantalaimon = false

    @Flag(help: "Log in by a browser (single sign-on).")
    var browser = false

    @Flag(help: "Read an access token instead of a password.")
    var token = false

    func validate() throws {
        if pantalaimon, server == nil { throw ValidationError("--pantalaimon needs its address: --server") }
        if browser && token { throw ValidationError("--browser and --token exclude each other") }
        if id.hasPrefix("@"), !UserID.isValid(id) { throw ValidationError("\(id): not an ID such as @ana:example.org") }
        if !id.hasPrefix("@"), !browser, !token {
            throw ValidationError(
                Homeserver.isName(id)
                    ? "the ID is missing, such as @ana:\(id)"
                    : "\"\(id)\" is neither an ID (@ana:example.org) nor a server (example.org)")
        }
    }

    func run() throws {
        let client = try HTTPClient()
        defer { client.stop() }
        let store = try KnownAccounts.store()
        // A repeated login keeps the device, the archive and the server.
        let accounts = try store.all().accounts
        let known = accounts.first { $0.user == id }
        let base = try address(client, known)
        if Homeserver.isOpen(base) {
            throw CommandError(
                .usage,
                "\(base): not encrypted: others could read your password; use https, or a server on this machine")
        }
        let session = try session(Server(client, base: base), client, known?.device)
        let former = accounts.first { $0.user == session.user }
        let account = Account(
            // A repeated login keeps the address, which may have been typed.
            session, homeserver: base, isTyped: server != nil || known != nil,
            archive: former?.archive ?? store.archive(of: session.user),
            encrypts: pantalaimon || server == nil && known?.encrypts == true)
        if let reason = Account.objection(to: account, wanted: id, former: former, isServerGiven: server != nil) {
            throw CommandError(.server, "\(base): \(reason)")
        }
        guard !Homeserver.isOpen(account.homeserver) else {
            throw CommandError(
                .server, "\(base): names a homeserver that is not encrypted: \(account.homeserver)")
        }
        try store.makeFolder(of: account.archive)
        try store.keep(account)
        // A helper that waits for this login can continue.
        if let place = try? KnownAccounts.socket(of: account) { RunningHelper.tellOfLogin(place.path) }
        Terminal.print("Logged in as \(account.user). Next: kedge-matrix sync")
        Terminal.print("Its archive is \(account.archive)")
        if !account.encrypts {
            Terminal.print("Messages of encrypted rooms can be neither read nor sent without pantalaimon (see --help).")
        }
    }

    /// - Parameter known: the existing account with this ID.
    private func address(_ client: HTTPClient, _ known: Account?) throws -> String {
        if let server {
            guard let base = Homeserver.typed(server) else { throw RequestError.noAddress(server) }
            return base
        }
        if let known { return known.homeserver }
        let domain = id.hasPrefix("@") ? UserID.domain(id) : id
        return try Server.discover(domain ?? id, by: client)
    }

    /// - Parameter device: the ID of this device, if it has one.
    private func session(_ server: Server, _ client: HTTPClient, _ device: String?) throws -> Session {
        if token {
            guard let token = Terminal.secret("Access token"), Session.isToken(token) else {
                throw CommandError(.usage, "there is no token on stdin")
            }
            return try Server(client, base: server.base, token: token).ask(.whoAmI) {
                Session(token: token, whoAmI: $0)
            }
        }
        let flows = try server.ask(.loginFlows) { LoginFlows($0) }
        if browser {
            guard flows.hasBrowser else {
                throw CommandError(
                    .server, "\(server.base): offers no login by a browser; leave out --browser")
            }
            return try sessionByBrowser(server, device)
        }
        guard flows.hasPassword else {
            throw CommandError(
                .server,
                "\(server.base): offers no login by a password; use \(flows.hasBrowser ? "--browser" : "--token")")
        }
        guard let password = Terminal.secret("Password of \(id)"), !password.isEmpty else {
            throw CommandError(.usage, "there is no password on stdin")
        }
        return try server.ask(.login(user: id, password: password, device: device, name: "kedge")) {
            Session(login: $0)
        }
    }

    private func sessionByBrowser(_ server: Server, _ device: String?) throws -> Session {
        let door = try LoginDoor()
        Terminal.print("Open this address in a browser, and log in there:")
        Terminal.print(MatrixRequest.browserLogin(redirect: door.address).address(at: server.base))
        let token = try door.token()
        return try server.ask(.login(token: token, device: device, name: "kedge")) { Session(login: $0) }
    }
}

struct Logout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "End a session. The archive stays.")

    @Argument(help: ArgumentHelp("The account; it may be left out if there is only one.", valueName: "id"))
    var user: String?

    func run() throws {
        let store = try KnownAccounts.store()
        let account = try KnownAccounts.find(user, in: store)
        let client = try HTTPClient()
        defer { client.stop() }
        do throws(RequestError) {
            _ = try Server(client, of: account).ask(.logout) { _ in true }
        } catch  where error.refusal?.isOfToken == true {
            // The session has ended already.
        } catch {
            try store.forget(account.user)
            throw CommandError(
                .server,
                "the token was deleted here, but may still be valid on the server: \(error.description)")
        }
        try store.forget(account.user)
        Terminal.print("Logged out. The archive stays: \(account.archive)")
    }
}
