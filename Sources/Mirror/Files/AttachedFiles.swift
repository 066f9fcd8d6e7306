internal import Archive
import Glibc
internal import Messages

/// The files of an export that its messages only name: pictures, recordings, documents. They are no part of the mirror; in a
/// zip they stay packed until somebody opens them.
struct AttachedFiles {
    /// The canonical path of the export.
    let source: String
    let files: MirrorFiles

    /// Whether the export is a zip, or another archive in one file.
    var isPacked: Bool {
        guard let status, status.st_mode & S_IFMT == S_IFREG, let plain = try? DiskSource.source(at: source) else {
            return false
        }
        return Unpacked.isPacked(plain)
    }

    /// The folder in which messages of an export that is not packed place their files.
    var folder: String {
        guard let status, status.st_mode & S_IFMT == S_IFREG else { return source }
        return String(source[..<(source.lastIndex(of: "/") ?? source.endIndex)])
    }

    private var status: stat? {
        var status = stat()
        return stat(source, &status) == 0 ? status : nil
    }

    /// Unpacks a file, unless it was unpacked before.
    /// - Returns: the folder in which it stands under its path. It is not there if the archive does not hold it.
    /// - Throws: `unreadable` for an archive that is damaged; `unavailable` without room.
    func unpack(_ path: String) throws(StoreError) -> String {
        guard let status else { throw .unreadable("\(source): \(String(cString: strerror(errno)))") }
        let all = files.root + "/state/attachments"
        // The files of an archive that was replaced are not these.
        let folder = "\(all)/\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec)"
        if MirrorFiles.size(folder) == nil { MirrorFiles.remove(all) }
        try MirrorFiles.make(folder: folder)
        if MirrorFiles.size(folder + "/" + path) == nil {
            try Unpacked.files([path], of: source, size: Int64(status.st_size), into: folder)
        }
        return folder
    }

    /// Copies files into an archive, to the paths that they have in the export. Files that are there stay as they are.
    /// - Parameter find: the path of a file of an export that is not packed; nil if it cannot be copied.
    /// - Returns: how many files were copied, and how many were found neither there nor in the export.
    func copy(
        _ paths: Set<String>, to archive: String, find: (_ path: String, _ folder: String) -> String?
    ) throws(StoreError) -> (copied: Int, missing: Int) {
        let wanted = paths.filter { Self.isFree($0) && MirrorFiles.size(archive + "/" + $0) == nil }
        guard !wanted.isEmpty else { return (0, 0) }
        if isPacked {
            try Unpacked.files(wanted, of: source, size: Int64(status?.st_size ?? 0), into: archive)
        } else {
            for path in wanted {
                guard let found = find(path, folder) else { continue }
                try Self.copy(found, to: archive + "/" + path)
            }
        }
        let copied = wanted.count { MirrorFiles.size(archive + "/" + $0) != nil }
        return (copied, wanted.count - copied)
    }

    /// Whether a path leads to a place inside an archive that is not one of the archive's own files.
    private static func isFree(_ path: String) -> Bool {
        guard let path = UnpackJob.enclosed(path), let first = path.split(separator: "/").first else { return false }
        return !["conversations", "archive.json", "people.json"].contains(first)
    }

    private static func copy(_ path: String, to target: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        try MirrorFiles.make(
            folder: String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)]), isPrivate: false)
        var file = try UnnamedFile(target + ".new")
        while true {
            let (bytes, code) = PositionedRead.bytes(of: descriptor, at: file.size, count: 1 << 20)
            guard code == 0 else { throw MirrorFiles.error(code, path) }
            if bytes.isEmpty { return try file.finish(as: target) }
            try file.append(bytes)
        }
    }
}
