internal import CMapping
internal import SQLite

/// A connection to a database of the index, closed when nobody needs it any more. For one thread at a time.
final class IndexConnection {
    private let database: Database
    /// As they were when it was opened.
    private let losses: CInt

    /// - Parameter prepare: run before anything is read.
    init(path: String, for access: Database.Access, timeout: Int32, prepare: String) throws {
        // SQLite's processes share a file in memory. Whoever cuts it off would end them all.
        cmapping_guard()
        losses = cmapping_losses()
        database = try Database(path: path, for: access, timeout: timeout)
        try database.runAll(prepare)
    }

    /// All of it sees the same state.
    /// - Throws: as `body`; a corrupt file when files of the index were cut off meanwhile.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try checked { try database.read(body) } }

    /// A transaction: all of it happens, or nothing.
    /// - Throws: as `read`.
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
