import Glibc
internal import Messages

/// Where the index of one archive lies: a folder of its own in the cache, which may be deleted at any time.
package struct IndexFolder: Sendable {
    package let path: String

    init(path: String) { self.path = path }

    /// - Parameters:
    ///   - cache: Kedge's folder in the cache.
    ///   - archive: the archive's one real path.
    package init(cache: String, archive: String) {
        // The name is for people, the hash tells archives of one name apart.
        let name = archive.split(separator: "/").last.map(String.init) ?? "root"
        let hash = String(IDHash(OpaqueID<IndexFolder>(archive)).value, radix: 16)
        path = "\(cache)/\(name.prefix(60))-\(hash)"
    }

    /// The records of all conversations.
    var records: String { path + "/records.db" }
    /// The words of all messages: apart, so that both are written at the same time.
    var words: String { path + "/words.db" }
    private var lock: String { path + "/lock" }

    /// Takes away what is in it.
    func removeAll() {
        WordSchema.database(in: self).remove()
        RecordSchema.database(in: self).remove()
        unlink(lock)
    }

    /// Makes the folder, readable by its owner alone: what is in an archive is nobody else's business.
    /// - Throws: why there can be none.
    func make() throws(StoreError) {
        if let failure = Folder.make(path) { throw IndexFolder.error(failure.code, failure.path) }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw IndexFolder.error(errno, path) }
    }

    private static func error(_ code: CInt, _ path: String) -> StoreError {
        .unavailable("\(path): cannot be written (\(String(cString: strerror(code))))")
    }

    /// Waits until no other process writes the index, and keeps all others from it meanwhile. The system lets go of the
    /// lock when a process dies.
    /// - Throws: why the lock cannot be had; what the closure throws.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw IndexFolder.error(errno, lock) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw IndexFolder.error(errno, lock) }
        }
        return try body()
    }
}
