import Glibc
internal import Locks
internal import Messages
internal import Words

/// Where the index of one archive lies: a folder of its own in the cache, which may be deleted at any time.
package struct IndexFolder: Sendable {
    package let path: String

    /// Kedge's folder in the cache, in which it lies; nil where it lies elsewhere.
    private let cache: String?

    init(path: String) {
        self.path = path
        cache = nil
    }

    /// - Parameters:
    ///   - cache: Kedge's folder in the cache; nil where there is no home for one.
    ///   - archive: the archive's one real path.
    package init(cache: String?, archive: String) {
        self.cache = cache
        guard let cache else {
            // Nothing can be there, nor be made there.
            path = "/dev/null/kedge"
            return
        }
        // The name is for people, the hash tells archives of one name apart.
        let name = archive.split(separator: "/").last.map(String.init) ?? "root"
        let hash = String(IDHash(OpaqueID<IndexFolder>(archive)).value, radix: 16)
        path = "\(cache)/\(name.prefix(60))-\(hash)"
    }

    /// The records of all conversations.
    var records: String { path + "/records.db" }
    var recordDatabase: IndexDatabase {
        IndexDatabase(path: records, version: RecordSchema.version, create: RecordSchema.create)
    }
    /// The words of all messages: apart, so that both are written at the same time.
    var words: WordFolder { WordFolder(path) }
    private var lock: String { path + "/lock" }

    /// Takes away what is in it.
    func removeAll() {
        words.removeAll()
        recordDatabase.remove()
        unlink(lock)
    }

    // MARK: - The index that takes the place of the former one

    /// Where an index is made anew, as long as the former one is in use. Only who holds the lock uses it.
    var renewed: IndexFolder { IndexFolder(path: path + "/new") }

    /// Removes what a process left there that was killed.
    func removeRenewed() {
        let new = renewed
        new.words.removeAll()
        new.recordDatabase.remove()
        rmdir(new.path)
    }

    /// Puts the new index in the place of the former one. Whoever has that open still sees it.
    ///
    /// The former records go with their log before the new ones take their name: SQLite would read the log of the former as
    /// that of the new ones. The words go first: words of other records count for nothing, so that no reader mixes both.
    /// - Throws: why it cannot be done.
    func takeRenewed() throws(StoreError) {
        let new = renewed
        // A log that is left holds what did not fit into its database.
        let log = new.records + "-wal"
        if access(log, F_OK) == 0 {
            throw .unavailable("\(log): could not be brought into the new index; make room on the disk")
        }
        do throws(WordFault) { try words.take(new.words) } catch { throw .unavailable("\(error)") }
        recordDatabase.remove()
        guard rename(new.records, records) == 0 else { throw IndexFolder.error(errno, records) }
        rmdir(new.path)
    }

    // MARK: - The folder

    /// Takes from others what they may do with what is there: it tells what is in an archive, and what others can write may
    /// say anything. Done by names, for to open and close a database would let go of the locks that this process has on it;
    /// no symbolic link is followed.
    /// - Throws: which folder or file belongs to another user: then nothing of the index is to be used.
    func closeToOthers() throws(StoreError) {
        // The folders come first: then nobody else can change what stands in them.
        for folder in [cache, path, renewed.path].compactMap({ $0 }) { try IndexFolder.closeToOthers(folder) }
        for suffix in ["", "-wal", "-shm"] { try IndexFolder.closeToOthers(records + suffix) }
        for file in words.files + [lock] { try IndexFolder.closeToOthers(file) }
    }

    private static func closeToOthers(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_uid == geteuid() else { throw error(EPERM, path) }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // A folder that others share on purpose, as /tmp, is none of Kedge's own.
        guard isFolder && status.st_mode & S_ISVTX == 0 || status.st_mode & S_IFMT == S_IFREG else { return }
        if status.st_mode & 0o077 != 0 { chmod(path, status.st_mode & (isFolder ? 0o700 : 0o600)) }
    }

    /// Makes the folder, readable by its owner alone: what is in an archive is nobody else's business.
    /// - Throws: why there can be none.
    func make() throws(StoreError) {
        if path.hasPrefix("/dev/null/") { throw .unavailable("there is no home for it (set HOME or XDG_CACHE_HOME)") }
        // The one that it lies in, too: it names the archives.
        for folder in [cache, path].compactMap({ $0 }) {
            if let failure = Folder.make(folder) { throw IndexFolder.error(failure.code, failure.path) }
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw IndexFolder.error(errno, path) }
        try closeToOthers()
    }

    private static func error(_ code: CInt, _ path: String) -> StoreError {
        if code == EPERM { return .unavailable("\(path): belongs to another user") }
        if code == ENOSPC { return .unavailable("\(path): the disk is full; make room") }
        return .unavailable("\(path): cannot be written (\(String(cString: strerror(code))))")
    }

    /// Waits until no other process writes the index, and keeps all others from it meanwhile. The system lets go of the
    /// lock when a process dies.
    /// - Throws: `IndexLocked` when the patience is over; why the lock cannot be had; what the closures throw.
    func withLock<Result>(_ patience: LockPatience, _ body: () throws -> Result) throws -> Result {
        let descriptor = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw IndexFolder.error(errno, lock) }
        defer { close(descriptor) }
        // One of an earlier version may be open to others, who could hold the lock.
        fchmod(descriptor, 0o600)
        try wait(for: descriptor, patience)
        note(getpid(), in: descriptor)
        return try body()
    }

    private func wait(for descriptor: CInt, _ patience: LockPatience) throws {
        var patience = patience
        let tell = patience.onWait
        patience.onWait = { tell("waiting for the index, which is locked by \($0)") }
        do {
            try FileLock.take(descriptor, patience) { noted(in: descriptor) }
        } catch FileLock.Failure.system(let code) {
            throw IndexFolder.error(code, lock)
        } catch FileLock.Failure.held(let holder) {
            throw IndexLocked(folder: path, holder: holder)
        }
    }

    /// For those who wait, where the system does not tell who holds it.
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
