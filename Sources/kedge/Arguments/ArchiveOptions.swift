import Archive
import ArgumentParser
import Formats
import FoundationEssentials
import Logging
import Messages
import Mirror
import Relay
import Search
import Served
import Settings

import Glibc

/// The options that say how an export is to be read, where its files leave that open.
struct ReadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The zone of times that have none in an export: Europe/Berlin, +02:00; else the local one.",
            valueName: "zone"))
    var zone: String?

    @Option(
        help: ArgumentHelp(
            "The character set of lines that are no UTF-8: windows-1251, shift_jis; else found for each file.",
            valueName: "name"))
    var charset: String?

    @Option(
        help: ArgumentHelp(
            "The order of dates that an export writes in numbers: dmy, mdy or ymd; else found for each file.",
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
            "The format of an export that can be of several: irc, whatsapp. Also --format, but for show and export.",
            valueName: "format"))
    var format: String?

    /// The zone of `--zone`, else of the config, else the local one.
    func zoneOfExport() throws -> Zone {
        guard let name = try reading.zone ?? configured()?.zone else { return .local }
        guard let zone = ZoneName.zone(name) else {
            throw Failure(
                .usage, "\"\(name.shortened)\" is not a zone that this machine knows; try Europe/Berlin or +02:00")
        }
        return zone
    }

    /// How an export is to be read, by the options, else by the config.
    func readingOfExport() throws -> ReadingOptions {
        let known = try configured()
        var options = ReadingOptions()
        if let name = reading.charset ?? known?.charset {
            guard let charset = Charset.known(name) else {
                throw Failure(
                    .usage,
                    "\"\(name.shortened)\" is not a character set that can be read; try windows-1251, koi8-r or shift_jis"
                )
            }
            options.charset = charset
        }
        if let name = reading.dates ?? known?.dates {
            guard let order = DateOrder(rawValue: name) else {
                throw Failure(.usage, "--dates takes dmy, mdy or ymd, not \"\(name.shortened)\"")
            }
            options.dates = order
        }
        if let name = format ?? known?.format {
            let names = Formats.all.map(\.id)
            guard names.contains(name) else {
                throw Failure(
                    .usage, "\"\(name.shortened)\" is no format of an export; formats: \(names.joined(separator: ", "))"
                )
            }
            options.format = name
        }
        return options
    }

    private func configured() throws -> Config.Archive? {
        Config.ofUser.archive(at: ArchiveLocation.realPath(try path()))
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

    /// The error of a word that is no path, and none of the names of archives that there are.
    private func unknownName(_ path: String) -> Failure? {
        guard !path.contains("/"), access(path, F_OK) != 0 else { return nil }
        let names = Config.ofUser.archives.keys.sorted()
        guard !names.isEmpty else { return nil }
        let advice =
            Spelling.nearest(to: path, among: names).map { "did you mean \"\($0)\"?" }
            ?? "config.toml names \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "")"
        return Failure(.unreadable, "there is no archive \"\(path.shortened)\"; \(advice)")
    }

    static let noArchive = Failure(
        .usage, "No archive found. Use --archive PATH, set KEDGE_ARCHIVE, or cd into one")

    /// The folder of the archive; nil when nothing names one and the current folder is none.
    func foundPath() throws -> String? {
        ArchiveLocation.resolve(option: archive, environment: Environment.variables, config: .ofUser) { folder in
            FileManager.default.fileExists(atPath: folder + "/archive.json")
        }
    }

    /// The folder of its index.
    func indexFolder() throws -> IndexFolder {
        let folders = Folders(environment: Environment.variables)
        return IndexFolder(cache: folders.cache, archive: ArchiveLocation.realPath(try path()))
    }

    /// Opens the archive. With `KEDGE_SIMULATE` it comes wrapped in a store that is as slow and fails as often as that says.
    /// - Parameters:
    ///   - logs: whether problems go to the log. Commands that print tell them on stderr instead.
    ///   - keepsIndex: whether the index is brought up to the files; that begins with `preparation`, after the first page.
    ///   - me: the person who reads and writes.
    ///   - first: the conversation of which a page will be asked for, and the message in it.
    ///   - isServed: whether the server of an account is asked for what is missing. That begins with `preparation`, too.
    func opened(
        logs: Bool = false, keepsIndex: Bool = false, me: Identity = .ofArchive, first: Link? = nil,
        isServed: Bool = false
    ) throws -> OpenedArchive {
        let environment = Environment.variables
        let logger = logs ? Log.logger(in: Folders(environment: environment)) : Log.silent
        if let mirror = try export(logger: logger, keepsIndex: keepsIndex, me: me, first: first) {
            return OpenedArchive(store: try simulated(mirror), mirror: mirror)
        }
        let typing = TypingFolder(
            runtime: Folders(environment: environment).runtime, archive: ArchiveLocation.realPath(try path()))
        let store = try JSONArchive.open(
            path: try path(), index: try indexFolder(), keepsIndex: keepsIndex, typing: typing,
            me: me, first: first?.conversation, thread: EarlyThread.take(), logger: logger)
        let isServed = isServed && store.server == "matrix"
        let whole: any MessageStore = isServed ? try served(store) : store
        return OpenedArchive(store: try simulated(whole), mirror: nil, isServed: isServed)
    }

    private func served(_ store: JSONArchive) throws -> any MessageStore {
        let environment = Environment.variables
        guard let runtime = Folders(environment: environment).runtime else { return store }
        let archive = ArchiveLocation.realPath(try path())
        let socket = RelaySocket.place(runtime: runtime, archive: archive).path
        return ServedStore(
            store, helper: Helper(path: socket) { HelperProgram.start(archive: archive, environment: environment) },
            receipts: Config.ofUser.receipts)
    }

    /// Opens the archive, without anything besides.
    func open(me: Identity = .ofArchive) throws -> any MessageStore { try opened(me: me).store }

    /// Opens an export of another program; nil if the archive is Kedge's own.
    func export(
        logger: Logger = Log.silent, keepsIndex: Bool = false, me: Identity = .ofArchive, first: Link? = nil,
        readsAll: Bool = false
    ) throws -> MirroredStore? {
        let path = try path()
        guard Export.isExport(path) else { return nil }
        guard Folders(environment: Environment.variables).cache != nil else {
            throw Failure(.unreadable, "\(path): an export needs a folder for its copy; set XDG_CACHE_HOME or HOME")
        }
        do {
            return try export(
                at: ArchiveLocation.realPath(path), try indexFolder(), logger, keepsIndex, me, first, readsAll)
        } catch let error as StoreError where error.isTransient {
            // The cache may be full or closed: there is another place, as long as that lasts.
            let temporary = Environment.variables["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
            let cache = "\(temporary)/kedge-\(geteuid())"
            let index = IndexFolder(cache: cache, archive: ArchiveLocation.realPath(path))
            // A folder of another user is no place for private files.
            guard (try? PrivateFolder.make(cache)) != nil,
                let store = try? export(
                    at: ArchiveLocation.realPath(path), index, logger, keepsIndex, me, first, readsAll)
            else { throw error }
            Output.complain("\(error); the copy is in \(temporary) for now")
            return store
        }
    }

    private func export(
        at path: String, _ index: IndexFolder, _ logger: Logger, _ keepsIndex: Bool, _ me: Identity, _ first: Link?,
        _ readsAll: Bool
    ) throws -> MirroredStore {
        try Export.open(
            path: path, index: index, zone: try zoneOfExport(), keepsIndex: keepsIndex, me: me,
            options: try readingOfExport(), first: first?.conversation, message: first?.message, readsAll: readsAll,
            logger: logger)
    }

    private func simulated(_ store: any MessageStore) throws -> any MessageStore {
        guard let text = Environment.variables["KEDGE_SIMULATE"], !text.isEmpty else { return store }
        do {
            return SimulatedStore(store, try Simulation(parsing: text))
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }
}
