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

    /// - Parameter timeout: the time to wait for a lock of another connection, in milliseconds.
    /// - Throws: `DatabaseError`. A file that is not a database fails only when it is first read.
    package convenience init(path: String, for access: Access, timeout: Int32) throws {
        let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try self.init(path, mode, files: Database.files)
        sqlite3_busy_timeout(handle, timeout)
        csqlite_reserve_checksums(handle)
    }

    /// Opens the database of another program, which must not change meanwhile. Creates and locks no file: changes in a write-ahead
    /// log next to it are not read.
    /// - Throws: `DatabaseError`.
    package convenience init(foreign path: String) throws {
        // Escapes the characters that have a meaning in a URI, such as a question mark.
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
            // After some errors SQLite has rolled back already. An error of the rollback is ignored: the first one counts.
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

/// A prepared statement and its current row. Values are bound and read without a copy, for inner loops.
package struct Statement {
    private let database: Database
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    // MARK: - Parameters

    /// - Parameter index: 1 for the first one.
    package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    package func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    }

    /// The bytes must stay valid until the statement is reset.
    package func bind(_ index: Int32, text: UnsafeBufferPointer<UInt8>) {
        // SQLite takes a null address for NULL, and an empty text may have one.
        guard !text.isEmpty else { return bind(index, copyOf: "") }
        let bytes = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, index, bytes, Int32(clamping: text.count), nil)
    }

    /// The bytes must stay valid until the statement is reset.
    package func bind(_ index: Int32, blob: UnsafeRawBufferPointer) {
        sqlite3_bind_blob(handle, index, blob.baseAddress, Int32(clamping: blob.count), nil)
    }

    /// Binds a text, which SQLite copies.
    package func bind(_ index: Int32, copyOf text: String) {
        _ = csqlite_bind_copy(handle, index, text, Int32(clamping: text.utf8.count))
    }

    // MARK: - Rows

    /// Moves to the next row; false when there is none.
    /// - Throws: `DatabaseError`; the statement is then reset.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = database.lastError
            reset()
            throw error
        }
    }

    /// Runs the statement to its end and ignores its rows.
    /// - Throws: `DatabaseError`; the statement is reset in any case.
    package func run() throws {
        while try step() {}
        reset()
    }

    /// Makes the statement ready to run again; its values stay bound.
    package func reset() { sqlite3_reset(handle) }

    /// - Parameter column: 0 for the first one.
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func optional(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The whole text, even beyond a NUL.
    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The bytes of a text or a blob, valid until the next step.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

/// A Swift value that can be bound to a parameter and read from a column.
package protocol ColumnValue {
    func bind(to statement: Statement, at index: Int32)
    static func read(_ statement: Statement, _ column: Int32) -> Self
}

extension Int64: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
    package static func read(_ statement: Statement, _ column: Int32) -> Int64 { statement.integer(column) }
}

extension Int: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, Int64(self)) }
    package static func read(_ statement: Statement, _ column: Int32) -> Int { Int(statement.integer(column)) }
}

extension Bool: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self ? 1 : 0) }
    package static func read(_ statement: Statement, _ column: Int32) -> Bool { statement.integer(column) != 0 }
}

extension String: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, copyOf: self) }
    package static func read(_ statement: Statement, _ column: Int32) -> String { statement.text(column) }
}

/// For rare queries and changes: arguments and rows are copied.
extension Database {
    /// Runs one statement to its end.
    /// - Throws: `DatabaseError`.
    package func run(_ sql: String, _ arguments: any ColumnValue...) throws {
        try bound(sql, arguments).run()
    }

    /// The first column of the first row; nil when there is no row, or the column is null.
    /// - Throws: `DatabaseError`.
    package func first<Value: ColumnValue>(
        _: Value.Type, _ sql: String, _ arguments: any ColumnValue...
    ) throws -> Value? {
        let statement = try bound(sql, arguments)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? Value.read(statement, 0) : nil
    }

    /// The first column of all rows.
    /// - Throws: `DatabaseError`.
    package func all<Value: ColumnValue>(
        _: Value.Type, _ sql: String, _ arguments: any ColumnValue...
    ) throws -> [Value] {
        try rows(bound(sql, arguments)) { Value.read($0, 0) }
    }

    /// All rows, as `value` reads them.
    /// - Throws: `DatabaseError`.
    package func rows<Value>(
        _ sql: String, _ arguments: any ColumnValue..., value: (Statement) -> Value
    ) throws -> [Value] {
        try rows(bound(sql, arguments), value: value)
    }

    private func rows<Value>(_ statement: Statement, value: (Statement) -> Value) throws -> [Value] {
        defer { statement.reset() }
        var found: [Value] = []
        while try statement.step() { found.append(value(statement)) }
        return found
    }

    private func bound(_ sql: String, _ arguments: [any ColumnValue]) throws -> Statement {
        let statement = try statement(sql)
        for (index, argument) in arguments.enumerated() { argument.bind(to: statement, at: Int32(index + 1)) }
        return statement
    }
}

/// An error that SQLite reported.
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
    /// SQLite's primary result code, such as 11 for a corrupt file.
    package enum Code: Int32, Sendable {
        case error = 1
        case permission = 3
        case busy = 5
        case locked = 6
        case outOfMemory = 7
        case readOnly = 8
        case io = 10
        case corrupt = 11
        case full = 13
        case cannotOpen = 14
        case constraint = 19
        case mismatch = 20
        case notADatabase = 26
    }

    /// SQLite's extended result code: the primary one is its lowest byte.
    package let extendedCode: Int32
    /// The message of SQLite.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.init(extendedCode: code.rawValue, message)
    }

    init(extendedCode: Int32, _ message: String) {
        self.extendedCode = extendedCode
        self.message = message
    }

    /// Nil for a code that is not in `Code`.
    package var code: Code? { Code(rawValue: extendedCode & 0xFF) }

    package var description: String { "SQLite error \(extendedCode): \(message)" }
}
