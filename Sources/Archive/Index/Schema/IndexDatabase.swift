internal import SQLite
import Glibc

/// One of the two databases of the index: how it is opened, and made anew when it is of another version or broken.
struct IndexDatabase: Sendable {
    let path: String
    /// Another one is not read: the database is then made anew.
    let version: Int64
    /// Makes the tables.
    let create: @Sendable (Database) throws -> Void

    /// A page of SQLite, in bytes: larger ones are fewer, which makes building faster by a tenth.
    private static let pageSize = 8_192

    /// For writing. What is no database of this version gives way to an empty one.
    /// - Parameter cache: kept in memory, in bytes.
    /// - Throws: what SQLite says of a folder that cannot be written, or of a full disk.
    func writer(cache: Int) throws -> IndexConnection {
        do {
            return try openWriter(cache: cache)
        } catch let error as DatabaseError where IndexDatabase.isBroken(error) {
            remove()
            return try openWriter(cache: cache)
        }
    }

    /// For reading; nil when there is none of this version.
    func reader(cache: Int) throws -> IndexConnection? {
        guard access(path, R_OK) == 0 else { return nil }
        // Whoever reads can do without, and must not wait for a process that is stopped.
        let queue = try IndexConnection(
            path: path, for: .reading, timeout: 1_000, prepare: IndexDatabase.preparation(cache: cache))
        let found = try queue.read { try $0.first(Int64.self, "PRAGMA user_version") }
        return found == version ? queue : nil
    }

    /// Whoever has it open still sees the old one.
    func remove() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Whether an error means that the file is not what it should be, so that only a new one helps.
    static func isBroken(_ error: DatabaseError) -> Bool {
        [.corrupt, .notADatabase, .error, .mismatch].contains(error.code)
    }

    private func openWriter(cache: Int) throws -> IndexConnection {
        // The first one counts only in an empty file. Nothing here is worth waiting for the disk at each commit: after
        // a power cut WAL is whole, if a little older.
        let preparation = """
            PRAGMA page_size = \(IndexDatabase.pageSize); PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 0
            """
        makePrivate()
        // Writers hold the database for the time of a commit.
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

    /// Makes the file before SQLite does, for its owner alone: the log and the shared memory beside it become as it is.
    private func makePrivate() {
        let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if new >= 0 { close(new) }
    }

    private static func preparation(cache: Int) -> String {
        "PRAGMA cache_size = -\(cache >> 10); PRAGMA cell_size_check = ON; "
    }
}
