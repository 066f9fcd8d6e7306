package import Archive
internal import ArchiveFormat
package import Dates
internal import Files
package import Formats
package import Logging
package import Messages

/// Opens exports of other programs: folders and files that are not archives of Kedge.
package enum Export {
    /// True if a path exists and is not a native archive.
    package static func isExport(_ path: String) -> Bool {
        // First of all the file that most archives have: the first frame waits for the reply.
        guard !Disk.exists(ArchivePaths(path).label), let status = try? Disk.existing(path) else { return false }
        return status.isFolder ? !Disk.exists(ArchivePaths(path).conversations) : status.isFile
    }

    package static func isFileOrFolder(_ path: String) -> Bool {
        guard let status = try? Disk.existing(path) else { return false }
        return status.isFolder || status.isFile
    }

    package static func exists(_ path: String) -> Bool { Disk.exists(path) }

    /// True if the conversations of an export have been listed before.
    /// - Parameter index: the folder of its index.
    package static func isKnown(_ index: IndexFolder) -> Bool {
        MirrorFiles(root: index.path + "/mirror").header != nil
    }

    /// The files in the copy of an export that differ from what Kedge wrote, one line each. Reads all files.
    /// - Parameter index: the folder of the index of the export. Missing files of an unfinished copy are not errors.
    package static func faults(ofCopyIn index: IndexFolder) -> [String] {
        let files = MirrorFiles(root: index.path + "/mirror")
        guard let text = MirrorFiles.text(files.source) else { return [] }
        guard let header = MirrorHeader(text: text) else { return ["\(files.source): changed since Kedge wrote it"] }
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
        return faults.map { "\($0): changed since Kedge wrote it" }
    }

    /// Opens an export. The first time, it reads the list of conversations; it reads messages when they are requested.
    /// - Parameters:
    ///   - path: the canonical path of the export.
    ///   - index: the folder of its index, which also contains its mirror.
    ///   - zone: the zone of times that the export gives without one.
    ///   - options: the user's options for reading the export.
    ///   - first: the conversation, and the message in it, that will be requested first.
    ///   - keepsIndex: as for `JSONArchive.open`. Such a caller stays, so it gets an existing mirror at once, and the list of
    ///     files is read again after the first page. For others, it is read before.
    ///   - readsAll: true to compare all bytes of the mirror with their checksums, even if nothing seems to have changed.
    ///   - identity, logger: as for `JSONArchive.open`.
    /// - Throws: `unreadable` if no format recognises the export; `unavailable` if the disk has no space for the mirror.
    package static func open(
        path: String, index: IndexFolder, zone: Zone, keepsIndex: Bool = false, me identity: Identity = .ofArchive,
        options: ReadingOptions = ReadingOptions(), first: ConversationID? = nil, message: MessageID? = nil,
        readsAll: Bool = false, formats: [any Format] = Formats.all, logger: Logger
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
        // A mirror that was complete is checked after the first frame.
        if known == nil { mirror.begin(first, message: message) }
        return MirroredStore(archive, mirror, aliases: aliases)
    }

    /// The conversation and the message that will be requested first. If there is only one conversation, the name of another one
    /// is read as the ID of a message.
    private static func place(
        _ named: ConversationID?, _ message: MessageID?, aliases: [String: String], in files: MirrorFiles
    ) -> (ConversationID?, MessageID?) {
        guard let named else { return (files.onlyConversation, message) }
        let id = aliases[named.rawValue].map { ConversationID($0) } ?? named
        if message == nil, !Disk.exists(files.folder(of: id.rawValue)), let only = files.onlyConversation {
            return (only, MessageID(named.rawValue))
        }
        return (id, message)
    }

    /// The stamp of a conversation whose mirror and last source file have not changed; nil if one of them has. The other source
    /// files are checked after the first frame.
    private static func stampOfUnchanged(_ id: ConversationID, _ path: String, _ files: MirrorFiles) -> UInt64? {
        guard let state = ConversationBuilder.state(of: id.rawValue, in: files), state.isComplete,
            let tail = state.tail, files.stamp(of: id.rawValue) == state.stamp
        else { return nil }
        guard !tail.file.isEmpty else { return state.stamp }
        let isFile = (try? Disk.existing(path))?.isFile ?? false
        guard let file = DiskSource(root: path, isFile: isFile).status(tail.file),
            file.inode == tail.inode && file.size == tail.size && file.modified == tail.modified
        else { return nil }
        return state.stamp
    }
}

/// Reads a whole export and reports what was not understood. The messages are discarded.
package struct ExportCheck {
    /// The amount that was read.
    package struct Summary: Sendable {
        package var format = ""
        package var conversations = 0
        package var records = 0
        /// The number of errors of each kind.
        package var problems: [String: Int] = [:]
    }

    private let path: String
    private let files: MirrorFiles
    private let zone: Zone
    private let options: ReadingOptions

    /// - Parameters:
    ///   - path: the canonical path of the export.
    ///   - index: the folder of its index, where a zip is unpacked for a while.
    ///   - options: the user's options for reading the export.
    package init(path: String, index: IndexFolder, zone: Zone, options: ReadingOptions = ReadingOptions()) {
        self.path = path
        self.zone = zone
        self.options = options
        files = MirrorFiles(root: index.path + "/check")
    }

    /// - Parameters:
    ///   - progress: called with the number of bytes read.
    ///   - onProblem: called with each error when it is found.
    /// - Throws: the errors of `Export.open`.
    package func run(
        progress: (_ done: Int64, _ total: Int64) -> Void, onProblem: (ForeignProblem) -> Void
    ) throws(StoreError) -> Summary {
        defer { Disk.remove(files.root) }
        var problems: [ForeignProblem] = []
        let listed = try DiskSource.source(at: path, &problems) { Recognizer.knows($0, among: Formats.all) }
        let unpacked = try Unpacked.source(listed, at: path, files: files, &problems)
        let planner = MirrorPlanner(path: path, files: files, zone: zone, formats: Formats.all, options: options)
        let plan = try planner.plan(unpacked, listing: 0, problems)
        let source = plan.source
        var summary = Summary(format: plan.format.name, conversations: plan.archive.conversations.count)
        func note(_ problem: ForeignProblem) {
            summary.problems[problem.kind, default: 0] += 1
            onProblem(problem)
        }
        plan.archive.problems.forEach(note)
        let feeds = plan.archive.conversations.flatMap { conversation in conversation.feeds.map { ($0, conversation) } }
        let total = feeds.reduce(Int64(0)) { $0 + source.size(of: $1.0) }
        var done: Int64 = 0
        for (feed, conversation) in feeds {
            guard let file = source.file(feed.file) else { continue }
            let converter = plan.format.converter(
                for: feed, of: conversation, names: plan.names, state: nil, zone: zone)
            var writer = RecordWriter()
            var reader = FeedReader(source, file, from: feed.start, by: converter)
            var goesOn = true
            while goesOn {
                do throws(FileError) {
                    goesOn = try reader.step(to: feed.end ?? file.size, isWhole: true, into: &writer)
                } catch {
                    note(ForeignProblem(error))
                    goesOn = false
                }
                _ = writer.take()
                progress(done + reader.position - feed.start, total)
            }
            summary.records += writer.count
            writer.takeFindings().problems.forEach(note)
            done += source.size(of: feed)
        }
        return summary
    }
}
