import ArchiveFormat
import ArgumentParser
import Matrix
import MatrixHelper
import Usage

/// The options of the commands that speak to the server about rooms.
struct AccountOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The account; it may be left out if there is only one.", valueName: "id"))
    var account: String?

    /// Calls `body` with the account and its server.
    func ask<Value>(_ body: (Account, Server) throws -> Value) throws -> Value {
        let account = try KnownAccounts.find(account, in: try KnownAccounts.store())
        let client = try HTTPClient()
        defer { client.stop() }
        return try body(account, Server(client, of: account))
    }
}

struct Invites: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invites", abstract: "List the rooms to which you are invited: ID, who invites, name.")

    @OptionGroup var options: AccountOptions

    func run() throws {
        let invitations = try options.ask { account, server in
            try server.ask(.invitations(wait: .random(in: 0..<1_000))) { InvitationEntry.all($0, me: account.user) }
        }
        for invitation in invitations {
            Terminal.print(record: [invitation.id, invitation.sender ?? "", invitation.title ?? ""])
        }
    }
}

struct Join: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join a room, or accept an invitation. The next sync has its messages.")

    @OptionGroup var options: AccountOptions

    @Argument(help: ArgumentHelp("The room: #harbour:example.org, its ID, or a link to it.", valueName: "room"))
    var room: String

    func run() throws {
        guard let address = RoomAddress(room) else {
            throw CommandError(.usage, "\(room): not #name:server, the ID of a room, or a link to one")
        }
        _ = try options.ask { _, server in try server.ask(.join(address)) { _ in true } }
        Terminal.print("Joined \(room).")
    }
}

struct Leave: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave a room, or decline an invitation. What is in the archive stays.")

    @OptionGroup var options: AccountOptions

    @Argument(help: ArgumentHelp("The conversation in kedge, or the ID of the room.", valueName: "room"))
    var room: String

    func run() throws {
        try options.ask { account, server in
            guard let id = room.hasPrefix("!") ? room : AccountArchive.room(of: room, inArchive: account.archive) else {
                throw CommandError(
                    .nothingFound, "\(room): is neither a conversation of this account nor the ID of a room")
            }
            _ = try server.ask(.leave(id)) { _ in true }
        }
        Terminal.print("Left \(room).")
    }
}
