internal import SQLite

/// The numbers of those who wrote, by their IDs.
final class IndexedPeople {
    /// Remembered at a time: a log of a million has some thousands, one of IRC some ten thousands.
    private static let remembered = 65_536

    private var numbers: [IDHash: Int64] = [:]

    /// Nil for nobody.
    func number(of id: UnsafeRawBufferPointer, in database: Database) throws -> Int64? {
        if id.isEmpty { return nil }
        let hash = IDHash(id)
        if let number = numbers[hash] { return number }
        if numbers.count >= IndexedPeople.remembered { numbers = [:] }
        let number = try find(id, in: database) ?? insert(id, in: database)
        numbers[hash] = number
        return number
    }

    private func find(_ id: UnsafeRawBufferPointer, in database: Database) throws -> Int64? {
        let select = try database.statement("SELECT number FROM person WHERE id = ?")
        select.bind(1, text: id.assumingMemoryBound(to: UInt8.self))
        defer { select.reset() }
        return try select.step() ? select.integer(0) : nil
    }

    private func insert(_ id: UnsafeRawBufferPointer, in database: Database) throws -> Int64 {
        let insert = try database.statement("INSERT INTO person(id) VALUES (?)")
        insert.bind(1, text: id.assumingMemoryBound(to: UInt8.self))
        try insert.run()
        return database.lastInsertedRow
    }

    /// After a transaction that was given up.
    func forget() { numbers = [:] }
}
