/// The folder of an export: index files, and a folder a conversation with a file a day.
struct SlackExport {
    /// With "/" at its end, unless it is the root of the source.
    let folder: String
    /// The files of days by the names of their folders, in the order of days. The name is empty for days that lie in the root of
    /// the source.
    private(set) var days: [String: [SourceFile]] = [:]
    private(set) var hasIndex = false
    private(set) var hasUploads = false
    /// The folders that hold copies of files.
    private(set) var foldersWithFiles: Set<String> = []
    /// The last day, and the time of the newest file, to tell which of several exports is the newest.
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

    /// The part of a file in an export, by its path alone.
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
