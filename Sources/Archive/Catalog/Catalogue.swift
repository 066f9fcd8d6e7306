internal import ArchiveFormat
internal import Files
import Glibc
internal import JSON
internal import Messages

/// The conversations of an archive: the folders in `conversations`.
struct Catalogue {
    /// The maximal length of a file name in the file systems of Linux, in bytes.
    private static let longestName = 255

    let paths: ArchivePaths

    init(archive: String) { paths = ArchivePaths(archive) }

    var archive: String { paths.archive }

    /// The folder that contains all conversations.
    var root: String { paths.conversations }

    /// The folder that contains the archive.
    var parent: String { Disk.folder(of: archive) }

    /// - Parameter id: one of `ids`.
    func path(of id: ConversationID) -> String { paths.folder(of: id.rawValue) }

    /// The folder of a conversation; its name is the conversation's ID. Nil if there is none, or if the ID is not a
    /// plain file name, which could escape from the archive.
    /// - Throws: `unavailable` if the archive is gone.
    func folder(of id: ConversationID) throws(StoreError) -> String? {
        try stamp(of: id) == nil ? nil : path(of: id)
    }

    /// The state of the folder of a conversation; nil as for `folder`.
    /// - Throws: `unavailable` if the archive is gone.
    func stamp(of id: ConversationID) throws(StoreError) -> FileStamp? {
        let name = id.rawValue
        guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")),
            name.utf8.count <= Catalogue.longestName
        else { return nil }
        if let status = try File.status(path(of: id)), status.isFolder { return status.stamp }
        try checkArchive()
        return nil
    }

    /// Tells an archive without conversations from one whose folder was removed, renamed or unmounted while it is open.
    /// - Throws: `unavailable`, since the folder may come back.
    private func checkArchive() throws(StoreError) {
        guard try File.status(paths.label) == nil else { return }
        throw .unavailable(
            try Folder.exists(archive)
                ? "\(archive): archive.json is gone; bring it back"
                : "\(archive): the folder of the archive is gone; bring it back")
    }

    /// The current files of a conversation; nil if it does not exist. Ignores entries that have the name of a segment
    /// but are not files: `JSONArchive.segments` reports them.
    func log(of id: ConversationID) throws(StoreError) -> PlainLog? {
        guard let folder = try folder(of: id) else { return nil }
        return PlainLog(segments: try Segment.all(in: folder, of: id))
    }

    /// The current files of a conversation. Lists its folder only if that has changed since it was indexed.
    /// - Parameters:
    ///   - stamp: the stamp of the folder, from before this call.
    ///   - known: the entry of the conversation in the index.
    func segments(
        of id: ConversationID, _ stamp: FileStamp, known: IndexedConversation?, _ strays: inout ProblemList
    ) throws(StoreError) -> [Segment] {
        let names = known.flatMap { $0.folder == stamp ? $0.segments.map(\.name) : nil }
        return try Segment.all(in: path(of: id), of: id, &strays, names: names)
    }

    /// The current files of a conversation; nil if it does not exist.
    /// - Parameters:
    ///   - known: the entry of the conversation in the index.
    ///   - problems: receives the entries with the name of a segment that are not files.
    func segments(
        of id: ConversationID, known: IndexedConversation?, reportingTo problems: Problems
    ) throws(StoreError) -> [Segment]? {
        guard let stamp = try stamp(of: id) else { return nil }
        return try problems.replace("\(id)/messages-*") { (strays) throws(StoreError) in
            try segments(of: id, stamp, known: known, &strays)
        }
    }

    /// All conversations, sorted by the bytes of their IDs. Skips all other entries of the folder.
    /// - Throws: if the folder of all conversations cannot be read, or the archive is gone.
    func ids() throws(StoreError) -> [ConversationID] {
        var problems = ProblemList()
        return try ids(&problems)
    }

    /// - Parameter problems: receives one line for each entry that is not a conversation.
    func ids(_ problems: inout ProblemList) throws(StoreError) -> [ConversationID] {
        guard try Folder.exists(root) else {
            if let obstacle = File.obstacle(root) {
                throw .unreadable("\(root): \(obstacle == File.irregular ? "not a folder" : obstacle); move it away")
            }
            try checkArchive()
            return []
        }
        var ids: [ConversationID] = []
        let entries = try Folder.entries(root)
        for entry in entries where entry.isText {
            if let reason = obstacle(entry) {
                problems.add("conversations/\(printable(entry.name)): \(reason); it is skipped")
            } else {
                ids.append(ConversationID(entry.name))
            }
        }
        for entry in entries where !entry.isText {
            problems.add(
                "conversations/\(printable(entry.name)): its name is not UTF-8; it is skipped until it is renamed")
        }
        return ids
    }

    /// The reason why an entry of the folder is not a conversation; nil if it is one.
    private func obstacle(_ entry: FolderEntry) -> String? {
        if let isFolder = entry.isFolder { return isFolder ? nil : "not a folder" }
        do throws(StoreError) {
            if try Folder.exists(root + "/" + entry.name) { return nil }
            return try File.status(root + "/" + entry.name) == nil ? "a link that leads nowhere" : "not a folder"
        } catch {
            return error.reason
        }
    }

    private func descriptionPath(of id: ConversationID) -> String { paths.description(of: id.rawValue) }

    /// The state of conversation.json; nil if there is none that can be read.
    func descriptionStamp(of id: ConversationID) -> FileStamp? { (try? FileStamp.of(descriptionPath(of: id))) ?? nil }

    /// Calls `body` with the entry that the index stores for the folder of a conversation.
    /// - Parameters:
    ///   - stamp: the stamp of the folder before its segments were listed; nil to list them each time.
    ///   - now: a time before that listing, in seconds since 1970.
    func withFolder<Result>(
        of id: ConversationID, _ stamp: FileStamp?, at now: Int, _ body: (IndexedFolder) throws -> Result
    ) throws -> Result {
        let folder = IndexedFolder.lasting(stamp, at: now)
        guard let file = try? SmallFile(descriptionPath(of: id), limit: IndexedFolder.longestText),
            IndexedFolder.keeps(file.stamp, at: now)
        else {
            return try body(
                IndexedFolder(folder: folder, file: nil, text: UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        return try body(IndexedFolder(folder: folder, file: file.stamp, text: file.slice.bytes))
    }

    /// If conversation.json cannot be read, the ID is the title. Members have their IDs as names, unless they have one in this
    /// conversation only.
    /// - Parameter known: the index's entry: a file that is unchanged since then is not read.
    func conversation(
        _ id: ConversationID, by reader: borrowing ConversationFileReader, known: IndexedFolder? = nil
    ) -> (Conversation, ProblemList) {
        let path = descriptionPath(of: id)
        let plain = Conversation(id: id, title: id.rawValue, topic: nil)
        var problems = ProblemList()
        do {
            guard let stamp = try FileStamp.of(path) else {
                // The file may be missing: it supplies little more than the title.
                if let obstacle = File.obstacle(path) {
                    problems.add("\(id)/conversation.json: \(obstacle); the ID is shown as its title")
                }
                return (plain, problems)
            }
            if let known, known.file == stamp {
                return (try Catalogue.conversation(id, Slice(known.text), by: reader), problems)
            }
            let file = try SmallFile(path, limit: SmallFile.largest)
            return (try Catalogue.conversation(id, file.slice, by: reader), problems)
        } catch let error as StoreError {
            problems.add("\(id)/conversation.json: \(error.reason); the ID is shown as its title")
        } catch {
            let reason = (error as? JSONReader.Failure)?.reason("a JSON object") ?? "\(error)"
            problems.add("\(id)/conversation.json: \(reason); the ID is shown as its title")
        }
        return (plain, problems)
    }

    /// Parses the text of a conversation.json.
    private static func conversation(
        _ id: ConversationID, _ text: Slice, by reader: borrowing ConversationFileReader
    ) throws(JSONReader.Failure) -> Conversation {
        let file = try reader.read(text.bytes, readable: text.readable)
        let names = People.names(file.names)
        let successor = file.movedTo.map { address in
            Successor(conversation: file.successor.map { ConversationID($0) }, address: address)
        }
        return Conversation(
            id: id, title: file.title ?? id.rawValue, topic: file.topic,
            members: file.members.map { Person(id: PersonID($0), name: names[PersonID($0)] ?? $0) },
            address: file.link, readUpTo: file.readUpTo.map { MessageID($0) },
            predecessor: file.predecessor.map { ConversationID($0) }, successor: successor, hasLeft: file.hasLeft,
            memberCount: file.memberCount.map { Int(clamping: $0) }, callsAll: file.callsAll,
            isEncrypted: file.isClosed)
    }
}

extension ArchiveLabel {
    /// - Throws: `unreadable` if the folder is not an archive that Kedge can read. The error names the path, the cause
    ///   and a remedy.
    init(folder path: String) throws(StoreError) {
        try ArchiveLabel.check(folder: path)
        let file = ArchivePaths(path).label
        guard try FileStamp.of(file) != nil else {
            let reason = File.obstacle(file).map { "archive.json is \($0)" } ?? "it has no archive.json"
            throw .unreadable("\(path): not an archive (\(reason)); name another folder with --archive")
        }
        let content = try SmallFile(file, limit: 1 << 20)
        do throws(JSONReader.Failure) {
            try self.init(file: content.slice.bytes)
        } catch {
            if error == .noMemory { throw .noMemory }
            throw .unreadable("\(file): not a JSON object; repair it, or restore it from a copy")
        }
        guard format == ArchiveLabel.format else {
            let format = format.map { "the format \"\(printable($0))\"" } ?? "no format"
            throw .unreadable("\(file): says \(format), not \"kedge\"; name another folder with --archive")
        }
        guard let version else {
            throw .unreadable("\(file): has no version; repair it, or restore it from a copy")
        }
        guard version == ArchiveLabel.version else {
            throw .unreadable("\(file): version \(version), but this Kedge reads version 1; use another Kedge")
        }
    }

    private static func check(folder path: String) throws(StoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .unreadable("\"\(printable(path))\": not the path of a folder; name an archive with --archive")
        }
        guard let status = try File.status(path) else {
            throw .unreadable("\(path): there is no such folder; name an archive with --archive")
        }
        guard status.isFolder else {
            throw .unreadable("\(path): not a folder; name an archive with --archive")
        }
        guard access(path, R_OK | X_OK) == 0 else {
            throw StoreError(reading: FileError(.read, path, code: errno))
        }
    }
}
