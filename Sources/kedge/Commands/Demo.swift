import ArgumentParser
import Usage

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Open the demo: a small archive to try Kedge with.",
        discussion: """
            It opens in the middle of a conversation. Press h for the keys, ^K for the other conversations. It is a copy of your \
            own in $XDG_DATA_HOME/kedge/demo (else ~/.local/share/kedge/demo), in which you may write.
            """)

    @Argument(help: ArgumentHelp("A conversation or a link of the demo.", valueName: "conversation[/message-id]"))
    var link: String?

    @Flag(help: "Start over with a new copy.")
    var fresh = false

    @Flag(name: .customLong("plain"), help: "Show nothing but words, linearly, as `open --plain` does.")
    var isPlain = false

    func run() throws {
        guard let folder = DemoArchive.folder(isFresh: fresh) else {
            throw CommandError(.unreadable, "the demo is not installed with this program; `make install` installs both")
        }
        var open = Open.plain
        open.options.archive = folder
        open.person.person = DemoArchive.reader
        open.link = link ?? DemoArchive.place
        open.isPlain = isPlain
        try open.run()
    }
}
