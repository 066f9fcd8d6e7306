import Archive
import ArgumentParser
import FoundationEssentials
import Messages
import Settings

/// The options by which every command finds its archive.
struct ArchiveOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder of the archive.", valueName: "path"))
    var archive: String?

    /// The folder of the archive.
    func path() throws -> String {
        let environment = Environment.variables
        let path = ArchiveLocation.resolve(option: archive, environment: environment, config: .ofUser) { folder in
            FileManager.default.fileExists(atPath: folder + "/archive.json")
        }
        guard let path else {
            throw Failure(
                .usage,
                "which archive? Name it with --archive PATH, in KEDGE_ARCHIVE or in config.toml, or stand in its folder"
            )
        }
        return path
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
    ///   - first: the conversation of which a page will be asked for.
    func open(
        logs: Bool = false, keepsIndex: Bool = false, me: Identity = .ofArchive, first: ConversationID? = nil
    ) throws -> any MessageStore {
        let environment = Environment.variables
        let logger = logs ? Log.logger(in: Folders(environment: environment)) : Log.silent
        let typing = TypingFolder(
            runtime: Folders(environment: environment).runtime, archive: ArchiveLocation.realPath(try path()))
        let store = try JSONArchive.open(
            path: try path(), index: try indexFolder(), keepsIndex: keepsIndex, typing: typing,
            me: me, first: first, logger: logger)
        guard let text = environment["KEDGE_SIMULATE"], !text.isEmpty else { return store }
        do {
            return SimulatedStore(store, try Simulation(parsing: text))
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }
}
