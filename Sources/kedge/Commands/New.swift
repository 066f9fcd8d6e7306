import Archive
import ArgumentParser
import Messages
import Mirror
import Usage

struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a conversation.",
        discussion: """
            Prints its ID, which is made of the title: "Release planning" gets release-planning.

              kedge new "Release planning" --topic "What goes into 2.0"
              kedge send release-planning Hello.
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(help: ArgumentHelp("The title, or an ID.", valueName: "conversation"))
    var title: String

    @Option(help: ArgumentHelp("What it is about.", valueName: "text"))
    var topic: String?

    func run() throws {
        if let export = try options.export() { throw CommandError(.notSent, export.advice) }
        let title = title.hasPrefix("#") ? String(title.dropFirst()) : title
        let id = try NewConversation.make(title: title, topic: topic, in: try options.path())
        try Output.print([Output.harmless(id.rawValue)])
    }
}
