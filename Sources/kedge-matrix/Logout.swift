import ArgumentParser
import Matrix
import MatrixHelper

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
        do throws(ServerFailure) {
            let server = Server(client, base: account.homeserver, token: account.token)
            _ = try server.ask(.logout) { _ in true }
        } catch .refused(_, let error) where error.isOfToken {
            // The session has ended already.
        } catch {
            try store.forget(account.user)
            throw Failure(
                Failure.server, "the token is forgotten here, but the server could not be told: \(error.description)")
        }
        try store.forget(account.user)
        Terminal.print("Logged out. The archive stays: \(account.archive)")
    }
}
