internal import Files
import Glibc
internal import Index
internal import Messages

/// The folder with the index of one archive. It is in the cache and may be deleted at any time.
package struct IndexFolder: Sendable {
    package let path: String

    /// Kedge's folder in the cache, which contains this one; nil for a folder elsewhere.
    private let cache: String?

    init(path: String) {
        self.path = path
        cache = nil
    }

    /// - Parameters:
    ///   - cache: Kedge's folder in the cache; nil if there is none.
    ///   - archive: the canonical path of the archive.
    package init(cache: String?, archive: String) {
        self.cache = cache
        guard let cache else {
            // A path at which nothing can exist or be created.
            path = "/dev/null/kedge"
            return
        }
        // The name helps people; the hash distinguishes archives with the same name.
        let name = archive.split(separator: "/").last.map(String.init) ?? "root"
        let hash = String(IDHash(OpaqueID<IndexFolder>(archive)).value, radix: 16)
        path = "\(cache)/\(name.prefix(60))-\(hash)"
    }

    /// The records and the words of all conversations.
    var files: IndexFiles { IndexFiles(path) }
    private var lock: String { path + "/lock" }

    /// Deletes the content of the folder.
    func removeAll() {
        removeIndex()
        unlink(lock)
    }

    /// Deletes the index. Processes that have it open keep it.
    func removeIndex() {
        files.removeAll()
        removeFormer()
    }

    /// Deletes the database of an earlier version of Kedge.
    func removeFormer() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + "/records.db" + suffix) }
    }

    // MARK: - Rebuilding

    /// The folder in which a new index is built while the old one is in use. Only the holder of the lock uses it.
    var renewed: IndexFolder { IndexFolder(path: path + "/new") }

    /// Deletes the new index of a process that was killed.
    func removeRenewed() { Disk.remove(renewed.path) }

    /// Replaces the index by the new one. Processes that have the old one open keep it.
    func takeRenewed() throws(IndexFault) {
        try files.take(renewed.files)
        removeRenewed()
    }

    // MARK: - Permissions and locks

    /// Removes the permissions of other users: the index contains the texts of the archive, and files that others can
    /// write cannot be trusted. Follows no symbolic links.
    /// - Throws: the folder or file that belongs to another user. The index must not be used then.
    func closeToOthers() throws(StoreError) {
        // Folders first: after that, no other user can replace the files in them.
        for folder in [cache, path, renewed.path].compactMap({ $0 }) { try IndexFolder.closeToOthers(folder) }
        for entry in (try? Disk.entries(of: path)) ?? [] where !entry.isHidden {
            try IndexFolder.closeToOthers(path + "/" + entry.name)
        }
    }

    /// The user of this process, who stays the same.
    private static let user = geteuid()

    private static func closeToOthers(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_uid == user else { throw error(EPERM, path) }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // A folder with the sticky bit, such as /tmp, is shared on purpose and stays so.
        guard isFolder && status.st_mode & S_ISVTX == 0 || status.st_mode & S_IFMT == S_IFREG else { return }
        if status.st_mode & 0o077 != 0 { chmod(path, status.st_mode & (isFolder ? 0o700 : 0o600)) }
    }

    /// Creates the folder, accessible only to its owner, since the index reveals the content of the archive.
    /// - Throws: `unavailable` with the reason.
    func make() throws(StoreError) {
        if path.hasPrefix("/dev/null/") { throw .unavailable("no cache folder: set HOME or XDG_CACHE_HOME") }
        // The cache folder is private too, because the names in it reveal the archives.
        for folder in [cache, path].compactMap({ $0 }) {
            do throws(FileError) { try Disk.makeFolder(folder) } catch {
                throw IndexFolder.error(error.code, error.path)
            }
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw IndexFolder.error(errno, path) }
        try closeToOthers()
    }

    private static func error(_ code: CInt, _ path: String) -> StoreError {
        if code == EPERM { return .unavailable("\(path): belongs to another user") }
        if code == ENOSPC { return .unavailable("\(path): the disk is full; make room") }
        return .unavailable("\(path): cannot be written (\(String(cString: strerror(code))))")
    }

    /// Runs `body` while no other process writes the index. The system releases the lock if the process dies.
    /// - Throws: `IndexFault.locked` after the patience is over; the reason why the lock file cannot be used; the errors of
    ///   the closures.
    func withLock<Result>(_ patience: LockPatience, _ body: () throws -> Result) throws -> Result {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        var descriptor = open(lock, flags, 0o600)
        if descriptor < 0, errno == EISDIR {
            Disk.remove(lock)
            descriptor = open(lock, flags, 0o600)
        }
        guard descriptor >= 0 else { throw IndexFolder.error(errno, lock) }
        defer { close(descriptor) }
        // Another user could hold the lock of a file that an earlier version made accessible to all.
        fchmod(descriptor, 0o600)
        try wait(for: descriptor, patience)
        note(getpid(), in: descriptor)
        return try body()
    }

    private func wait(for descriptor: CInt, _ patience: LockPatience) throws {
        var patience = patience
        let report = patience.onWait
        patience.onWait = { report("waiting for the index, which is locked by \($0)") }
        do {
            try FileLock.take(descriptor, lock, patience) { noted(in: descriptor) }
        } catch let error as FileError {
            if case .held(let holder) = error.cause { throw IndexFault.locked(folder: path, by: holder) }
            throw IndexFolder.error(error.code, lock)
        }
    }

    /// Writes the process ID into the lock file, for waiting processes on systems that do not report the holder.
    private func note(_ process: pid_t, in descriptor: CInt) {
        let text = Array("\(process)\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private func noted(in descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}

extension LockPatience {
    /// For callers that can read the files instead.
    static let short = LockPatience(limit: .seconds(2))
    /// For callers that need the index: to build one for ten million messages takes minutes.
    static let long = LockPatience(limit: .seconds(600))
}

extension IndexFault {
    /// True if another process did not release the index in time.
    var isLocked: Bool { if case .locked = self { true } else { false } }

    /// True if an error means that files of the index are damaged.
    static func isDamage(_ error: any Error) -> Bool {
        if case .damaged = error as? IndexFault { true } else { false }
    }
}

extension StoreError {
    /// The error to report for an index that cannot be saved.
    static func savingIndex(_ reason: String) -> StoreError { .unavailable("the index cannot be saved: \(reason)") }

    /// The error to report for an index that cannot be read: `unreadable` if it is damaged and must be rebuilt;
    /// otherwise `unavailable`.
    static func readingIndex(_ error: any Error) -> StoreError {
        let isLasting = IndexFault.isDamage(error) || !(error is IndexFault)
        let text = "the index cannot be read: \(error)"
        return isLasting ? .unreadable(text) : .unavailable(text)
    }
}
