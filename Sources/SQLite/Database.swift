internal import CSQLite

/// A connection to a database. The last reference closes it.
///
/// It is not `Sendable`: SQLite is opened without locks of its own, and the compiler ensures that two threads never use
/// the same connection at a time.
package final class Database {
    package enum Access {
        case reading
        /// Creates the file when it does not exist.
        case writing
    }

    private let handle: OpaquePointer
    /// Prepared statements by their SQL: preparing a statement takes ten times as long as running it.
    private var statements: [String: OpaquePointer] = [:]

    /// The first `user_version` of databases whose pages have checksums. Older ones can only be recognised.
    package static let firstChecked: Int32 = 14

    /// The layer that checks pages. Evaluated before the process opens its first connection.
    private static let files: String? = {
        csqlite_disable_statistics()
        return csqlite_checked_files(firstChecked).map { String(cString: $0) }
    }()

    /// - Parameter timeout: how long to wait for a lock of another connection, in milliseconds.
    /// - Throws: `DatabaseError`. A file that is not a database fails only when it is first read.
    package convenience init(path: String, for access: Access, timeout: Int32) throws {
        let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try self.init(path, mode, files: Database.files)
        sqlite3_busy_timeout(handle, timeout)
        csqlite_reserve_checksums(handle)
    }

    /// Opens a database of another program, which nobody changes meanwhile. Makes no file beside it, and locks none: what a log beside
    /// it holds is not read.
    /// - Throws: `DatabaseError`.
    package convenience init(foreign path: String) throws {
        // A question mark and the like have a meaning in an address.
        let plain = path.utf8.map { byte -> String in
            let isPlain = byte >= 0x2D && byte < 0x3A || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        try self.init("file:\(plain.joined())?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, files: nil)
    }

    private init(_ name: String, _ mode: Int32, files: String?) throws {
        // Evaluated before the first connection.
        _ = Database.files
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, mode | SQLITE_OPEN_NOMUTEX, files)
        guard let opened, code == SQLITE_OK else {
            let error = DatabaseError(
                extendedCode: code, String(cString: opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        csqlite_refuse_quoted_strings(handle)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs a transaction that reads: `body` sees one state of the database.
    /// - Throws: as `body`, and `DatabaseError`.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try transaction("BEGIN DEFERRED", body)
    }

    /// Runs a transaction that writes: all of it happens, or nothing when `body` throws.
    /// - Throws: as `body`, and `DatabaseError`.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try transaction("BEGIN IMMEDIATE", body)
    }

    private func transaction<Result>(_ begin: String, _ body: (Database) throws -> Result) throws -> Result {
        try statement(begin).run()
        do {
            let result = try body(self)
            resetStatements()
            try statement("COMMIT").run()
            return result
        } catch {
            resetStatements()
            // SQLite has rolled back by itself after some errors. The first error is the one that counts.
            if sqlite3_get_autocommit(handle) == 0 { try? statement("ROLLBACK").run() }
            throw error
        }
    }

    /// A statement that was not read to its end would keep the transaction open.
    private func resetStatements() {
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
            next = sqlite3_next_stmt(handle, statement)
        }
    }

    /// Runs any number of statements, separated by semicolons, and ignores their rows.
    /// - Throws: `DatabaseError`; the statements before the one that failed have been run.
    package func runAll(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError }
    }

    /// A statement with nothing bound. The same SQL gives the same statement.
    /// - Throws: `DatabaseError`.
    package func statement(_ sql: String) throws -> Statement {
        if let known = statements[sql] {
            sqlite3_reset(known)
            sqlite3_clear_bindings(known)
            return Statement(known, of: self)
        }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw lastError }
        // Nil without an error: the text holds no statement.
        guard let prepared else { throw DatabaseError(.error, "not a statement: \(sql)") }
        statements[sql] = prepared
        return Statement(prepared, of: self)
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    /// The ID of the row that was inserted last.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    var lastError: DatabaseError {
        DatabaseError(extendedCode: sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
    }
}
