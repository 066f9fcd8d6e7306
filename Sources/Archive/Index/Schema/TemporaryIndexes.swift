import Glibc
internal import Synchronization

/// Indexes that are there as long as the process: where those of an archive cannot be kept.
///
/// Each lies in a folder of its own with a file that the process keeps locked. The system lets go of the lock however the
/// process ends, so that the next one which makes an index removes what others have left behind.
package enum TemporaryIndexes {
    /// The folders of this process, and the descriptors of their locks.
    private static let own = Mutex<[String: CInt]>([:])

    private static let prefix = "kedge-"
    /// The letters that mkdtemp puts behind the prefix.
    private static let letters = 6
    private static let lock = "in-use"
    /// A folder without a lock, which a process made and was killed before it had one, is removed when it is so old.
    private static let patience = 3_600

    static var parent: String {
        guard let path = getenv("TMPDIR").map({ String(cString: $0) }), path.hasPrefix("/") else { return "/tmp" }
        return path
    }

    /// A folder for one; nil when there is no room for it either.
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

    /// Removes a folder that was made here; any other is left alone.
    static func remove(_ folder: IndexFolder) {
        guard let descriptor = own.withLock({ $0.removeValue(forKey: folder.path) }) else { return }
        removeFiles(of: folder.path)
        close(descriptor)
    }

    /// At the end of the process, which does not wait for the threads that use them.
    package static func removeAll() {
        for path in own.withLock({ Array($0.keys) }) { remove(IndexFolder(path: path)) }
    }

    /// Removes what processes have left behind that were killed. One that is in use, or of another user, is left alone.
    static func removeAbandoned() {
        guard let folder = opendir(parent) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + letters else { continue }
            removeIfAbandoned(parent + "/" + name)
        }
    }

    private static func removeIfAbandoned(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            own.withLock({ $0[path] == nil })
        else { return }
        let descriptor = open(path + "/" + lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            // It is removed only when it is empty.
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

    /// A lock in a new folder, which is there under its name only when it is held: nobody finds it free in between.
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
