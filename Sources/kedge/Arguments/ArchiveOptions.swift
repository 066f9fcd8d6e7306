import ArchiveFormat
import Archive
import ArgumentParser
import Files
import Formats
import Glibc
import Logging
import Messages
import Mirror
import Relay
import Search
import Served
import Settings
import Synchronization
import Usage

/// Options that say how to read an export whose files leave that open.
struct ReadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time zone of an export whose times name none: Europe/Berlin, +02:00; otherwise the local zone.",
            valueName: "zone"))
    var zone: String?

    @Option(
        help: ArgumentHelp(
            "The character set of lines that are not UTF-8: windows-1251, shift_jis; otherwise detected for each file.",
            valueName: "name"))
    var charset: String?

    @Option(
        help: ArgumentHelp(
            "The order of dates that an export writes in numbers: dmy, mdy or ymd; otherwise detected for each file.",
            valueName: "order"))
    var dates: String?
}

/// The options by which every command finds its archive.
struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The archive: a folder of Kedge's own, an export of another program, or a name in config.toml.",
            valueName: "path"))
    var archive: String?

    @OptionGroup var reading: ReadingArguments

    @Option(
        name: .customLong("source-format"),
        help: ArgumentHelp(
            "The format of an export that several formats fit: irc, whatsapp. Also --format, except in show and export.",
            valueName: "format"))
    var format: String?

    /// The zone from `--zone`, otherwise from the config, otherwise the local zone.
    func zoneOfExport() throws -> Zone {
        guard let name = try reading.zone ?? configured()?.zone else { return .local }
        guard let zone = ZoneName.zone(name) else {
            throw CommandError(
                .usage, "\"\(name.shortened)\" is not a zone that this machine knows; try Europe/Berlin or +02:00")
        }
        return zone
    }

    /// The options for reading an export: from the command line, else from the config.
    func readingOfExport() throws -> ReadingOptions {
        let known = try configured()
        var options = ReadingOptions()
        if let name = reading.charset ?? known?.charset {
            guard let charset = Charset.known(name) else {
                throw CommandError(
                    .usage,
                    "\"\(name.shortened)\" is not a character set that can be read; try windows-1251, koi8-r or shift_jis"
                )
            }
            options.charset = charset
        }
        if let name = reading.dates ?? known?.dates {
            guard let order = DateOrder(rawValue: name) else {
                throw CommandError(.usage, "--dates takes dmy, mdy or ymd, not \"\(name.shortened)\"")
            }
            options.dates = order
        }
        if let name = format ?? known?.format {
            let names = Formats.all.map(\.id)
            guard names.contains(name) else {
                throw CommandError(
                    .usage, "\"\(name.shortened)\" is not an export's format; formats: \(names.joined(separator: ", "))"
                )
            }
            options.format = name
        }
        return options
    }

    private func configured() throws -> Config.Archive? {
        Config.ofUser.archive(at: try realPath())
    }

    /// The folder of the archive.
    /// - Throws: when there is none.
    func path() throws -> String {
        guard let path = try foundPath() else {
            throw ArchiveOptions.noArchive
        }
        if let failure = unknownName(path) { throw failure }
        return path
    }

    /// The canonical path of the archive.
    func realPath() throws -> String { RealPaths.of(try path()) }

    /// The error for a word that is neither a path nor the name of an archive.
    private func unknownName(_ path: String) -> CommandError? {
        guard !path.contains("/"), !Disk.exists(path) else { return nil }
        let names = Config.ofUser.archives.keys.sorted()
        guard !names.isEmpty else { return nil }
        let advice =
            Spelling.nearest(to: path, among: names).map { "did you mean \"\($0)\"?" }
            ?? "config.toml names \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "")"
        return CommandError(.unreadable, "there is no archive \"\(path.shortened)\"; \(advice)")
    }

    static let noArchive = CommandError(
        .usage, "No archive found. Use --archive PATH, set KEDGE_ARCHIVE, or cd into one")

    /// The folder of the archive; nil if nothing names one and the current folder is not an archive.
    func foundPath() throws -> String? {
        ArchiveLocation.resolve(option: archive, environment: Environment.variables, config: .ofUser) { folder in
            Disk.exists(ArchivePaths(folder).label)
        }
    }

    /// The folder of the archive's index.
    func indexFolder() throws -> IndexFolder {
        IndexFolder(cache: Folders.ofUser.cache, archive: try realPath())
    }

    /// Opens the archive. `KEDGE_SIMULATE` wraps it in a store that is slow and fails as it says.
    /// - Parameters:
    ///   - logs: true if problems go to the log. Commands that print report them on stderr instead.
    ///   - keepsIndex: true to update the index from the files; that begins with `preparation`, after the first page.
    ///   - me: the person who reads and writes.
    ///   - first: the conversation whose page will be asked for, and the message in it.
    ///   - isServed: true to fetch missing messages from the server of an account. That begins with `preparation`, too.
    func opened(
        logs: Bool = false, keepsIndex: Bool = false, me: Identity = .ofArchive, first: Link? = nil,
        isServed: Bool = false
    ) throws -> OpenedArchive {
        let logger = logs ? LogFile.logger(in: .ofUser) : LogFile.silent
        if let mirror = try export(logger: logger, keepsIndex: keepsIndex, me: me, first: first) {
            return OpenedArchive(store: try simulated(mirror), mirror: mirror)
        }
        let typing = TypingFolder(runtime: Folders.ofUser.runtime, archive: try realPath())
        let store = try JSONArchive.open(
            path: try path(), index: try indexFolder(), keepsIndex: keepsIndex, typing: typing,
            me: me, first: first?.conversation, thread: EarlyThread.take(), logger: logger)
        let isServed = isServed && store.server == "matrix"
        let whole: any MessageStore = isServed ? try served(store) : store
        return OpenedArchive(store: try simulated(whole), mirror: nil, isServed: isServed)
    }

    private func served(_ store: JSONArchive) throws -> any MessageStore {
        guard let runtime = Folders.ofUser.runtime else { return store }
        let archive = try realPath()
        let socket = RelaySocket.place(runtime: runtime, archive: archive).path
        return ServedStore(
            store, helper: Helper(path: socket) { HelperProgram.start(archive: archive) },
            receipts: Config.ofUser.receipts)
    }

    /// Opens the archive without its index and without a server.
    func open(me: Identity = .ofArchive) throws -> any MessageStore { try opened(me: me).store }

    /// Opens an export of another program; nil if the archive is Kedge's own.
    func export(
        logger: Logger = LogFile.silent, keepsIndex: Bool = false, me: Identity = .ofArchive, first: Link? = nil,
        readsAll: Bool = false
    ) throws -> MirroredStore? {
        let path = try path()
        guard Export.isExport(path) else { return nil }
        guard Folders.ofUser.cache != nil else {
            throw CommandError(
                .unreadable, "\(path): an export needs a folder for its copy; set XDG_CACHE_HOME or HOME")
        }
        let archive = RealPaths.of(path)
        func open(in index: IndexFolder) throws -> MirroredStore {
            try Export.open(
                path: archive, index: index, zone: try zoneOfExport(), keepsIndex: keepsIndex, me: me,
                options: try readingOfExport(), first: first?.conversation, message: first?.message,
                readsAll: readsAll, logger: logger)
        }
        do {
            return try open(in: try indexFolder())
        } catch let error as StoreError where error.isTransient {
            // The cache may be full or not writable: until that is mended, the copy is in a temporary folder.
            let temporary = Environment.variables["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
            let cache = "\(temporary)/kedge-\(geteuid())"
            // A folder of another user is no place for private files.
            guard (try? Disk.makeFolder(cache)) != nil,
                let store = try? open(in: IndexFolder(cache: cache, archive: archive))
            else { throw error }
            Output.complain("\(error); the copy is in \(temporary) for now")
            return store
        }
    }

    private func simulated(_ store: any MessageStore) throws -> any MessageStore {
        guard let text = Environment.variables["KEDGE_SIMULATE"], !text.isEmpty else { return store }
        do {
            return SimulatedStore(store, try Simulation(parsing: text))
        } catch {
            throw CommandError(.usage, "\(error)")
        }
    }
}

/// The canonical paths of archives. Each is found once: a command means one folder, even when a link on the way changes meanwhile.
private enum RealPaths {
    private static let known = Mutex<[String: String]>([:])

    /// May wait for the disk.
    static func of(_ path: String) -> String {
        if let real = known.withLock({ $0[path] }) { return real }
        // A folder that is made later has another path then.
        guard let real = Disk.realPath(path) else { return path }
        known.withLock { $0[path] = real }
        return real
    }
}

extension ArchiveOptions {
    /// The place that a link of the command line names: Kedge's own link, with the name of an archive before it if
    /// there is none in the options (`work:general`), or a link that a service copies for sharing. Of several archives
    /// in the settings, the one with the conversation is chosen.
    mutating func resolve(_ text: String) throws -> Link {
        switch Permalink.parse(text) {
        case nil: return linkOfNamedArchive(text) ?? Link(text)
        case .unresolvable(let reason): throw CommandError(.usage, reason)
        case .link(let permalink):
            for path in candidates {
                let index = IndexFolder(cache: Folders.ofUser.cache, archive: path)
                guard let id = Conversations.named(permalink.conversations, in: path, index: index) else { continue }
                archive = path
                return Link(conversation: id, message: permalink.message.map { MessageID($0) })
            }
            throw CommandError(
                .nothingFound,
                "no archive that Kedge knows has the conversation of this link; name the archive with --archive, or in "
                    + "config.toml as [archives.NAME]")
        }
    }

    /// Takes a path instead of a link: `kedge open ~/Downloads/result.json`. The name of something in the current folder is a
    /// path only if no conversation of the archive has this name.
    /// - Returns: true if the text is a path.
    mutating func takesPath(_ text: String) throws -> Bool {
        guard archive == nil else { return false }
        let isPlain = ArchiveOptions.isPath(text)
        guard isPlain || Disk.exists(text) else { return false }
        if !isPlain, let path = try foundPath().map(ArchiveLocation.realPath) {
            let index = IndexFolder(cache: Folders.ofUser.cache, archive: path)
            let id = Link(text).conversation.rawValue
            if Conversations.named([id], in: path, index: index) != nil { return false }
        }
        archive = text
        return true
    }

    /// Takes the path or the name of an archive when a conversation is named after it: `kedge open ~/irclogs kedge`.
    /// - Returns: true if the text is one of these.
    mutating func takesArchive(_ text: String) -> Bool {
        guard archive == nil, ArchiveOptions.isArchive(text) else { return false }
        archive = text
        return true
    }

    /// True if a text is the path or the name of an archive.
    static func isArchive(_ text: String) -> Bool {
        isPath(text) || Disk.exists(text) || Config.ofUser.archives[text] != nil
    }

    /// True if a text can only be a path.
    static func isPath(_ text: String) -> Bool {
        ["/", "./", "../"].contains { text.hasPrefix($0) } || text == "." || text == ".."
    }

    /// Splits `work:general` into the name of an archive and a link, and selects that archive.
    /// - Returns: the link; nil if no archive has such a name.
    private mutating func linkOfNamedArchive(_ text: String) -> Link? {
        guard archive == nil, let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[..<colon])
        guard !name.contains("/"), let known = Config.ofUser.archives[name] else { return nil }
        archive = known.path
        return Link(String(text[text.index(after: colon)...]))
    }

    /// The canonical paths of the named archive, or else of all archives in the settings.
    private var candidates: [String] {
        if archive != nil { return (try? [realPath()]) ?? [] }
        let named = Config.ofUser.archives.sorted { $0.key < $1.key }.map(\.value.path)
        var paths: [String] = []
        for path in ((try? [path()]) ?? []) + named where !paths.contains(ArchiveLocation.realPath(path)) {
            paths.append(ArchiveLocation.realPath(path))
        }
        return paths
    }
}

extension ArchiveOptions {
    /// The folder of Kedge's own archive, or of the whole copy of an export. Shows the progress of copying.
    /// - Parameter readsAll: true to compare every byte of the copy with its checksum, and to replace what differs.
    func nativeFolder(readsAll: Bool = false) throws -> String {
        guard let export = try export(readsAll: readsAll) else { return try path() }
        let bar = ProgressBar()
        try waiting { () async throws(StoreError) in try await export.settle { bar.show($0, of: $1) } }
        bar.finish()
        return export.folder
    }
}

extension ArchiveOptions {
    /// The read positions of a person in the archive. Reports errors of reading on stderr.
    func readStates(of reader: PersonID?) throws -> ReadStates {
        var (file, baseline) = try readFiles(of: reader)
        let (positions, problem) = file.load()
        let (last, other) = baseline.load()
        for line in [problem, other].compactMap(\.self) { Output.complain(line) }
        return ReadStates(positions: positions, baseline: last)
    }

    /// Saves the read positions of a person. Reports an error on stderr.
    func keep(_ positions: [ConversationID: ReadPosition], of reader: PersonID?) throws {
        if positions.isEmpty { return }
        var file = try readFiles(of: reader).positions
        _ = file.load()
        if let problem = file.advance(positions) { Output.complain(problem) }
    }

    /// Saves the ends of all conversations at the first contact with an archive: only later messages are new. Reports
    /// an error on stderr.
    func keepBaseline(of store: any ConversationListing & UnreadCounting, at moment: Timestamp) throws {
        let last = try waiting { () async throws(StoreError) in
            await store.lastMessages(before: try await store.ends(at: moment))
        }
        if let problem = try readFiles(of: store.me).baseline.keep(last).problem { Output.complain(problem) }
    }

    private func readFiles(of reader: PersonID?) throws -> (positions: ReadPositions, baseline: Baseline) {
        let (folder, archive) = (Folders.ofUser.state, try realPath())
        return (
            ReadPositions(folder: folder, archive: archive, reader: reader),
            Baseline(folder: folder, archive: archive, reader: reader)
        )
    }
}

/// An archive that a command has opened.
struct OpenedArchive {
    let store: any MessageStore
    /// Nil for an archive of Kedge's own.
    let mirror: MirroredStore?
    /// True if a server sends missing messages, and receives what is written.
    var isServed = false

    /// The one conversation of the archive, which is opened without being named; nil if there are several. With an
    /// invitation, the list of conversations is shown instead.
    /// - Parameter path: the archive.
    func only(at path: String) throws -> Link? {
        guard let id = SingleConversation.id(in: mirror, at: path) else { return nil }
        if isServed {
            let invitations = try waiting { () async throws(StoreError) in await store.invitations() }
            guard invitations.isEmpty else { return nil }
        }
        return Link(conversation: id, message: nil)
    }

    /// The reason why no conversation can be made, for the screen; nil if one can.
    var obstacleToMaking: String? {
        if mirror != nil { return MirroredStore.obstacle }
        return isServed ? "rooms are made on the server; an address such as #name:server joins one" : nil
    }

    /// The place of a link with Kedge's own IDs.
    func resolved(_ link: Link) -> Link { mirror?.resolved(link) ?? link }

    /// The conversation of a link, and the link with the conversation's ID: the link may also name a title or
    /// `#general`, in any case.
    /// - Throws: `noSuchConversation`, and a `CommandError` when several conversations have the name.
    func conversation(of link: Link) throws -> (conversation: Conversation, link: Link) {
        let link = resolved(link)
        do {
            return (
                try waiting { () async throws(StoreError) in try await store.conversation(link.conversation) }, link
            )
        } catch StoreError.noSuchConversation(let id, let nearest) {
            guard let found = try OpenedArchive.conversation(named: id.rawValue, in: store) else {
                throw StoreError.noSuchConversation(id, nearest: nearest)
            }
            return (found, Link(conversation: found.id, message: link.message))
        }
    }

    /// The conversation with this ID or title, apart from case, accents and a "#" before it; nil if there is none.
    /// - Throws: a `CommandError` when there are several.
    static func conversation(named name: String, in store: any ConversationListing) throws -> Conversation? {
        let wanted = QueryName(name)
        let all = try waiting { () async throws(StoreError) in try await store.conversations() }
        let found = all.filter(wanted.names)
        guard found.count > 1 else { return found.first }
        let ids = found.prefix(5).map { "\"\($0.id.rawValue.shortened)\"" }.joined(separator: ", ")
        throw CommandError(
            .usage,
            "\(found.count) conversations are called \"\(name.shortened)\": use an ID (\(ids)\(found.count > 5 ? ", …" : ""))"
        )
    }
}

/// The conversation of an archive that holds only one. It is opened without being named: a list would be noise.
enum SingleConversation {
    /// Reads only names, since the first frame depends on it.
    /// - Parameters:
    ///   - mirror: nil for an archive of Kedge's own.
    ///   - path: the archive.
    /// - Returns: nil if there are several, or none.
    static func id(in mirror: MirroredStore?, at path: String) -> ConversationID? {
        if let mirror { return mirror.onlyConversation }
        var found: [FolderEntry] = []
        try? Disk.forEachEntry(of: ArchivePaths(path).conversations) { entry in
            if !entry.isHidden { found.append(entry) }
            return found.count < 2
        }
        // No conversation has a name that is not UTF-8.
        guard found.count == 1, found[0].isText else { return nil }
        return ConversationID(found[0].name)
    }
}
