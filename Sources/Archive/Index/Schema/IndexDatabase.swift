internal import SQLite
import Glibc

/// Describes one of the index's two databases: how to open it, and how to replace one that is broken or of another
/// version.
struct IndexDatabase: Sendable {
    let path: String
    /// A database of another version is not read but replaced.
    let version: Int64
    /// Creates the tables.
    let create: @Sendable (Database) throws -> Void

    /// The page size of SQLite in bytes. With larger pages there are fewer, which makes building the index a tenth
    /// faster.
    private static let pageSize = 8_192

    /// Opens the database for writing. Replaces a file that is not a database of this version by an empty database.
    /// - Parameter cache: the page cache in bytes.
    /// - Throws: the errors of SQLite for a folder that is not writable, or for a full disk.
    func writer(cache: Int) throws -> IndexConnection {
        do {
            return try openWriter(cache: cache)
        } catch let error as DatabaseError where IndexDatabase.isBroken(error) {
            remove()
            return try openWriter(cache: cache)
        }
    }

    /// Opens the database for reading; returns nil if there is none of this version.
    func reader(cache: Int) throws -> IndexConnection? {
        guard access(path, R_OK) == 0 else { return nil }
        // Readers can do without the index, so they do not wait long for a writer that may be stopped.
        let queue = try IndexConnection(
            path: path, for: .reading, timeout: 1_000, prepare: IndexDatabase.preparation(cache: cache))
        let found = try queue.read { try $0.first(Int64.self, "PRAGMA user_version") }
        return found == version ? queue : nil
    }

    /// Deletes the files. Processes that have the database open keep the old one.
    func remove() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Whether an error means that the file is damaged, so that only a new one helps.
    static func isBroken(_ error: DatabaseError) -> Bool {
        [.corrupt, .notADatabase, .error, .mismatch].contains(error.code)
    }

    private func openWriter(cache: Int) throws -> IndexConnection {
        // The page size takes effect only in an empty file. The index need not wait for the disk at each commit: after
        // a power failure, a WAL database is intact, though possibly older.
        let preparation = """
            PRAGMA page_size = \(IndexDatabase.pageSize); PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 0
            """
        makePrivate()
        // Writers lock the database only for the time of a commit, so waiting this long is enough.
        let queue = try IndexConnection(
            path: path, for: .writing, timeout: 10_000,
            prepare: IndexDatabase.preparation(cache: cache) + preparation)
        try queue.write { database in
            let found = try database.first(Int64.self, "PRAGMA user_version")
            if found == version { return }
            if try database.first(Int.self, "SELECT count(*) FROM sqlite_master") ?? 0 > 0 {
                throw DatabaseError(.notADatabase, "another version of the index")
            }
            try create(database)
            try database.run("PRAGMA user_version = \(version)")
        }
        return queue
    }

    /// Creates the file before SQLite does, accessible only to its owner: SQLite gives its log and shared memory the
    /// same permissions.
    private func makePrivate() {
        let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if new >= 0 { close(new) }
    }

    private static func preparation(cache: Int) -> String {
        "PRAGMA cache_size = -\(cache >> 10); PRAGMA cell_size_check = ON; "
    }
}
