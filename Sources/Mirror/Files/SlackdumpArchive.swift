internal import Files
internal import Formats
internal import JSON
internal import Messages

/// The archive that slackdump has written since version 3.1: `slackdump.sqlite`, with copies of files in `__uploads` next to it.
/// The database contains Slack's records as JSON. They are written to files in the form of a dump, which `SlackFormat` reads.
///
/// Facts (rusq/slackdump, internal/chunk/backend/dbase/repository): tables `MESSAGE`, `CHANNEL` and `S_USER` have records in
/// `DATA`, one for each run that found it; the record with the latest `CHUNK_ID` is used. `CHANNEL_USER` lists the members of
/// channels.
struct SlackdumpArchive {
    private let plain: Source
    private let file: SourceFile
    private let path: String

    /// Nil if the source has no such database.
    init?(in source: Source, at path: String) {
        let isDatabase = { (file: SourceFile) in
            (try? source.read(file, count: 16))?.starts(with: Array("SQLite format 3".utf8)) == true
        }
        let names = source.isFile ? source.files : source.files.filter { $0.name == "slackdump.sqlite" }
        guard let file = names.first(where: isDatabase) else { return nil }
        (plain, self.file) = (source, file)
        self.path = source.isFile ? path : path + "/" + file.path
        let tables =
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND upper(name) IN ('MESSAGE', 'CHANNEL', 'S_USER', 'CHUNK')"
        guard let database = try? ForeignDatabase(path: self.path),
            (try? database.rows(tables) { $0.integer(0) }) == [4]
        else { return nil }
    }

    /// The source with the files of a dump in place of the database.
    /// - Parameter problems: receives what cannot be read.
    func source(_ files: MirrorFiles, _ problems: inout [ForeignProblem]) throws(StoreError) -> Source {
        let folder = files.root + "/state/unpacked-database"
        let mark = "\(file.inode) \(file.size) \(file.modified)"
        if MirrorFiles.text(folder + "/.whole") != SlackdumpArchive.seal(mark, folder) {
            try MirrorFiles.make(folder: files.root + "/state")
            Disk.remove(folder)
            try MirrorFiles.make(folder: folder)
            try write(into: folder)
            try MirrorFiles.replace(folder + "/.whole", by: SlackdumpArchive.seal(mark, folder))
        }
        if let log = MirrorFiles.size(path + "-wal"), log > 0 {
            problems.append(
                ForeignProblem(
                    file: file.path,
                    kind:
                        "changes that slackdump has not finished (in \(file.name)-wal) are not read; run slackdump again"
                ))
        }
        let prefix = file.folder.isEmpty ? "" : file.folder + "/"
        var names: [String: String] = [:]
        let made = try DiskSource.source(at: folder).files.map { part in
            names[prefix + part.path] = folder + "/" + part.path
            return SourceFile(path: prefix + part.path, size: part.size, modified: file.modified, inode: part.inode)
        }
        guard !plain.isFile else {
            return Source(name: plain.name, files: made, reader: DiskSource(root: folder, isFile: false))
        }
        let root = String(path.dropLast(file.path.utf8.count + 1))
        return Source(
            name: plain.name, files: plain.files.filter { $0 != file } + made, packed: plain.packed,
            reader: MixedSource(plain: DiskSource(root: root, isFile: false), unpacked: names))
    }

    /// A hash of the unpacked files, to detect changes.
    private static func seal(_ mark: String, _ folder: String) -> String {
        "\(mark) \(MirrorFiles.stamp(ofTree: folder))"
    }

    private func write(into folder: String) throws(StoreError) {
        let database = try ForeignDatabase(path: path)
        let members = Dictionary(
            grouping: try database.rows("SELECT DISTINCT CHANNEL_ID, USER_ID FROM CHANNEL_USER ORDER BY IDX") {
                (channel: $0.text(0), person: $0.text(1))
            }, by: \.channel)
        try SlackdumpArchive.write(
            database, "SELECT DATA FROM S_USER ORDER BY CHUNK_ID, IDX", to: folder + "/users.json")
        let channels = try database.rows("SELECT ID, NAME FROM CHANNEL ORDER BY CHUNK_ID") {
            (id: $0.text(0), name: $0.text(1))
        }
        var names: [String: String] = [:]
        for channel in channels where names[channel.id]?.isEmpty != false { names[channel.id] = channel.name }
        let spoken = try database.rows("SELECT DISTINCT CHANNEL_ID FROM MESSAGE") { $0.text(0) }
        for id in spoken where names[id] == nil { names[id] = "" }
        var lists: [String: [JSONText]] = ["channels": [], "mpims": [], "dms": []]
        for (id, name) in names.sorted(by: { $0.key < $1.key }) {
            // The ID becomes the name of a file.
            guard !id.isEmpty, id.utf8.allSatisfy({ $0 >= 0x30 && $0 < 0x3A || ($0 | 0x20) &- 0x61 < 26 }) else {
                continue
            }
            let kind = id.hasPrefix("D") ? "dms" : name.hasPrefix("mpdm-") ? "mpims" : "channels"
            let people = JSONText((members[id] ?? []).map(\.person))
            lists[kind]?.append(["id": JSONText(id), "name": JSONText(name), "members": people])
            try SlackdumpArchive.write(
                database, "SELECT DATA FROM MESSAGE WHERE CHANNEL_ID = ? ORDER BY CHUNK_ID, IDX", id,
                head: "{\"channel_id\":\(JSONText(id)),\"name\":\(JSONText(name)),\"messages\":[",
                end: "]}",
                to: "\(folder)/\(id).json")
        }
        for (list, records) in lists {
            try MirrorFiles.replace(
                "\(folder)/\(list).json", by: "[" + records.map(\.text).joined(separator: ",\n") + "]")
        }
    }

    /// Writes the records that a query returns as a JSON array.
    private static func write(
        _ database: ForeignDatabase, _ query: String, _ channel: String? = nil, head: String = "[", end: String = "]",
        to path: String
    ) throws(StoreError) {
        var file = try RecordFile(path + ".part")
        try file.append(Array(head.utf8))
        var lines: [UInt8] = []
        var isFirst = true
        try database.forEachRow(query, channel) { (row) throws(StoreError) in
            let record = row.bytes(0)
            // Text that is not a record would make the rest unreadable.
            guard record.first == UInt8(ascii: "{") else { return }
            lines += isFirst ? [10] : [UInt8(ascii: ","), 10]
            lines += record
            isFirst = false
            if lines.count > 1 << 20 {
                try file.append(lines)
                lines = []
            }
        }
        try file.append(lines + Array(end.utf8))
        try file.finish(as: path)
    }
}
