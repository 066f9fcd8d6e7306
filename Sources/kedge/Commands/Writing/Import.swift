import ArgumentParser
import Display
import Messages
import Mirror
import Settings

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make an archive from an export, to write in.",
        discussion: """
            The archive can be written in. A second import adds only what is new in the export, and changes nothing else; an \
            import that was interrupted goes on. Attached files that the export holds are copied. An archive that is not made \
            of this export is refused, unless --merge says that it is to have the messages of both. What is imported counts as read.

              kedge import ~/Downloads/slack-export.zip ~/chats
            """)

    @Argument(help: ArgumentHelp("The export: a folder or a file.", valueName: "source"))
    var source: String

    @Argument(help: ArgumentHelp("The archive: a new folder, or that of an earlier import.", valueName: "dest"))
    var destination: String

    @Option(help: ArgumentHelp("The zone of times that have none in the export.", valueName: "zone"))
    var zone: String?

    @Flag(help: "Add to an archive that is not made of this export.")
    var merge = false

    func run() throws {
        guard Export.exists(source) else { throw Failure(.unreadable, "\(source): no such file or folder") }
        let options = ArchiveOptions(path: source, zone: zone)
        guard let export = try options.export() else {
            throw Failure(.usage, "\(source): one of Kedge's own archives already; copy the folder")
        }
        let destination = ArchiveLocation.absolute(destination)
        let target = ImportTarget(destination)
        try check(target, source: export.source)
        let read = try target == .new ? nil : ReadBeforeImport(of: ArchiveOptions(path: destination, zone: nil))
        let reading = ProgressBar()
        try waiting { () async throws(StoreError) in try await export.settle { reading.show($0, of: $1) } }
        reading.finish()
        let writing = ProgressBar()
        let summary = try Importer(export, to: destination).run { writing.show($0, of: $1) }
        writing.finish()
        try read?.keep()
        let problems = try waiting { () async throws(StoreError) in await export.problems() }
        for problem in problems { Output.complain(problem) }
        func counted(_ count: Int, _ noun: String) -> String { "\(count.grouped) \(noun)\(count == 1 ? "" : "s")" }
        var line =
            "\(counted(summary.conversations, "conversation")): \(counted(summary.added, "record")) added, "
            + "\(summary.known.grouped) already there"
        if summary.files > 0 { line += "; \(counted(summary.files, "attached file")) copied" }
        if summary.missingFiles > 0 { line += "; \(counted(summary.missingFiles, "attached file")) not in the export" }
        try Output.print([line])
    }
    /// - Throws: when the archive is made of something else, and nobody wants both in one.
    private func check(_ target: ImportTarget, source: String) throws(Failure) {
        switch target {
        case .new: break
        case .account:
            throw Failure(.usage, "\(destination): mirrors the account of a server; import into another folder")
        case .archive(let known):
            if merge || known == source { return }
            let origin = known.map { "made of \($0)" } ?? "not made by an import"
            throw Failure(
                .usage, "\(destination): an archive that is \(origin); to have both in one archive, add --merge")
        }
    }
}
