import Archive
import ArgumentParser
import Messages

struct Index: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Bring the index up to the files.",
        discussion: """
            The index makes opening at a message, search and counts fast; `kedge open` makes it in the background, and it may be \
            deleted at any time. It lies in $XDG_CACHE_HOME/kedge (else ~/.cache/kedge).
            """)

    @OptionGroup var options: ArchiveOptions

    @Flag(help: "Make it anew.")
    var rebuild = false

    @Flag(help: "Compare it with the files; exit status 1 when they differ, 3 when it cannot be read for now.")
    var check = false

    @Flag(help: "Leave out the words of the texts, which only searches need.")
    var noText = false

    func validate() throws {
        if rebuild && check { throw ValidationError("say --rebuild or --check, not both") }
    }

    func run() throws {
        let path = try options.nativeFolder()
        let index = ArchiveIndex(archive: path, in: try options.indexFolder())
        // Throws if the folder is no archive.
        let store: any ConversationListing = try options.open()
        for stray in try index.strays() { Output.complain(stray) }
        if check { return try runCheck() }
        let bar = ProgressBar()
        let failures = try index.make(isRebuilding: rebuild, withWords: !noText, onWait: { Output.complain($0) }) {
            bar.show($0, of: $1)
        }
        bar.finish()
        guard let last = failures.last else { return }
        let all = try waiting { () async throws(StoreError) in try await store.conversations() }
        // The other conversations have an index now.
        let isNothingDone = failures.count == all.count
        for failure in isNothingDone ? failures.dropLast() : failures { Output.complain(failure.description) }
        if isNothingDone { throw last }
    }
}
