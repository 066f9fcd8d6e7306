internal import Files
import Glibc
internal import Synchronization

/// Indexes that exist only as long as the process, for archives whose index cannot be saved.
///
/// Each has its own folder with a file that the process keeps locked. The system releases the lock when the process
/// ends in any way, so the next process that creates such an index removes abandoned ones.
package enum TemporaryIndexes {
    /// The folders of this process with the descriptors of their locks.
    private static let own = Mutex<[String: CInt]>([:])

    private static let prefix = "kedge-"
    /// The number of letters mkdtemp appends to the prefix.
    private static let letters = 6
    private static let lock = "in-use"
    /// The age in seconds from which on a folder without a lock file is removed. Its process was killed before it
    /// created the lock.
    private static let patience = 3_600

    static var parent: String {
        guard let path = getenv("TMPDIR").map({ String(cString: $0) }), path.hasPrefix("/") else { return "/tmp" }
        return path
    }

    /// Creates a folder; nil if that fails too.
    static func make() -> IndexFolder? {
        removeAbandoned()
        var template = Array((parent + "/" + prefix + String(repeating: "X", count: letters)).utf8CString)
        guard let made = mkdtemp(&template) else { return nil }
        let path = String(cString: made)
        guard let descriptor = locked(path) else {
            rmdir(path)
            return nil
        }
        own.withLock { $0[path] = descriptor }
        return IndexFolder(path: path)
    }

    static func contains(_ folder: IndexFolder) -> Bool { own.withLock { $0[folder.path] != nil } }

    /// Removes a folder that `make` created. Ignores any other folder.
    static func remove(_ folder: IndexFolder) {
        guard let descriptor = own.withLock({ $0.removeValue(forKey: folder.path) }) else { return }
        removeFiles(of: folder.path)
        close(descriptor)
    }

    /// Removes all folders at the end of the process, without waiting for the threads that use them.
    package static func removeAll() {
        for path in own.withLock({ Array($0.keys) }) { remove(IndexFolder(path: path)) }
    }

    /// Removes the folders of killed processes. Skips folders that are in use or belong to another user.
    static func removeAbandoned() {
        try? Disk.forEachEntry(of: parent) { entry in
            if entry.name.hasPrefix(prefix), entry.name.utf8.count == prefix.utf8.count + letters {
                removeIfAbandoned(parent + "/" + entry.name)
            }
            return true
        }
    }

    private static func removeIfAbandoned(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            own.withLock({ $0[path] == nil })
        else { return }
        let descriptor = open(path + "/" + lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            // `rmdir` removes only an empty folder.
            if time(nil) - status.st_mtim.tv_sec > patience { rmdir(path) }
            return
        }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { removeFiles(of: path) }
    }

    private static func removeFiles(of path: String) {
        IndexFolder(path: path).removeAll()
        unlink(path + "/" + lock)
        rmdir(path)
    }

    /// Creates and locks a file in a new folder. The file gets its final name after it is locked, so no process can
    /// find it unlocked.
    private static func locked(_ path: String) -> CInt? {
        let new = path + "/" + lock + ".new"
        let descriptor = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(new, path + "/" + lock) == 0 else {
            close(descriptor)
            unlink(new)
            return nil
        }
        return descriptor
    }
}
