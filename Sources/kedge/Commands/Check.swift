import ArgumentParser
import Display
import Formats
import Mirror
import Settings
import Usage

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "List everything in an export that Kedge does not understand.",
        discussion: """
            Reads an export of another program whole, and prints a line for everything in it that Kedge does not understand, \
            with file and line or byte; then the count of each kind. Exit status 0 if everything is understood, else 1.

              kedge check ~/Downloads/result.json
            """)

    @Argument(help: ArgumentHelp("The export: a folder or a file.", valueName: "source"))
    var source: String

    @OptionGroup var reading: ReadingArguments

    @Option(
        help: ArgumentHelp("The format of an export that fits several: irc, whatsapp.", valueName: "format"))
    var format: String?

    func run() throws {
        guard Export.exists(source) else {
            throw CommandError(.unreadable, "\(source): no such file or folder")
        }
        guard Export.isFileOrFolder(source) else {
            throw CommandError(.unreadable, "\(source): neither a folder nor a regular file")
        }
        guard Export.isExport(source) else {
            throw CommandError(
                .usage,
                "\(source): one of Kedge's own archives; `kedge index --check --archive \(source)` checks its index")
        }
        let options = ArchiveOptions(path: source, reading: reading, format: format)
        let bar = ProgressBar()
        let check = ExportCheck(
            path: ArchiveLocation.realPath(source), index: try options.indexFolder(), zone: try options.zoneOfExport(),
            options: try options.readingOfExport())
        var failure: (any Error)?
        let summary = try check.run(progress: { bar.show($0, of: $1) }) { problem in
            bar.finish()
            do { try Output.print([Output.harmless(problem.description)]) } catch { failure = error }
        }
        bar.finish()
        if let failure { throw failure }
        let counts = "\(summary.conversations.counted("conversation")), \(summary.records.counted("record"))"
        try Output.print(
            ["\(summary.format): \(counts)"]
                + summary.problems.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                    Output.harmless(($0.value == 1 ? "once" : "\($0.value.grouped) times") + ": \($0.key)")
                })
        if !summary.problems.isEmpty {
            let count = summary.problems.values.reduce(0, +)
            throw CommandError(
                .nothingFound, "\(count.grouped) \(count == 1 ? "place was" : "places were") not understood")
        }
    }
}
