import ArgumentParser
import Glibc
import MatrixHelper
import Settings

/// Finds the accounts of this user.
enum KnownAccounts {
    static func store() throws -> AccountStore {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        guard let store = AccountStore(Folders(environment: environment)) else {
            throw Failure(Failure.disk, "there is no home for accounts; set HOME")
        }
        return store
    }

    /// The account with an ID; without one, the only account.
    static func find(_ user: String?, in store: AccountStore) throws -> Account {
        let (accounts, broken) = try store.all()
        for path in broken { Terminal.say("\(path): holds no account; log in again") }
        if let user {
            guard let account = accounts.first(where: { $0.user == user }) else {
                throw Failure(Failure.none, "\(user): no such account; see kedge-matrix accounts")
            }
            return account
        }
        guard let account = accounts.first else {
            throw Failure(Failure.none, "there is no account; kedge-matrix login @name:server makes one")
        }
        guard accounts.count == 1 else {
            throw Failure(
                Failure.usage, "there are several accounts; name one: " + accounts.map(\.user).joined(separator: ", "))
        }
        return account
    }
}

struct Accounts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the accounts: ID, path of the archive, homeserver.")

    func run() throws {
        let (accounts, broken) = try KnownAccounts.store().all()
        for path in broken { Terminal.say("\(path): holds no account; log in again") }
        for account in accounts {
            Terminal.print(record: [account.user, account.archive, account.homeserver])
        }
    }
}
