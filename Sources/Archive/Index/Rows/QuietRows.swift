internal import SQLite

/// The records of which nothing speaks: no edit, no deletion, no reaction, no reply in a thread. A page is mostly of such
/// messages, and spares itself two look-ups for each of them.
///
/// The table has a bit for each row, and a number for 64 of them. A bit that is missing costs the look-ups, and says nothing
/// else; a bit too many would hide an edit.
struct QuietRows {
    private static let width: Int64 = 6

    let database: Database

    /// The number that has the bit of a row.
    static func word(of row: Int64) -> Int64 { row >> width }

    static func bit(of row: Int64) -> Int64 { 1 << (row & (1 << width - 1)) }

    /// The numbers that have the bits of some rows.
    private static func words(of rows: Range<Int64>) -> Range<Int64> {
        word(of: rows.lowerBound)..<word(of: rows.upperBound + (1 << width - 1))
    }

    /// The bits of a number; nil for none.
    func bits(ofWord word: Int64) throws -> Int64? {
        try database.first(Int64.self, "SELECT bits FROM quiet WHERE word = ?", word)
    }

    /// The numbers of some rows that have bits, up to a row that is not used.
    func words(of rows: Range<Int64>) throws -> [Int64: Int64] {
        let words = QuietRows.words(of: rows)
        let pairs = try database.rows(
            "SELECT word, bits FROM quiet WHERE word >= ? AND word < ?", words.lowerBound, words.upperBound
        ) { ($0.integer(0), $0.integer(1)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Stores the bits of all rows.
    func insert(_ words: [Int64: Int64]) throws {
        let insert = try database.statement("INSERT INTO quiet VALUES (?, ?)")
        for (word, bits) in words.sorted(by: { $0.key < $1.key }) {
            insert.bind(1, word)
            insert.bind(2, bits)
            try insert.run()
        }
    }

    /// A record speaks of these ones now.
    func forget(_ rows: [Int64]) throws {
        let update = try database.statement("UPDATE quiet SET bits = bits & ~?2 WHERE word = ?1 AND bits & ?2")
        for row in rows {
            update.bind(1, QuietRows.word(of: row))
            update.bind(2, QuietRows.bit(of: row))
            try update.run()
        }
    }

    /// Rows that are gone, up to one that is not used.
    func remove(_ rows: Range<Int64>) throws {
        let words = QuietRows.words(of: rows)
        try database.run("DELETE FROM quiet WHERE word >= ? AND word < ?", words.lowerBound, words.upperBound)
    }
}
