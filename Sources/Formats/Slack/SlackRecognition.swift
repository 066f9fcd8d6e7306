internal import Files
internal import JSON

extension SlackFormat {
    /// The bytes that are read of a file, and the number of files that are tried in each folder.
    private static let read = 64 << 10
    private static let tried = 4
    /// The most files to check for a dump.
    private static let mostDumps = 64

    /// Paths show which files to read; their contents decide.
    func recognise(_ source: Source) -> Recognition {
        let exports = SlackExport.all(in: source)
        var hasBrokenDays = false
        for export in exports {
            switch SlackFormat.days(of: export, in: source) {
            case true?: return .certain
            case false?: hasBrokenDays = hasBrokenDays || export.hasIndex
            case nil: break
            }
        }
        if SlackFormat.hasDump(source) { return .certain }
        if hasBrokenDays { return .unsure("a Slack export whose day files contain no Slack messages") }
        if let export = exports.first(where: { SlackFormat.isIndex($0, in: source) }) {
            let isWhole = SlackIndex.lists.contains { source.file(export.folder + $0.name) != nil }
            return .unsure(
                isWhole
                    ? "a Slack export without the folders of its channels"
                    : "a Slack export without channels.json and the folders of its channels")
        }
        // A readable database was replaced by dump files before this.
        if source.files.contains(where: { $0.name == "slackdump.sqlite" }) {
            return .unsure("a slackdump archive that cannot be read; try `slackdump convert` to make an export of it")
        }
        return .no
    }

    /// True if the day files contain messages of Slack; nil if they contain nothing.
    private static func days(of export: SlackExport, in source: Source) -> Bool? {
        var answer: Bool?
        for files in export.days.values {
            for file in files.suffix(tried) {
                guard let bytes = try? source.read(file, count: read),
                    let isMessage = holdsMessage(bytes)
                else { continue }
                if isMessage { return true }
                answer = false
            }
        }
        return answer
    }

    /// True if an array begins with a message of Slack; nil for an empty array.
    private static func holdsMessage(_ bytes: [UInt8]) -> Bool? {
        bytes.withUnsafeBytes { bytes in
            let start = JSONRecords.start(of: bytes, count: bytes.count)
            var isEmpty = true
            // A record with unbalanced quotes swallows those after it, so it only ends with the bytes.
            let found = JSONRecords.first(in: Bytes(rebasing: bytes[start...]), isEnd: true) { record in
                isEmpty = false
                return record.map(isMessage) == true ? true : nil
            }
            return found ?? (isEmpty ? nil : false)
        }
    }

    private static func isMessage(_ record: JSONValue) -> Bool {
        guard let ts = record["ts"]?.bytes, ts.contains(UInt8(ascii: ".")), SlackTime(ts) != nil else { return false }
        return record["text"] != nil || record["user"] != nil || record["type"]?.bytes.map { $0 == "message" } == true
    }

    /// True if the index files are Slack's: other programs also have a `users.json`.
    private static func isIndex(_ export: SlackExport, in source: Source) -> Bool {
        guard export.hasIndex, export.days.isEmpty else { return false }
        for name in SlackIndex.peopleFiles + SlackIndex.lists.map(\.name) {
            guard let file = source.file(export.folder + name), let bytes = try? source.whole(file) else { continue }
            var isSlack = false
            _ = JSONRecords.forEach(in: bytes) { record in
                if let id = record["id"]?.bytes, let first = id.first, "CDGUW".utf8.contains(first), id.count >= 8,
                    id.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
                {
                    isSlack = true
                }
            }
            if isSlack { return true }
        }
        return false
    }

    private static func hasDump(_ source: Source) -> Bool {
        source.candidates(".json").prefix(mostDumps).contains {
            (try? SlackDump($0, in: source)) != nil
        }
    }
}

/// The files of an export: index files, and a folder for each conversation with a file for each day.
struct SlackExport {
    /// With "/" at its end, or empty for the root of the source.
    let folder: String
    /// The day files by the name of their folder, in order. The name is empty for day files in the root of the source.
    private(set) var days: [String: [SourceFile]] = [:]
    private(set) var hasIndex = false
    private(set) var hasUploads = false
    /// The folders that hold copies of files.
    private(set) var foldersWithFiles: Set<String> = []
    /// The last day, and the time of the newest file. They show which of several exports is the newest.
    private(set) var age: (day: String, modified: Int64) = ("", 0)

    private init(folder: String) { self.folder = folder }

    /// All folders of a source that may be exports, the oldest first.
    static func all(in source: Source) -> [SlackExport] {
        var found: [String: SlackExport] = [:]
        for file in source.files {
            guard let place = Place(file) else { continue }
            found[place.root, default: SlackExport(folder: place.root)].add(file, place)
        }
        for root in found.keys where found[root]?.hasIndex != true && found[root]?.days.isEmpty != false {
            found[root] = nil
        }
        return found.values.sorted {
            ($0.age.day, $0.age.modified, $0.folder) < ($1.age.day, $1.age.modified, $1.folder)
        }
    }

    private mutating func add(_ file: SourceFile, _ place: Place) {
        switch place.role {
        case .day(let folder):
            days[folder, default: []].append(file)
            age.day = max(age.day, String(file.name))
            age.modified = max(age.modified, file.modified)
        case .index:
            hasIndex = true
            age.modified = max(age.modified, file.modified)
        case .upload: hasUploads = true
        case .copy(let folder): foldersWithFiles.insert(folder)
        }
    }

    /// The role of a file in an export, by its path.
    private struct Place {
        enum Role {
            case day(String), index, upload
            /// A file of a conversation.
            case copy(String)
        }

        let root: String
        let role: Role

        init?(_ file: SourceFile) {
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            guard let name = parts.last, !parts.contains("__MACOSX"), !name.hasPrefix("._") else { return nil }
            func root(_ depth: Int) -> String {
                parts.count > depth ? parts.dropLast(depth).joined(separator: "/") + "/" : ""
            }
            if let at = parts.firstIndex(of: "__uploads") {
                (self.root, role) = (root(parts.count - at), .upload)
            } else if parts.count >= 3, parts[parts.count - 2] == "attachments" {
                (self.root, role) = (root(3), .copy(String(parts[parts.count - 3])))
            } else if Place.isDay(name) {
                (self.root, role) = (root(2), .day(parts.count > 1 ? String(parts[parts.count - 2]) : ""))
            } else if SlackIndex.lists.contains(where: { $0.name == name }) || name == "users.json"
                || name == "org_users.json"
            {
                (self.root, role) = (root(1), .index)
            } else {
                return nil
            }
        }

        /// `2016-01-16.json`
        private static func isDay(_ name: Substring) -> Bool {
            let bytes = name.utf8
            guard bytes.count == 15, name.hasSuffix(".json") else { return false }
            return bytes.prefix(10).enumerated().allSatisfy { index, byte in
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
            }
        }
    }
}

/// A dump by slackdump: one file for each conversation or thread, `{channel_id, name, thread_ts?, messages: […]}`.
struct SlackDump {
    let file: SourceFile
    let id: String
    let name: String
    /// The byte after the bracket of its messages.
    let start: Int64

    /// The maximum size of the fields before the messages.
    private static let longestHead = 4_096

    /// Nil if the file is not a dump.
    init?(_ file: SourceFile, in source: Source) throws(FileError) {
        guard file.size >= 20 else { return nil }
        let head = try source.read(file, count: SlackDump.longestHead)
        let found = JSONRecords.head(of: head, before: "messages") { fields -> (id: String, name: String)? in
            fields["channel_id"]?.string.flatMap { $0.isEmpty ? nil : ($0, fields["name"]?.string ?? "") }
        }
        guard let found else { return nil }
        self.file = file
        ((id, name), start) = (found.result, found.start)
    }

    /// All dumps of a source, the oldest first.
    static func all(in source: Source) throws(FileError) -> [SlackDump] {
        var found: [SlackDump] = []
        for file in source.candidates(".json") {
            if let dump = try SlackDump(file, in: source) { found.append(dump) }
        }
        return found.sorted { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
    }
}
