internal import GRDB
internal import GRDBSQLite

/// A prepared statement of numbers, for inner loops. GRDB's arguments and rows take some 20 µs a question, SQLite itself
/// 2; a page asks some hundred of them, and an index is made of a million.
///
/// Valid within the access to the database that it was made in. Two of the same SQL are the same statement.
struct HotStatement {
    private let database: Database
    private let statement: Statement
    private let handle: OpaquePointer

    init(_ database: Database, _ sql: String) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// - Parameter index: 1 for the first one.
    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { sqlite3_bind_null(handle, index) }
    }

    /// The bytes have to stay until the statement is reset.
    func bind(_ index: Int32, text: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, index, bytes, Int32(clamping: text.count), nil)
    }

    /// Whether there is a row.
    /// - Throws: what SQLite says.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
            reset()
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// For a statement that gives no rows.
    func run() throws {
        _ = try step()
        reset()
    }

    func reset() { sqlite3_reset(handle) }

    /// - Parameter column: 0 for the first one.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func optional(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    /// A text with all that is in it: GRDB's strings end at the first NUL.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// The bytes of a text, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
