package import Archive
package import Dates
package import Formats
import Glibc
package import Logging
package import Messages

/// Opens exports of other programs: folders and files that are no archives of Kedge.
package enum Export {
    /// Whether a path names something that is there and is no native archive.
    package static func isExport(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFDIR else { return status.st_mode & S_IFMT == S_IFREG }
        return access(path + "/archive.json", F_OK) != 0 && access(path + "/conversations", F_OK) != 0
    }

    package static func isFileOrFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && [S_IFDIR, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether the conversations of an export were listed before.
    /// - Parameter index: the folder of its index.
    package static func isKnown(_ index: IndexFolder) -> Bool {
        MirrorFiles.text(MirrorFiles(root: index.path + "/mirror").source).flatMap(MirrorHeader.init(text:)) != nil
    }

    /// The files in the copy of an export that are not as Kedge wrote them, one line each. Reads all of them.
    /// - Parameter index: the folder of the index of the export. A copy that was never whole has no faults: what is missing is made.
    package static func faults(ofCopyIn index: IndexFolder) -> [String] {
        let files = MirrorFiles(root: index.path + "/mirror")
        guard let text = MirrorFiles.text(files.source) else { return [] }
        guard let header = MirrorHeader(text: text) else { return ["\(files.source): differs from what was written"] }
        guard header.listing != nil else { return [] }
        var faults: [String] = []
        if header.content != files.content { faults.append(files.root) }
        if !PeopleFile(of: files).isWhole { faults.append(files.people) }
        for id in MirrorFiles.names(in: files.conversations).sorted() {
            guard let state = ConversationBuilder.state(of: id, in: files) else {
                faults.append(files.state(of: id))
                continue
            }
            let description = files.description(of: id)
            if MirrorFiles.sum(of: description) != state.description { faults.append(description) }
            let written = Dictionary(
                state.pieces.map { (files.segment($0.segment, of: id), $0.size) }, uniquingKeysWith: { $1 })
            faults += MirrorFiles.segments(in: files.folder(of: id)).filter { written[$0.path] != $0.size }.map(\.path)
            faults += ConversationBuilder.faults(of: state, id, in: files).filter { !faults.contains($0) }
        }
        return faults.map { "\($0): differs from what was written" }
    }

    /// Opens an export. At its first opening, the list of its conversations is read; messages are read as they are asked for.
    /// - Parameters:
    ///   - path: the canonical path of the export.
    ///   - index: the folder of its index, in which its mirror is, too.
    ///   - zone: the zone of times that the export gives without one.
    ///   - options: how the user says that the export is to be read.
    ///   - first: the conversation, and the message in it, that will be asked for first.
    ///   - keepsIndex: as for `JSONArchive.open`. Such a caller stays: it gets a mirror that is known at once, and the list of files
    ///     is read again after the first page. For others it is read before.
    ///   - readsAll: whether to compare all bytes of the mirror with their checksums, even where nothing seems to have changed.
    ///   - identity, logger: as for `JSONArchive.open`.
    /// - Throws: `unreadable` if no format recognises it; `unavailable` if there is no room for the mirror.
    package static func open(
        path: String, index: IndexFolder, zone: Zone, keepsIndex: Bool = false, me identity: Identity = .ofArchive,
        options: ReadingOptions = ReadingOptions(), first: ConversationID? = nil, message: MessageID? = nil,
        readsAll: Bool = false, logger: Logger
    ) throws(StoreError) -> MirroredStore {
        try open(
            path: path, index: index, zone: zone, keepsIndex: keepsIndex, me: identity, options: options, first: first,
            message: message, readsAll: readsAll, formats: Formats.all, logger: logger)
    }

    static func open(
        path: String, index: IndexFolder, zone: Zone, keepsIndex: Bool = false, me identity: Identity = .ofArchive,
        options: ReadingOptions = ReadingOptions(), first: ConversationID? = nil, message: MessageID? = nil,
        readsAll: Bool = false, formats: [any Format], logger: Logger
    ) throws(StoreError) -> MirroredStore {
        let files = MirrorFiles(root: index.path + "/mirror")
        let planner = MirrorPlanner(path: path, files: files, zone: zone, formats: formats, options: options)
        let known = try readsAll ? nil : keepsIndex ? planner.wholeHeader : planner.currentHeader
        let plan = known == nil ? try planner.prepare() : nil
        let aliases = (known ?? planner.header)?.aliases ?? [:]
        let (first, message) = place(first, message, aliases: aliases, in: files)
        let archive = try JSONArchive.open(
            path: files.root, index: index, keepsIndex: keepsIndex, me: identity, first: known == nil ? nil : first,
            logger: logger)
        let mirror = try Mirror(
            path: path, files: files, zone: zone, formats: formats, options: options, plan: plan, readsAll: readsAll)
        if let known {
            let stamp = first.flatMap { stampOfUnchanged($0, path, files) }
            mirror.board.update { status in
                if !keepsIndex { status.isSettled = true }
                status.stamps = (known.stamp, known.labels, known.people)
                if let first, let stamp {
                    status.conversations[first] = .init(hasTail: true, isComplete: true, stamp: stamp)
                }
            }
        }
        // A mirror that was whole is looked at again after the first frame.
        if known == nil { mirror.begin(first, message: message) }
        return MirroredStore(archive, mirror, aliases: aliases)
    }

    /// The conversation and the message that will be asked for first. Where there is one conversation, another name alone
    /// means a message in it.
    private static func place(
        _ named: ConversationID?, _ message: MessageID?, aliases: [String: String], in files: MirrorFiles
    ) -> (ConversationID?, MessageID?) {
        guard let named else { return (files.onlyConversation, message) }
        let id = aliases[named.rawValue].map { ConversationID($0) } ?? named
        if message == nil, access(files.folder(of: id.rawValue), F_OK) != 0, let only = files.onlyConversation {
            return (only, MessageID(named.rawValue))
        }
        return (id, message)
    }

    /// The stamp of a conversation that is as it was mirrored, and whose last file is as it was then; nil for another one. The other
    /// files are looked at after the first frame.
    private static func stampOfUnchanged(_ id: ConversationID, _ path: String, _ files: MirrorFiles) -> UInt64? {
        guard let state = ConversationBuilder.state(of: id.rawValue, in: files), state.isComplete,
            let tail = state.tail, files.stamp(of: id.rawValue) == state.stamp
        else { return nil }
        guard !tail.file.isEmpty else { return state.stamp }
        var status = stat()
        let isFile = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard let file = DiskSource(root: path, isFile: isFile).status(tail.file),
            file.inode == tail.inode && file.size == tail.size && file.modified == tail.modified
        else { return nil }
        return state.stamp
    }
}

/// Reads an export whole and keeps nothing but what was not understood.
package struct ExportCheck {
    /// How much was read.
    package struct Summary: Sendable {
        package var format = ""
        package var conversations = 0
        package var records = 0
        /// Counts of problems by their kind.
        package var problems: [String: Int] = [:]
    }

    private let path: String
    private let files: MirrorFiles
    private let zone: Zone
    private let options: ReadingOptions

    /// - Parameters:
    ///   - path: the canonical path of the export.
    ///   - index: its folder in the cache, where a zip is unpacked for the time being.
    ///   - options: how the user says that the export is to be read.
    package init(path: String, index: IndexFolder, zone: Zone, options: ReadingOptions = ReadingOptions()) {
        self.path = path
        self.zone = zone
        self.options = options
        files = MirrorFiles(root: index.path + "/check")
    }

    /// - Parameters:
    ///   - progress: called with bytes of the source.
    ///   - onProblem: called with each problem as it is found.
    /// - Throws: as `Export.open`.
    package func run(
        progress: (_ done: Int64, _ total: Int64) -> Void, onProblem: (ForeignProblem) -> Void
    ) throws(StoreError) -> Summary {
        defer { MirrorFiles.remove(files.root) }
        var problems: [ForeignProblem] = []
        let listed = try DiskSource.source(at: path, &problems) { Recognizer.knows($0, among: Formats.all) }
        let source = try Unpacked.source(listed, at: path, files: files, &problems)
        let planner = MirrorPlanner(path: path, files: files, zone: zone, formats: Formats.all, options: options)
        let plan = try planner.plan(source, listing: 0, problems)
        var summary = Summary(format: plan.format.name, conversations: plan.archive.conversations.count)
        func note(_ problem: ForeignProblem) {
            summary.problems[problem.kind, default: 0] += 1
            onProblem(problem)
        }
        plan.archive.problems.forEach(note)
        let feeds = plan.archive.conversations.flatMap { conversation in conversation.feeds.map { ($0, conversation) } }
        let total = feeds.reduce(Int64(0)) { $0 + Self.size($1.0, in: source) }
        var done: Int64 = 0
        for (feed, conversation) in feeds {
            guard let file = source.file(feed.file) else { continue }
            let converter = plan.format.converter(
                for: feed, of: conversation, names: plan.names, state: nil, zone: zone)
            var writer = RecordWriter()
            var reader = FeedReader(source, file, from: feed.start, by: converter)
            var goesOn = true
            while goesOn {
                do throws(SourceError) {
                    goesOn = try reader.step(to: feed.end ?? file.size, isWhole: true, into: &writer)
                } catch {
                    note(error.problem)
                    goesOn = false
                }
                _ = writer.take()
                progress(done + reader.position - feed.start, total)
            }
            summary.records += writer.count
            writer.takeFindings().problems.forEach(note)
            done += Self.size(feed, in: source)
        }
        return summary
    }

    private static func size(_ feed: Feed, in source: Source) -> Int64 {
        max(0, (feed.end ?? source.file(feed.file)?.size ?? 0) - feed.start)
    }
}
