import ArgumentParser
import MatrixHelper
import Relay
import Settings
import Usage

/// Finds the accounts of this user.
enum KnownAccounts {
    /// The place where the helper of an account listens.
    static func socket(of account: Account) throws -> (folder: String, path: String) {
        guard let runtime = Folders.ofUser.runtime else {
            throw CommandError(.unreadable, "there is no folder for sockets; set XDG_RUNTIME_DIR")
        }
        return RelaySocket.place(runtime: runtime, archive: ArchiveLocation.realPath(account.archive))
    }

    /// The account whose archive is at a path.
    static func find(archive: String, in store: AccountStore) throws -> Account {
        let path = ArchiveLocation.realPath(archive)
        guard let account = try store.all().accounts.first(where: { ArchiveLocation.realPath($0.archive) == path })
        else {
            throw CommandError(
                .nothingFound, "\(archive): is not the archive of an account; see kedge-matrix accounts")
        }
        return account
    }

    static func store() throws -> AccountStore {
        guard let store = AccountStore(.ofUser) else {
            throw CommandError(.unreadable, "no folder for accounts: set HOME or XDG_DATA_HOME")
        }
        return store
    }

    /// The account with an ID; without one, the only account.
    static func find(_ user: String?, in store: AccountStore) throws -> Account {
        let (accounts, broken) = try store.all()
        for path in broken { Terminal.say("\(path): holds no account; log in again") }
        if let user {
            guard let account = accounts.first(where: { $0.user == user }) else {
                throw CommandError(.nothingFound, "\(user): no such account; see kedge-matrix accounts")
            }
            return account
        }
        guard let account = accounts.first else {
            throw CommandError(.nothingFound, "there is no account; kedge-matrix login @name:server makes one")
        }
        guard accounts.count == 1 else {
            throw CommandError(
                .usage,
                "there are several accounts; name one: " + accounts.map(\.user).joined(separator: ", "))
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
