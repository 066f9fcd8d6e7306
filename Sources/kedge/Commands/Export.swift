import ArgumentParser
import Messages

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a conversation for other programs.",
        discussion: """
            Oldest first; the replies of a thread follow its root. The formats: jsonl is Kedge's own, one record a line, \
            with edits, deletions and reactions in the messages; text and markdown are for people; weechat is a log as WeeChat \
            writes it.

              kedge export general --since 2025-03-01 --format markdown
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(help: "The conversation.")
    var conversation: String

    @Option(help: ArgumentHelp("Only messages from this day or time on.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("Only messages up to and including this day or time.", valueName: "date"))
    var until: String?

    @Option(help: ArgumentHelp("jsonl, text, markdown or weechat.", valueName: "format"))
    var format = ExportPrinter.Format.jsonl

    func run() throws {
        var options = self.options
        let wanted = try options.resolve(conversation)
        let opened = try options.opened()
        let start = try since.map { try NamedTime(argument: $0) }
        let end = try until.map { try NamedTime(argument: $0).end }
        let (store, id) = (opened.store, try opened.conversation(of: wanted).link.conversation)
        let printer = ExportPrinter(format: format, zone: .local)
        var position = start.map { PageRequest.Position.date($0) } ?? .earliest
        var walk = PageWalk()
        var index = ThreadIndex()
        while true {
            let request = PageRequest(conversation: id, position: position, limit: ExportCommand.pageSize)
            let page = try waiting { () async throws(StoreError) in try await store.page(request) }
            let wanted = page.messages.filter { message in
                (start.map { message.at >= $0.start } ?? true) && (end.map { message.at < $0 } ?? true)
            }
            for message in wanted {
                try Output.write(printer.text(of: message))
                guard message.replyCount > 0 else { continue }
                try index.make(of: id, in: store)
                try printThread(message.id, of: store, in: id, by: printer)
            }
            guard let next = walk.next(beyond: page.newer) else { break }
            // Times need not rise, so a page without wanted messages may come before one with some: only a whole page after the end
            // ends the export.
            if let end, next.neighbour.at >= end, wanted.isEmpty, page.messages.allSatisfy({ $0.at >= end }) { break }
            position = next.position
        }
        try warn(of: store, in: [id])
    }

    private static let pageSize = 500

    private func printThread(
        _ root: MessageID, of store: any MessageReading, in id: ConversationID, by printer: ExportPrinter
    ) throws {
        var left: ThreadPages? = ThreadPages(of: root, in: id, of: store)
        while let pages = left {
            let (replies, rest) = try waiting { () async throws(StoreError) in try await pages.next() }
            for message in replies { try Output.write(printer.text(of: message)) }
            left = rest
        }
    }
}
