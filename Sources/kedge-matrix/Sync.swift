import ArgumentParser
import Glibc
internal import Helper
import MatrixHelper
import Relay
import Usage

struct Sync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Fetch the messages of the server into the archive.",
        discussion: """
            Without --once, it follows the server until ^C: new messages are in the archive, and on the screens of kedge, \
            as soon as the server sends them. What was missed meanwhile is fetched too. It can be killed at any moment: \
            the next run goes on from there.
            """)

    @Argument(help: ArgumentHelp("The account; it may be left out if there is only one.", valueName: "id"))
    var user: String?

    @Flag(help: "End when everything is here, or when the server does not answer for half a minute.")
    var once = false

    @Flag(help: "Fetch all rooms from their beginnings.")
    var history = false

    @Flag(help: "Print only errors.")
    var quiet = false

    func run() throws {
        let account = try KnownAccounts.find(user, in: try KnownAccounts.store())
        let client = try HTTPClient()
        defer { client.stop() }
        // Takes the lock before it opens the archive, so that nobody else changes what it reads.
        try AccountArchive.makeFolders(account.archive)
        guard let lock = try lock(account) else { return }
        var hasTrouble = false
        let loop = try SyncLoop(
            archive: account.archive, me: account.user, server: Server(client, of: account),
            goal: SyncGoal(hasHistory: history, follows: !once)
        ) { report in
            switch report {
            case .trouble(let line):
                hasTrouble = true
                Terminal.say(line)
            case .pause(let pause, let reason): Terminal.say("\(reason); again in \((pause + 999) / 1_000) s")
            case .current(let rooms): if !quiet { Terminal.print("\(rooms) rooms are up to date") }
            case .page(let name, let events): if !quiet { Terminal.print("\(name): \(events) older events") }
            }
        }
        Interruption.call(loop.stop)
        let end = loop.run()
        _ = consume lock
        if let error = end.error(of: account) { throw error }
        if Interruption.happened { _exit(130) }
        if hasTrouble {
            throw CommandError(
                .server, "some messages could not be fetched or written; the next run tries again")
        }
    }
}

extension Sync {
    /// The lock of the archive; nil if a helper that serves the archive has fetched the history.
    private func lock(_ account: Account) throws -> AccountLock? {
        do {
            return try AccountLock(archive: account.archive)
        } catch {
            guard history, let place = try? KnownAccounts.socket(of: account), RunningHelper.isAlive(place.path) else {
                throw error
            }
            if !quiet { Terminal.print("the helper of an open kedge fetches the rooms from their beginnings…") }
            switch RunningHelper.ask({ .history($0) }, at: place.path) {
            case .success?: return nil
            case .failure(let error)?: throw CommandError(.server, error.reason)
            case nil:
                throw CommandError(
                    .server, "the helper ended before it had fetched all rooms; run this again")
            }
        }
    }
}
