internal import Files
internal import JSON

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
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : byte.isDigit
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
        let found = JSONRecords.head(of: head) { fields -> (id: String, name: String)? in
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
