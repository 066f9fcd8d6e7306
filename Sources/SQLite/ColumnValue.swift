/// A Swift value that can be bound to a parameter and read from a column.
package protocol ColumnValue {
    func bind(to statement: Statement, at index: Int32)
    static func read(_ statement: Statement, _ column: Int32) -> Self
}

extension Int64: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
    package static func read(_ statement: Statement, _ column: Int32) -> Int64 { statement.integer(column) }
}

extension Int: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, Int64(self)) }
    package static func read(_ statement: Statement, _ column: Int32) -> Int { Int(statement.integer(column)) }
}

extension Bool: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self ? 1 : 0) }
    package static func read(_ statement: Statement, _ column: Int32) -> Bool { statement.integer(column) != 0 }
}

extension String: ColumnValue {
    package func bind(to statement: Statement, at index: Int32) { statement.bind(index, copyOf: self) }
    package static func read(_ statement: Statement, _ column: Int32) -> String { statement.text(column) }
}

/// For rare queries and changes: arguments and rows are copied.
extension Database {
    /// Runs one statement to its end.
    /// - Throws: `DatabaseError`.
    package func run(_ sql: String, _ arguments: any ColumnValue...) throws {
        try bound(sql, arguments).run()
    }

    /// The first column of the first row; nil when there is no row, or the column is null.
    /// - Throws: `DatabaseError`.
    package func first<Value: ColumnValue>(
        _: Value.Type, _ sql: String, _ arguments: any ColumnValue...
    ) throws -> Value? {
        let statement = try bound(sql, arguments)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? Value.read(statement, 0) : nil
    }

    /// The first column of all rows.
    /// - Throws: `DatabaseError`.
    package func all<Value: ColumnValue>(
        _: Value.Type, _ sql: String, _ arguments: any ColumnValue...
    ) throws -> [Value] {
        try rows(bound(sql, arguments)) { Value.read($0, 0) }
    }

    /// All rows, as `value` reads them.
    /// - Throws: `DatabaseError`.
    package func rows<Value>(
        _ sql: String, _ arguments: any ColumnValue..., value: (Statement) -> Value
    ) throws -> [Value] {
        try rows(bound(sql, arguments), value: value)
    }

    private func rows<Value>(_ statement: Statement, value: (Statement) -> Value) throws -> [Value] {
        defer { statement.reset() }
        var found: [Value] = []
        while try statement.step() { found.append(value(statement)) }
        return found
    }

    private func bound(_ sql: String, _ arguments: [any ColumnValue]) throws -> Statement {
        let statement = try statement(sql)
        for (index, argument) in arguments.enumerated() { argument.bind(to: statement, at: Int32(index + 1)) }
        return statement
    }
}
