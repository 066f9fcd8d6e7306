internal import CMapping
internal import SQLite

/// A connection to a database of the index; closes with its last reference. Not thread-safe.
final class IndexConnection {
    private let database: Database
    /// The number of truncated mappings when the connection was opened.
    private let losses: CInt

    /// - Parameter prepare: SQL that runs before anything else.
    init(path: String, for access: Database.Access, timeout: Int32, prepare: String) throws {
        // SQLite maps a file that its processes share. If another process truncates that file, access to the mapping
        // would end this process.
        cmapping_guard()
        losses = cmapping_losses()
        database = try Database(path: path, for: access, timeout: timeout)
        try database.runAll(prepare)
    }

    /// Runs `body` in a read transaction: it sees one snapshot.
    /// - Throws: the errors of `body`; `corrupt` if a file of the index was truncated meanwhile.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try checked { try database.read(body) } }

    /// Runs `body` in a write transaction: all of its changes take effect, or none.
    /// - Throws: the errors of `read`.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try checked { try database.write(body) }
    }

    private func checked<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try body()
        guard losses == cmapping_losses() else {
            throw DatabaseError(.corrupt, "a file of the index was cut off while it was open")
        }
        return result
    }
}
