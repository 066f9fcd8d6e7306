internal import SQLite

/// Finds or assigns the numbers of senders by their IDs.
final class IndexedPeople {
    /// How many numbers to remember. A log of a million messages has some thousands of senders; a log of an IRC
    /// channel, some ten thousands.
    private static let remembered = 65_536

    /// With the ID: two IDs may have one hash, if somebody has chosen them for that.
    private var numbers: [IDHash: (id: [UInt8], number: Int64)] = [:]

    /// Returns nil for an empty ID.
    func number(of id: UnsafeRawBufferPointer, in database: Database) throws -> Int64? {
        if id.isEmpty { return nil }
        let hash = IDHash(id)
        if let known = numbers[hash], known.id.elementsEqual(id) { return known.number }
        if numbers.count >= IndexedPeople.remembered { numbers = [:] }
        let number = try find(id, in: database) ?? insert(id, in: database)
        numbers[hash] = (Array(id), number)
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

    /// Forgets the numbers after a transaction was rolled back.
    func forget() { numbers = [:] }
}
