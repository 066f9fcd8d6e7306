internal import CSQLite
internal import Messages

/// A connection to an SQLite database of another program, which must not change meanwhile. Creates and locks no file: changes in a
/// write-ahead log next to it are not read. The last reference closes it.
final class ForeignDatabase {
    private let path: String
    private let handle: OpaquePointer

    /// - Throws: `unreadable`. A file that is not a database fails only when it is first read.
    init(path: String) throws(StoreError) {
        // Escapes the characters that have a meaning in a URI, such as a question mark.
        let plain = path.utf8.map { byte -> String in
            let isPlain = byte >= 0x2D && byte < 0x3A || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        var opened: OpaquePointer?
        let mode = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2("file:\(plain.joined())?immutable=1", &opened, mode, nil)
        guard let opened, code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw ForeignDatabase.error(path, opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        }
        (self.path, handle) = (path, opened)
    }

    deinit { sqlite3_close_v2(handle) }

    /// All rows of a query.
    /// - Throws: `unreadable`.
    func rows<Value>(_ sql: String, value: (Row) -> Value) throws(StoreError) -> [Value] {
        var found: [Value] = []
        try forEachRow(sql) { (row) throws(StoreError) in found.append(value(row)) }
        return found
    }

    /// Gives `body` each row of a query.
    /// - Parameter argument: the value of the query's parameter, if it has one.
    /// - Throws: as `body`, and `unreadable`.
    func forEachRow(
        _ sql: String, _ argument: String? = nil, _ body: (Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else { throw lastError }
        defer { sqlite3_finalize(prepared) }
        if let argument { _ = csqlite_bind_copy(prepared, 1, argument, Int32(clamping: argument.utf8.count)) }
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: try body(Row(handle: prepared))
            case SQLITE_DONE: return
            default: throw lastError
            }
        }
    }

    private var lastError: StoreError { ForeignDatabase.error(path, sqlite3_errmsg(handle)) }

    private static func error(_ path: String, _ reason: UnsafePointer<CChar>) -> StoreError {
        .unreadable("\(path): the database cannot be read (\(String(cString: reason)))")
    }

    /// A row of a query, valid until the next one. Its columns are counted from 0.
    struct Row {
        fileprivate let handle: OpaquePointer

        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        /// The whole text, even beyond a NUL.
        func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

        /// The bytes of a text or a blob.
        func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            let start = sqlite3_column_blob(handle, column)
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        }
    }
}
