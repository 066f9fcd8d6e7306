internal import SQLite

/// Records by the hash of the message to which they refer.
struct ReferenceTable {
    private let name: String
    private let database: Database

    /// - Parameter name: of the table in the database.
    init(_ name: String, _ database: Database) {
        self.name = name
        self.database = database
    }

    static func createSQL(_ name: String) -> String {
        "CREATE TABLE \(name)(target INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY(target, row)) WITHOUT ROWID;"
    }

    /// The rows that refer to a message, rising.
    /// - Parameter offset: how many of them to skip.
    func rows(
        of target: Int64, in rows: Range<Int64>, offset: Int = 0, limit: Int = .max
    ) throws -> [Int64] {
        try select("ORDER BY row LIMIT ? OFFSET ?", target, rows, Int64(limit), Int64(offset))
    }

    /// The last rows that refer to a message, falling.
    func lastRows(of target: Int64, in rows: Range<Int64>, limit: Int) throws -> [Int64] {
        try select("ORDER BY row DESC LIMIT ? OFFSET ?", target, rows, Int64(limit), 0)
    }

    func count(of target: Int64, in rows: Range<Int64>) throws -> Int {
        let select = try database.statement("SELECT count(*) FROM \(name) WHERE target = ? AND row >= ? AND row < ?")
        bind(select, target, rows)
        defer { select.reset() }
        return try select.step() ? Int(select.integer(0)) : 0
    }

    func isAny(of target: Int64, in rows: Range<Int64>) throws -> Bool {
        let select = try database.statement("SELECT 1 FROM \(name) WHERE target = ? AND row >= ? AND row < ? LIMIT 1")
        bind(select, target, rows)
        defer { select.reset() }
        return try select.step()
    }

    func insert(_ target: Int64, _ row: Int64) throws {
        try run("INSERT OR IGNORE INTO \(name) VALUES (?, ?)", target, row)
    }

    func remove(_ target: Int64, _ row: Int64) throws {
        try run("DELETE FROM \(name) WHERE target = ? AND row = ?", target, row)
    }

    /// Calls `body` with all references, in the order of their targets and rows.
    func forEach(_ body: (_ target: Int64, _ row: Int64) throws -> Void) throws {
        let select = try database.statement("SELECT target, row FROM \(name) ORDER BY target, row")
        defer { select.reset() }
        while try select.step() { try body(select.integer(0), select.integer(1)) }
    }

    private func run(_ sql: String, _ target: Int64, _ row: Int64) throws {
        let statement = try database.statement(sql)
        statement.bind(1, target)
        statement.bind(2, row)
        try statement.run()
    }

    private func select(
        _ rest: String, _ target: Int64, _ rows: Range<Int64>, _ limit: Int64, _ offset: Int64
    ) throws -> [Int64] {
        let select = try database.statement("SELECT row FROM \(name) WHERE target = ? AND row >= ? AND row < ? \(rest)")
        bind(select, target, rows)
        select.bind(4, limit)
        select.bind(5, offset)
        defer { select.reset() }
        var found: [Int64] = []
        while try select.step() { found.append(select.integer(0)) }
        return found
    }

    private func bind(_ statement: Statement, _ target: Int64, _ rows: Range<Int64>) {
        statement.bind(1, target)
        statement.bind(2, rows.lowerBound)
        statement.bind(3, rows.upperBound)
    }
}
