internal import Files
internal import Messages

/// The right to write into a conversation: `flock` on its folder while this value exists. The system releases it when
/// the process ends in any way.
///
/// The folder is opened step by step from the folder of the archive, so that no symbolic link inside the archive is
/// followed. Files are opened relative to the locked descriptor, so they are in exactly that folder.
struct FolderLock: ~Copyable {
    private let folder: OpenFile

    /// - Parameters:
    ///   - path: the folder of a conversation: `ARCHIVE/conversations/ID`.
    ///   - patience: the time to wait for other writers.
    /// - Throws: `notSent`
    init(_ path: String, patience: Duration) throws(StoreError) {
        do throws(FileError) {
            folder = try FolderLock.locked(path, LockPatience(limit: patience, stopped: patience))
        } catch {
            guard case .held(let holder) = error.cause else {
                throw StoreError(writing: FileError(.write, error.path, error.cause))
            }
            let seconds = patience.components.seconds
            throw .notSent(
                "\(path): locked for \(seconds) s by \(LockHolder.describe(holder)); send again when that is done")
        }
    }

    /// The path of the archive may contain symbolic links, since the user chose it.
    private static func locked(_ path: String, _ patience: LockPatience) throws(FileError) -> OpenFile {
        var folder = try OpenFile(folder: Disk.folder(of: Disk.folder(of: path)))
        for name in path.split(separator: "/").suffix(2) { folder = try folder.folder(String(name)) }
        try folder.lock(patience)
        return folder
    }

    /// Opens the file that was listed as the segment, to append to it. Refuses another file that now has its name, and a file
    /// with a second name (hard link), which may be outside the archive.
    /// - Throws: `notSent`
    func open(_ segment: Segment) throws(StoreError) -> OpenFile {
        do throws(FileError) {
            let file = try folder.appending(to: segment.name)
            let status = try file.status()
            if status.isFile, status.inode == segment.stamp.inode {
                if let cause = status.obstacle { throw FileError(.write, segment.path, cause) }
                return file
            }
        } catch {
            throw StoreError(writing: error)
        }
        throw .notSent("\(segment.path): was replaced by another file; send again")
    }

    /// Creates a file that does not exist yet.
    /// - Parameter neighbour: the new file gets the permissions of this one; without it, those of the folder.
    /// - Throws: `notSent`
    func create(_ name: String, like neighbour: String?) throws(StoreError) -> OpenFile {
        let mode = try neighbour.flatMap { path throws(StoreError) in try File.status(path)?.permissions }
        do throws(FileError) {
            let others = NewEntry.permissions(in: folder.path) & 0o066
            let file = try folder.creating(name, permissions: mode ?? others | 0o600)
            if let mode { file.setPermissions(mode) }
            return file
        } catch {
            throw StoreError(writing: error)
        }
    }

    /// Removes a file of the folder.
    func remove(_ name: String) { folder.remove(name) }

    /// Waits until the disk has the names of the files in the folder.
    /// - Throws: `notSent`
    func syncNames() throws(StoreError) {
        do throws(FileError) { try folder.syncNames() } catch { throw StoreError(writing: error) }
    }
}

extension OpenFile {
    /// Appends all bytes with one write, or none of them. When it returns, they are on the disk.
    /// - Throws: `notSent`
    func append(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) { try append(bytes, isSynced: true) } catch { throw StoreError(writing: error) }
    }
}
