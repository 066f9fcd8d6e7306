import Archive
import ArgumentParser
import Display
import Messages
import Mirror
import Usage

struct Index: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Update the index.",
        discussion: """
            The index makes opening at a message, search and counts fast. It is built in the background by `kedge open`, and may \
            be deleted at any time. It is in $XDG_CACHE_HOME/kedge (else ~/.cache/kedge).
            """)

    @OptionGroup var options: ArchiveOptions

    @Flag(help: "Build a new index from the files; replace damaged parts of the copy of an export.")
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

    /// The conversations that can be listed.
    func conversations(of store: any ConversationListing) throws -> [ConversationID] {
        try waiting { () async throws(StoreError) in try await store.conversations() }.map(\.id)
    }

    func run() throws {
        // The check reports damage; opening the export would repair it.
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
        let all = try conversations(of: store)
        let skipped = try complain(of: store, in: all)
        guard let last = failures.last else {
            if let skipped { throw skipped }
            return
        }
        // The other conversations have an index now.
        let isNothingDone = all.count == failures.count
        for failure in isNothingDone ? failures.dropLast() : failures { Output.complain(failure.description) }
        if isNothingDone { throw last }
    }
}

extension Index {
    /// Reports damaged files in the copy of an export.
    func checkCopy() throws {
        let path = try options.path()
        guard Export.isExport(path) else { return }
        let faults = Export.faults(ofCopyIn: try options.indexFolder())
        guard !faults.isEmpty else { return }
        try Output.print(faults.map(Output.harmless))
        throw CommandError(
            .nothingFound,
            "the copy of this export is damaged; `kedge index --rebuild` repairs it from the export")
    }

    /// Compares the index with the files, and prints a line for each conversation and each difference. Reports
    /// unreadable lines on stderr.
    func runCheck(of store: any ConversationListing) throws {
        let bar = ProgressBar()
        let index = ArchiveIndex(archive: try options.nativeFolder(), in: try options.indexFolder())
        let verdict = try index.check { bar.show($0, of: $1) }
        bar.finish()
        switch verdict {
        case .missing(let reason): throw CommandError(.nothingFound, reason)
        case .broken(let reason):
            throw CommandError(
                .nothingFound, "the index is broken (\(reason)); `kedge index --rebuild` builds a new one")
        case .compared(let checks):
            try Output.print(checks.flatMap(Index.lines).map(Output.harmless))
            if checks.contains(where: { !$0.faults.lines.isEmpty }) {
                throw CommandError(
                    .nothingFound,
                    "the index differs from the files; `kedge index` updates it, "
                        + "`kedge index --rebuild` builds a new one")
            }
            if checks.contains(where: { $0.obstacle != nil }) {
                throw CommandError(
                    .nothingFound, "not every conversation could be checked; make its files readable, then check again")
            }
            let ids = try conversations(of: store)
            let problems = try waiting { () async throws(StoreError) in await store.problems(in: ids) }
            for problem in problems { Output.complain(problem) }
            if !problems.isEmpty {
                throw CommandError(
                    .nothingFound,
                    "the index is correct, but it skips lines of the archive; correct them, or ignore this")
            }
        }
    }

    private static func lines(of check: ConversationCheck) -> [String] {
        var lines = check.faults.lines
        if check.faults.more > 0 { lines.append("\(check.id): \(check.faults.more.grouped) more differences") }
        if let obstacle = check.obstacle {
            lines.append("\(check.id): cannot be checked: \(obstacle)")
            return lines
        }
        if check.isRight, !check.isUnknown {
            let counts = "\(check.records.grouped) records, \(check.messages.grouped) messages"
            lines.append("\(check.id): \(counts): the index is correct")
        }
        if check.missingBytes > 0 || check.isUnknown {
            lines.append("\(check.id): \(Int(check.missingBytes).grouped) bytes of the files are not in the index yet")
        }
        if check.missingWords > 0 {
            lines.append(
                "\(check.id): the words of \(check.missingWords.counted("message")) are not in the index yet")
        }
        return lines
    }
}
