import Glibc
internal import Messages

/// The content of archive.json.
struct ArchiveLabel {
    static let version: Int64 = 1

    let name: String?
    let me: PersonID?
    /// The kind of server whose account the archive mirrors, such as `matrix`; nil for any other archive.
    let server: String?

    /// - Throws: `unreadable` if the folder is not an archive that Kedge can read. The error names the path, the cause
    ///   and a remedy.
    init(folder path: String) throws(StoreError) {
        try ArchiveLabel.check(folder: path)
        let file = path + "/archive.json"
        guard try FileStamp.of(file) != nil else {
            let reason = File.obstacle(file).map { "archive.json is \($0)" } ?? "it has no archive.json"
            throw .unreadable("\(path): not an archive (\(reason)); name another folder with --archive")
        }
        let content = try SmallFile(file, limit: 1 << 20)
        let reader = JSONReader(names: "format version name me server")
        let fields: Fields
        do {
            fields = try reader.object(content.slice)
        } catch {
            if error == .noMemory { throw .noMemory }
            throw .unreadable("\(file): not a JSON object; repair it, or restore it from a copy")
        }
        guard fields.text(0) == "kedge" else {
            let format = fields.text(0).map { "the format \"\(printable($0))\"" } ?? "no format"
            throw .unreadable("\(file): says \(format), not \"kedge\"; name another folder with --archive")
        }
        guard let version = fields.integer(1) else {
            throw .unreadable("\(file): says no version; repair it, or restore it from a copy")
        }
        guard version == ArchiveLabel.version else {
            throw .unreadable("\(file): version \(version), but this Kedge reads version 1; use another Kedge")
        }
        name = fields.text(2)
        me = fields.text(3).map { PersonID($0) }
        server = fields.text(4)
    }

    private static func check(folder path: String) throws(StoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .unreadable("\"\(printable(path))\": no path of a folder; name an archive with --archive")
        }
        guard let status = try File.status(path) else {
            throw .unreadable("\(path): there is no such folder; name an archive with --archive")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .unreadable("\(path): not a folder; name an archive with --archive")
        }
        guard access(path, R_OK | X_OK) == 0 else { throw File.error(errno, path) }
    }
}
