internal import Archive
internal import ArchiveFormat
internal import Files
internal import Messages

/// The attachments of an export: pictures, recordings, documents. They are not part of the mirror; in a zip they stay packed
/// until they are opened.
struct AttachedFiles {
    /// The canonical path of the export.
    let source: String
    let files: MirrorFiles

    /// True if the export is a zip, or another archive in one file.
    var isPacked: Bool {
        guard let status, status.isFile, let plain = try? DiskSource.source(at: source) else {
            return false
        }
        return Unpacked.isPacked(plain)
    }

    /// The folder to which paths of attachments are relative, if the export is not packed.
    var folder: String {
        guard let status, status.isFile else { return source }
        return String(source[..<(source.lastIndex(of: "/") ?? source.endIndex)])
    }

    private var status: FileStatus? { try? Disk.existing(source) }

    /// Unpacks a file, unless it has been unpacked before.
    /// - Returns: the folder that contains the file at its path. The file is missing if the archive does not contain it.
    /// - Throws: `unreadable` if the archive is damaged; `unavailable` if the disk is full.
    func unpack(_ path: String) throws(StoreError) -> String {
        let status: FileStatus
        do throws(FileError) { status = try Disk.existing(source) } catch {
            throw .unreadable("\(source): \(error.reason)")
        }
        let all = files.root + "/state/attachments"
        // Files of an older archive at the same path are removed.
        let folder = "\(all)/\(status.inode)-\(status.size)-\(status.modified.seconds)"
        if (try? Disk.existing(folder))?.isFolder != true { Disk.remove(all) }
        try MirrorFiles.make(folder: folder)
        if MirrorFiles.size(folder + "/" + path) == nil {
            try Unpacked.files([path], of: source, size: status.size, into: folder)
        }
        return folder
    }

    /// Copies files to the same paths in an archive. Existing files are kept.
    /// - Parameter find: returns the path of a file in an export that is not packed; nil if it cannot be copied.
    /// - Returns: the number of copied files, and the number of files that are in neither place.
    func copy(
        _ paths: Set<String>, to archive: String, find: (_ path: String, _ folder: String) -> String?
    ) throws(StoreError) -> (copied: Int, missing: Int) {
        let wanted = paths.filter { Self.isFree($0) && MirrorFiles.size(archive + "/" + $0) == nil }
        guard !wanted.isEmpty else { return (0, 0) }
        if isPacked {
            try Unpacked.files(wanted, of: source, size: status?.size ?? 0, into: archive)
        } else {
            for path in wanted {
                guard let found = find(path, folder) else { continue }
                try Self.copy(found, to: archive + "/" + path)
            }
        }
        let copied = wanted.count { MirrorFiles.size(archive + "/" + $0) != nil }
        return (copied, wanted.count - copied)
    }

    /// True if a path leads into an archive, but to none of the archive's own files.
    private static func isFree(_ path: String) -> Bool {
        guard let path = OutsideName.enclosed(path), let first = path.split(separator: "/").first else { return false }
        return !ArchivePaths.names.contains(String(first))
    }

    private static func copy(_ path: String, to target: String) throws(StoreError) {
        try MirrorFiles.make(folder: Disk.folder(of: target), isPrivate: false)
        do throws(FileError) {
            try Disk.copy(path, to: target)
        } catch {
            // A file that cannot be read counts as missing.
            if error.action == .write { throw MirrorFiles.error(error) }
        }
    }
}
