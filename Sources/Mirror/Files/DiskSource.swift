internal import Files
internal import Formats
import Glibc
internal import Messages

/// Reads the files of an export from the disk. Follows no symbolic link except for the path that the user named.
struct DiskSource: SourceReading {
    /// The canonical path of the folder, or of the file if the source is one file.
    let root: String
    let isFile: Bool

    /// More files than any export has: the user may have named a whole disk by mistake.
    private static let mostFiles = 1_000_000
    /// With this many files and folders, the source is read only if its top contains an export.
    static let manyEntries = 20_000
    private static let deepest = 16

    /// Lists a source, and ignores files that cannot be read.
    static func source(at root: String) throws(StoreError) -> Source {
        var problems: [ForeignProblem] = []
        return try source(at: root, &problems)
    }

    /// Lists a source.
    /// - Throws: `unreadable` if there is nothing to read at the path.
    /// - Parameters:
    ///   - problems: receives the files that cannot be read.
    ///   - isWanted: returns true if the files listed so far contain an export. Called once, and only for a very large folder,
    ///     such as a home or a whole disk named by mistake.
    static func source(
        at root: String, _ problems: inout [ForeignProblem], isWanted: (Source) -> Bool = { _ in true }
    ) throws(StoreError) -> Source {
        let status: FileStatus
        do throws(FileError) {
            status = try Disk.existing(root)
            if status.isFile { try checkAccess(root) }
        } catch {
            throw .unreadable("\(root): \(error.reason)")
        }
        guard status.isFile || status.isFolder else {
            throw .unreadable("\(root): neither a folder nor a regular file; name an export or an archive")
        }
        if status.isFile {
            let name = String(root.split(separator: "/").last ?? "")
            return Source(
                name: name, files: [file(name, status)], isFile: true, reader: DiskSource(root: root, isFile: true))
        }
        var (files, folders, depth, entries, isAsked) = ([SourceFile](), [""], 0, 0, false)
        func source() -> Source {
            Source(
                name: String(root.split(separator: "/").last ?? "/"), files: files,
                reader: DiskSource(root: root, isFile: false))
        }
        // Folders at the top come first, since they show what the source is.
        while !folders.isEmpty {
            var below: [String] = []
            for folder in folders {
                try list(root, folder, depth: depth, into: &files, &below, &problems)
                entries += 1
                guard !isAsked, files.count + entries + below.count > manyEntries else { continue }
                isAsked = true
                guard isWanted(source()) else {
                    throw .unreadable(
                        "\(root): holds more than \(manyEntries) files and folders, and none at its top belongs to an "
                            + "export that Kedge reads; name the folder of one export")
                }
            }
            (folders, depth) = (depth < deepest ? below : [], depth + 1)
        }
        return source()
    }

    private static func checkAccess(_ path: String) throws(FileError) {
        guard access(path, R_OK) == 0 else { throw FileError(.read, path, code: errno) }
    }

    /// The current state of a file; nil if it no longer exists.
    func status(_ path: String) -> SourceFile? {
        guard let status = try? Disk.existing(isFile ? root : root + "/" + path, follows: false), status.isFile else {
            return nil
        }
        return DiskSource.file(path, status)
    }

    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            return try OpenFile(reading: isFile ? root : root + "/" + file.path, follows: isFile)
                .bytes(at: offset, count: count)
        } catch {
            throw FileError(.read, file.path, error.cause)
        }
    }

    /// The source with the current states of the files of these feeds.
    static func refreshed(_ source: Source, at root: String, _ feeds: [Feed]) -> (source: Source, changed: Bool) {
        let disk = DiskSource(root: root, isFile: source.isFile)
        var new: [String: SourceFile] = [:]
        for feed in feeds where feed.grows {
            guard let old = source.file(feed.file), let now = disk.status(feed.file), now != old else { continue }
            new[feed.file] = now
        }
        guard !new.isEmpty else { return (source, false) }
        return (source.updated(new), true)
    }

    private static func file(_ path: String, _ status: FileStatus) -> SourceFile {
        SourceFile(
            path: path, size: status.size,
            modified: Int64(status.modified.seconds) * 1_000_000_000 + Int64(status.modified.nanoseconds),
            inode: status.inode)
    }

    private static func list(
        _ root: String, _ folder: String, depth: Int, into files: inout [SourceFile], _ folders: inout [String],
        _ problems: inout [ForeignProblem]
    ) throws(StoreError) {
        do throws(FileError) {
            try Disk.forEachEntry(of: folder.isEmpty ? root : root + "/" + folder) { entry in
                guard !entry.isHidden else { return true }
                let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
                guard entry.isText else {
                    problems.append(ForeignProblem(file: entry.name, kind: "its name is not UTF-8; rename it"))
                    return true
                }
                guard let status = try? Disk.existing(root + "/" + path, follows: false) else { return true }
                if status.isFolder { folders.append(path) }
                guard status.isFile else { return true }
                do throws(FileError) {
                    try checkAccess(root + "/" + path)
                    files.append(file(path, status))
                } catch {
                    problems.append(ForeignProblem(file: path, kind: error.reason))
                }
                return files.count <= mostFiles
            }
        } catch {
            // A folder that cannot be read does not hide the others.
            guard depth == 0 else { return problems.append(ForeignProblem(file: folder, kind: error.reason)) }
            throw .unreadable("\(root): \(error.reason)")
        }
        guard files.count <= mostFiles else {
            throw .unreadable("\(root): has more than a million files; name the folder of one export")
        }
    }
}

/// Reads a folder, some of whose files are unpacked elsewhere.
struct MixedSource: SourceReading {
    let plain: DiskSource
    /// The unpacked files, by their paths in the source.
    let unpacked: [String: String]

    func read(_ file: SourceFile, at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        guard let path = unpacked[file.path] else { return try plain.read(file, at: offset, count: count) }
        return try DiskSource(root: path, isFile: true).read(file, at: offset, count: count)
    }
}
