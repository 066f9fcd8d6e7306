import SQLite

@testable import Archive

extension Database {
    /// The records of an index without conversations, in memory.
    static func ofRecords() throws -> Database {
        let database = try Database(path: ":memory:", for: .writing, timeout: 0)
        try RecordSchema.create(database)
        return database
    }
}
