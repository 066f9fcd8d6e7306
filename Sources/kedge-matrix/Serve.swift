import ArgumentParser
internal import Helper
import MatrixHelper

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Follow the server, and do what kedge asks for.",
        discussion: """
            Kedge starts this by itself when it opens the archive of an account, and asks it over a socket for older messages, \
            and to send. It prints the path of the socket when it listens there, and ends two minutes after the last kedge has \
            ended. If another process serves the archive already, it prints the same and ends.
            """)

    /// The time for which it continues without a Kedge.
    private static let patience = Duration.seconds(120)
    /// The time for which it waits for a helper that is just ending.
    private static let lockPatience = Duration.seconds(5)

    @Argument(help: ArgumentHelp("The account; it may be left out if there is only one.", valueName: "id"))
    var user: String?

    @Option(help: ArgumentHelp("The account whose archive this is.", valueName: "path"))
    var archive: String?

    func run() throws {
        let account = try account()
        try AccountArchive.makeFolders(account.archive)
        let place = try KnownAccounts.socket(of: account)
        guard let lock = try lock(account, place.path) else { return Terminal.print(place.path) }
        let client = try HTTPClient()
        defer { client.stop() }
        let end = try serve(account, place, client)
        _ = consume lock
        if let error = end.error(of: account) { throw error }
    }

    private func account() throws -> Account {
        let store = try KnownAccounts.store()
        guard let archive else { return try KnownAccounts.find(user, in: store) }
        return try KnownAccounts.find(archive: archive, in: store)
    }

    /// The lock of the archive; nil if another helper serves it.
    private func lock(_ account: Account, _ socket: String) throws -> AccountLock? {
        if RunningHelper.isAlive(socket) { return nil }
        do {
            return try AccountLock(archive: account.archive, patience: Serve.lockPatience)
        } catch {
            if RunningHelper.isAlive(socket) { return nil }
            throw error
        }
    }

    private func serve(
        _ account: Account, _ place: (folder: String, path: String), _ client: HTTPClient
    ) throws -> SyncEnd {
        let server = try RelayServer(place, patience: Serve.patience)
        defer { server.stop() }
        let loop = try SyncLoop(
            archive: account.archive, me: account.user, server: Server(client, of: account),
            goal: SyncGoal(hasHistory: false, follows: true, serves: true),
            report: { report in if case .trouble(let line) = report { Terminal.say(line) } },
            renewed: {
                let account = try? KnownAccounts.find(archive: account.archive, in: try KnownAccounts.store())
                return account.map { Server(client, of: $0) }
            }, relay: server.send)
        Interruption.call(loop.stop)
        server.begin(ask: loop.onRequest, leave: loop.onLeave, idle: loop.stop)
        Terminal.print(place.path)
        return loop.run()
    }
}
