import Archive
import ArgumentParser
import Glibc
import Messages
import Settings
import Usage

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make an empty archive.",
        discussion: """
            The folder must be new or empty. You are the person of --as, else of the config, else of your login.

              kedge init ~/chats
              kedge new --archive ~/chats general
              kedge send --archive ~/chats general Hello.
            """)

    @Argument(help: ArgumentHelp("The folder of the archive.", valueName: "dir"))
    var folder: String

    @Option(name: .customLong("as"), help: ArgumentHelp("Your ID in the archive.", valueName: "person"))
    var person: String?

    @Option(help: ArgumentHelp("The name of the archive; without it, that of the folder.", valueName: "name"))
    var name: String?

    func validate() throws {
        guard person.map(Config.isPerson) ?? true else {
            throw ValidationError("--as takes an ID: not empty, and without control characters")
        }
    }

    func run() throws {
        guard !folder.isEmpty else { throw CommandError(.usage, "DIR is empty; name a folder") }
        let path = ArchiveLocation.absolute(folder)
        let me = person ?? Config.ofUser.me(at: path)?.name ?? Init.login
        let title = path.split(separator: "/").last { $0 != "." }.map(String.init)
        try NewArchive.make(at: path, name: name ?? title ?? "Chats", me: PersonID(me))
        Init.countAllAsNew(at: path, for: PersonID(me))
        guard Output.isTerminal else { return try Output.print([Output.harmless(path)]) }
        let shown = ShellWord.quoted(folder)
        try Output.print(
            [
                "Made the archive \(path); you are \(me) there. Next:",
                "  kedge new --archive \(shown) general        makes a conversation",
                "  kedge --archive \(shown) general            opens it",
                "With archive = \"\(path)\" in config.toml, --archive can be left out.",
            ].map(Output.harmless))
    }

    /// Records that nothing is read in a new archive: messages from before it is first opened count as unread.
    private static func countAllAsNew(at path: String, for reader: PersonID) {
        let archive = ArchiveLocation.realPath(path)
        let baseline = Baseline(folder: Folders.ofUser.state, archive: archive, reader: reader)
        if let problem = baseline.keep([:]).problem { Output.complain(problem) }
    }

    private static var login: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "me" }
        return String(cString: name)
    }
}
