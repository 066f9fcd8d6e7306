import Archive
import ArgumentParser
import Display
import Messages
import Mirror
import Settings
import Usage

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make an archive from an export, to write in.",
        discussion: """
            The archive can be written in. A second import adds only what is new in the export, and changes nothing else; an \
            import that was interrupted goes on. Attached files that the export holds are copied. An archive that is not made \
            of this export is refused, unless --merge combines the messages of both. Imported messages count as read.

              kedge import ~/Downloads/slack-export.zip ~/chats
              kedge import ~/irclogs ~/chats --as ana
            """)

    @Argument(help: ArgumentHelp("The export: a folder or a file.", valueName: "source"))
    var source: String

    @Argument(help: ArgumentHelp("The archive: a new folder, or that of an earlier import.", valueName: "dest"))
    var destination: String

    @OptionGroup var reading: ReadingArguments

    @Option(
        help: ArgumentHelp("The format of an export that fits several: irc, whatsapp.", valueName: "format"))
    var format: String?

    @Flag(help: "Add to an archive that is not made of this export.")
    var merge = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Who you are in a new archive: an ID, or the name of a person of the export.", valueName: "person"))
    var person: String?

    func validate() throws { try PersonOptions.check(person) }

    func run() throws {
        guard Export.exists(source) else { throw CommandError(.unreadable, "\(source): no such file or folder") }
        let options = ArchiveOptions(path: source, reading: reading, format: format)
        guard let export = try options.export() else {
            throw CommandError(.usage, "\(source): one of Kedge's own archives already; copy the folder")
        }
        let destination = ArchiveLocation.absolute(destination)
        let target = ImportTarget(destination)
        try check(target, source: export.source)
        let read = try target == .new ? nil : ReadBeforeImport(of: ArchiveOptions(path: destination))
        let reading = ProgressBar()
        try waiting { () async throws(StoreError) in try await export.settle { reading.show($0, of: $1) } }
        reading.finish()
        let me = try person.map { try self.me($0, in: export) }
        if let me { try check(me, in: target) }
        let writing = ProgressBar()
        let summary = try Importer(export, to: destination, me: me).run { writing.show($0, of: $1) }
        writing.finish()
        try read?.keep()
        let problems = try waiting { () async throws(StoreError) in await export.problems() }
        for problem in problems { Output.complain(problem) }
        var line =
            "\(summary.conversations.counted("conversation")): \(summary.added.counted("record")) added, "
            + "\(summary.known.grouped) already there"
        if summary.files > 0 { line += "; \(summary.files.counted("attached file")) copied" }
        if summary.missingFiles > 0 { line += "; \(summary.missingFiles.counted("attached file")) not in the export" }
        try Output.print([line])
    }

    private func me(_ name: String, in export: MirroredStore) throws -> PersonID {
        let match = try waiting { () async throws(StoreError) in try await export.person(called: name) }
        let nearest: [Person]
        switch match {
        case .one(let id): return id
        case .several(let people): nearest = people
        case .nobody(nearest: let people): nearest = people
        }
        let words = [source, destination, "--as", nearest.first?.id.rawValue.shortened ?? "ID"].map(ShellWord.quoted)
        let example = "as in `kedge import \(words.joined(separator: " "))`"
        let text = PersonOptions.text(match, name: name, in: "export", advice: "give an ID or a name, \(example)")
        throw CommandError(.usage, nearest.count > 1 && !text.contains(example) ? "\(text), \(example)" : text)
    }

    /// - Throws: when the archive exists and belongs to another person: contents of an archive are never changed.
    private func check(_ me: PersonID, in target: ImportTarget) throws(CommandError) {
        guard case .archive(_, let owner) = target, owner != me.rawValue else { return }
        let who = owner.map { "you are \($0) in this archive" } ?? "this archive does not say who you are"
        throw CommandError(
            .usage,
            "\(destination): \(who); leave out --as, and set me = \"\(me)\" under [archives.NAME] in config.toml")
    }

    /// - Throws: when the archive was made from another source, and the user has not asked to combine both.
    private func check(_ target: ImportTarget, source: String) throws(CommandError) {
        switch target {
        case .new: break
        case .account:
            throw CommandError(.usage, "\(destination): mirrors the account of a server; import into another folder")
        case .archive(let known, _):
            if merge || known == source { return }
            let origin = known.map { "made of \($0)" } ?? "not made by an import"
            throw CommandError(
                .usage, "\(destination): an archive that is \(origin); to have both in one archive, add --merge")
        }
    }
}

/// The read positions of a person before an import: imported history must not count as unread. In a conversation with unread
/// messages, all after the first of them stay unread, since a conversation has only one position.
struct ReadBeforeImport {
    private let options: ArchiveOptions
    private let identity: Identity
    private let states: ReadStates
    /// The conversations with something unread.
    private let unread: Set<ConversationID>

    /// - Returns: nil for an archive that was never opened: its first opening counts everything as read.
    init?(of options: ArchiveOptions) throws {
        self.options = options
        identity = try PersonOptions.identifyByConfig(in: options).identity
        let store = try options.open(me: identity)
        let states = try options.readStates(of: store.me)
        if states.baseline == nil, states.positions.isEmpty { return nil }
        self.states = states
        unread = Set(try ReadBeforeImport.unread(in: store, since: states))
    }

    private static func unread(
        in store: any ConversationListing & UnreadCounting, since states: ReadStates
    ) throws -> [ConversationID] {
        try waiting { () async throws(StoreError) in
            let all = try await store.conversations()
            let summaries = await store.summaries(of: all, since: states, for: store.me, withNewest: false)
            // A conversation that cannot be read stays as it is.
            return zip(all, summaries).filter { (try? $1.get().unread.isEmpty) != true }.map(\.0.id)
        }
    }

    /// Marks the imported messages as read.
    func keep() throws {
        let store = try options.open(me: identity)
        var positions: [ConversationID: ReadPosition] = [:]
        for id in try ReadBeforeImport.unread(in: store, since: states) where !unread.contains(id) {
            let request = PageRequest(
                conversation: id, position: .latest, limit: 1, since: states[id], threads: states.threads(of: id))
            let page = try waiting { () async throws(StoreError) in try await store.page(request) }
            guard let last = page.messages.last else { continue }
            var position = ReadPosition(
                message: last.id, index: page.place?.index, threads: page.threads.map { ThreadMarks(upTo: $0.upTo) })
            position.isChosen = true
            positions[id] = position
        }
        try options.keep(positions, of: store.me)
    }
}
