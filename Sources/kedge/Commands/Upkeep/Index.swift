import Archive
import ArgumentParser
import Messages

struct Index: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Update the index.",
        discussion: """
            The index makes opening at a message, search and counts fast. It is built in the background by `kedge open`, and may \
            be deleted at any time. It is in $XDG_CACHE_HOME/kedge (else ~/.cache/kedge).
            """)

    @OptionGroup var options: ArchiveOptions

    @Flag(help: "Build a new one from the files; make again what is damaged of the copy of an export.")
    var rebuild = false

    @Flag(
        help:
            "Compare it with the files, and the copy of an export with its checksums; exit status 1 if they differ or hold lines that cannot be read, 3 if the index cannot be read."
    )
    var check = false

    @Flag(help: "Leave out the words of texts, which only searches need.")
    var noText = false

    func validate() throws {
        if rebuild && check { throw ValidationError("use --rebuild or --check, not both") }
    }

    /// Those that can be listed.
    func conversations(of store: any ConversationListing) throws -> [ConversationID] {
        try waiting { () async throws(StoreError) in try await store.conversations() }.map(\.id)
    }

    func run() throws {
        // The check tells of damage; opening the export would mend it.
        if check { try checkCopy() }
        let path = try options.nativeFolder(readsAll: rebuild)
        let index = ArchiveIndex(archive: path, in: try options.indexFolder())
        // Throws if the folder is no archive.
        let store: any ConversationListing = try options.open()
        for stray in try index.strays() { Output.complain(stray) }
        if check { return try runCheck(of: store) }
        let bar = ProgressBar()
        let failures = try index.make(isRebuilding: rebuild, withWords: !noText, onWait: { Output.complain($0) }) {
            bar.show($0, of: $1)
        }
        bar.finish()
        try warn(of: store, in: try conversations(of: store))
        guard let last = failures.last else { return }
        let all = try waiting { () async throws(StoreError) in try await store.conversations() }
        // The other conversations have an index now.
        let isNothingDone = failures.count == all.count
        for failure in isNothingDone ? failures.dropLast() : failures { Output.complain(failure.description) }
        if isNothingDone { throw last }
    }
}
