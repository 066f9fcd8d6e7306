internal import CSQLite

/// A connection to a database, closed with its last reference.
///
/// It is not `Sendable`: SQLite is told to take no locks of its own, and the compiler sees to it that two threads never use
/// the same connection at a time.
package final class Database {
    package enum Access {
        case reading
        /// Makes the file when it is not there.
        case writing
    }

    private let handle: OpaquePointer
    /// Prepared once, by their SQL: to prepare one takes ten times as long as to run it.
    private var statements: [String: OpaquePointer] = [:]

    /// Before the first connection of the process.
    private static let hasNoStatistics: Void = csqlite_disable_statistics()

    /// - Parameter timeout: how long to wait for a lock of another connection, in milliseconds.
    /// - Throws: `DatabaseError`. Whether the file is a database shows only when it is first read.
    package init(path: String, for access: Access, timeout: Int32) throws {
        _ = Database.hasNoStatistics
        let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, code == SQLITE_OK else {
            let error = DatabaseError(
                extendedCode: code, String(cString: opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, timeout)
        csqlite_refuse_quoted_strings(handle)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// A transaction that reads: all of it sees the same state.
    /// - Throws: as `body`, and `DatabaseError`.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try transaction("BEGIN DEFERRED", body)
    }

    /// A transaction that writes: all of it happens, or after a throw nothing.
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

    /// A statement that has not been read to its end would keep the transaction open.
    private func resetStatements() {
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
            next = sqlite3_next_stmt(handle, statement)
        }
    }

    /// Runs any number of statements, separated by semicolons, and passes over their rows.
    /// - Throws: `DatabaseError`; the statements before the one that failed have been run.
    package func runAll(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError }
    }

    /// A statement with nothing bound. Two of the same SQL are the same statement.
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
        // Nil without an error: there is no statement in the text.
        guard let prepared else { throw DatabaseError(.error, "not a statement: \(sql)") }
        statements[sql] = prepared
        return Statement(prepared, of: self)
    }

    /// Calls `step` each time when SQLite has run so many instructions of its machine, as long as `body` runs.
    /// - Throws: as `body`.
    package func tell<Result>(
        every instructions: Int32, _ step: () -> Void, while body: () throws -> Result
    ) rethrows -> Result {
        try withoutActuallyEscaping(step) { step in
            var step = step
            return try withUnsafeMutablePointer(to: &step) { context in
                let handler: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { context in
                    context?.assumingMemoryBound(to: (() -> Void).self).pointee()
                    // Anything else would end what is asked.
                    return 0
                }
                sqlite3_progress_handler(handle, instructions, handler, context)
                defer { sqlite3_progress_handler(handle, 0, nil, nil) }
                return try body()
            }
        }
    }

    /// Rows that the last INSERT, UPDATE or DELETE has changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of the row that was inserted last.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    var lastError: DatabaseError {
        DatabaseError(extendedCode: sqlite3_extended_errcode(handle), String(cString: sqlite3_errmsg(handle)))
    }
}
