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

    /// Marks all of them, once there are indexes of IDs and of what speaks of them: these are walked side by side.
    func markAll() throws {
        var targets = try [
            Targets("record_target", RecordKind.isNoMessageSQL, database),
            Targets("record_thread", RecordKind.isMessageSQL, database),
        ]
        let walk = try database.statement("SELECT hash, row FROM record INDEXED BY record_hash ORDER BY hash")
        defer { walk.reset() }
        var words: [Int64: Int64] = [:]
        while try walk.step() {
            let (hash, row) = (walk.integer(0), walk.integer(1))
            var isSpokenOf = false
            for index in targets.indices where try targets[index].reach(hash) { isSpokenOf = true }
            if !isSpokenOf { words[QuietRows.word(of: row), default: 0] |= QuietRows.bit(of: row) }
        }
        let insert = try database.statement("INSERT INTO quiet VALUES (?, ?)")
        for (word, bits) in words.sorted(by: { $0.key < $1.key }) {
            insert.bind(1, word)
            insert.bind(2, bits)
            try insert.run()
        }
    }

    /// A record speaks of this one now.
    /// - Parameters:
    ///   - hash: of its ID.
    ///   - rows: of the conversation.
    func forget(_ hash: Int64, in rows: Range<Int64>) throws {
        let select = try database.statement(
            "SELECT row FROM record INDEXED BY record_hash WHERE hash = ? AND row >= ? AND row < ?")
        select.bind(1, hash)
        select.bind(2, rows.lowerBound)
        select.bind(3, rows.upperBound)
        defer { select.reset() }
        let update = try database.statement("UPDATE quiet SET bits = bits & ~?2 WHERE word = ?1 AND bits & ?2")
        while try select.step() {
            let row = select.integer(0)
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

    /// The ID hashes of the messages to which the records of an index refer, in ascending order.
    private struct Targets {
        private let select: Statement
        private var next: Int64?

        init(_ index: String, _ condition: String, _ database: Database) throws {
            select = try database.statement(
                "SELECT target FROM record INDEXED BY \(index) WHERE target IS NOT NULL AND \(condition) ORDER BY target"
            )
            try step()
        }

        /// Whether a hash is among them. To be called with hashes that rise.
        mutating func reach(_ hash: Int64) throws -> Bool {
            while let target = next, target < hash { try step() }
            return next == hash
        }

        private mutating func step() throws { next = try select.step() ? select.integer(0) : nil }
    }
}
