internal import CSQLite

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
