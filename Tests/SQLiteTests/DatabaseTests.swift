import Glibc
import Testing

@testable import SQLite

@Suite("A connection to SQLite")
struct DatabaseTests {
    /// A new database file with a table of texts, removed at the end.
    private final class File {
        let path: String

        init() throws {
            var template = Array("/tmp/kedge-sqlite-XXXXXX".utf8CString)
            let descriptor = try #require(mkstemp(&template) as CInt?)
            close(descriptor)
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            try open().runAll(
                "PRAGMA journal_mode = WAL; CREATE TABLE word(number INTEGER PRIMARY KEY, text TEXT UNIQUE)")
        }

        deinit { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }

        func open(for access: Database.Access = .writing) throws -> Database {
            try Database(path: path, for: access, timeout: 0)
        }
    }

    private struct Stop: Error {}

    private static let insert = "INSERT INTO word(text) VALUES (?)"
    private static let count = "SELECT count(*) FROM word"

    private static func code(of body: () throws -> Void) -> DatabaseError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? DatabaseError)?.code
        }
    }

    // MARK: - Errors

    @Test(
        "a mistake in a statement is named",
        arguments: ["SELEC 1", "SELECT nothing FROM word", "SELECT \"text\" = \"b\" FROM word"])
    func mistake(sql: String) throws {
        let file = try File()
        let database = try file.open()
        #expect(Self.code { try database.run(sql) } == .error)
        #expect(Self.code { try database.runAll(sql) } == .error)
    }

    @Test("a text without a statement is an error", arguments: ["", " -- nothing"])
    func empty(sql: String) throws {
        let file = try File()
        let database = try file.open()
        #expect(Self.code { try database.run(sql) } == .error)
    }

    @Test("a file that is not there cannot be read, nor one in a folder that is not there written")
    func missing() throws {
        let path = "/tmp/kedge-sqlite-none/of/these"
        #expect(Self.code { _ = try Database(path: path, for: .reading, timeout: 0) } == .cannotOpen)
        #expect(Self.code { _ = try Database(path: path, for: .writing, timeout: 0) } == .cannotOpen)
    }

    @Test("a file of something else is no database, and a connection for reading does not write")
    func refused() throws {
        let file = try File()
        let reader = try file.open(for: .reading)
        #expect(Self.code { try reader.write { try $0.run(Self.insert, "a") } } == .readOnly)
        let other = try Database(path: #filePath, for: .reading, timeout: 0)
        #expect(Self.code { _ = try other.first(Int64.self, "PRAGMA user_version") } == .notADatabase)
    }

    @Test("an error has SQLite's code and its words")
    func words() throws {
        let file = try File()
        let database = try file.open()
        try database.run(Self.insert, "a")
        let error = #expect(throws: DatabaseError.self) { try database.run(Self.insert, "a") }
        #expect(error?.code == .constraint)
        #expect(error?.extendedCode == 2067)
        #expect(error?.description == "SQLite error 2067: UNIQUE constraint failed: word.text")
    }

    @Test("who writes while another connection does is told that it is busy")
    func busy() throws {
        let file = try File()
        let (first, second) = (try file.open(), try file.open())
        try first.write { database in
            try database.run(Self.insert, "a")
            #expect(Self.code { try second.write { try $0.run(Self.insert, "b") } } == .busy)
            // A reader does not wait for a writer, and sees nothing of it yet.
            #expect(try second.read { try $0.first(Int.self, Self.count) } == 0)
        }
        try second.write { try $0.run(Self.insert, "b") }
        #expect(try first.read { try $0.first(Int.self, Self.count) } == 2)
    }

    // MARK: - Values

    @Test("texts keep all their bytes, and an empty one is not null", arguments: ["", "a", "a\0b", "\0", "é\0"])
    func texts(text: String) throws {
        let file = try File()
        let database = try file.open()
        try database.run(Self.insert, text)
        let insert = try database.statement("INSERT INTO word(number, text) VALUES (?, ?)")
        insert.bind(1, 7)
        let bytes = Array((text + "!").utf8)
        try bytes.withUnsafeBufferPointer { bytes in
            insert.bind(2, text: bytes)
            try insert.run()
        }
        #expect(database.lastInsertedRow == 7)
        #expect(try database.all(String.self, "SELECT text FROM word ORDER BY number") == [text, text + "!"])
        #expect(try database.first(String.self, "SELECT text FROM word") == text)
        #expect(try database.first(Int.self, "SELECT number FROM word WHERE text = ?", text + "!") == 7)
        #expect(try database.first(Int.self, "SELECT count(*) FROM word WHERE text IS NULL") == 0)
    }

    @Test("a text of no bytes, wherever it stands, is not null")
    func noBytes() throws {
        let file = try File()
        let database = try file.open()
        let insert = try database.statement(Self.insert)
        insert.bind(1, text: UnsafeBufferPointer(start: nil, count: 0))
        try insert.run()
        #expect(try database.first(String.self, "SELECT text FROM word") == "")
    }

    @Test("null is nil, and so is no row")
    func nulls() throws {
        let file = try File()
        let database = try file.open()
        #expect(try database.first(Int64.self, "SELECT max(number) FROM word") == nil)
        #expect(try database.first(Int64.self, "SELECT number FROM word") == nil)
        let select = try database.statement("SELECT ?1, ?2")
        select.bind(1, nil)
        select.bind(2, Int64.min as Int64?)
        #expect(try select.step())
        #expect(select.optional(0) == nil)
        #expect(select.optional(1) == .min)
        select.reset()
    }

    @Test("what was bound to a statement is gone when it is asked for again")
    func bindings() throws {
        let file = try File()
        let database = try file.open()
        #expect(try database.first(String.self, "SELECT ?", "before") == "before")
        #expect(try database.first(String.self, "SELECT ?") == nil)
    }

    @Test("changed rows are counted")
    func changes() throws {
        let file = try File()
        let database = try file.open()
        for text in ["a", "b", "c"] { try database.run(Self.insert, text) }
        try database.run("UPDATE word SET number = number + 10 WHERE text > ?", "a")
        #expect(database.changes == 2)
        let rows = try database.rows("SELECT number, text FROM word ORDER BY 1") { "\($0.integer(0))\($0.text(1))" }
        #expect(rows == ["1a", "12b", "13c"])
    }

    // MARK: - Transactions

    @Test("after a throw nothing of a transaction has happened, and the next one can begin")
    func rollback() throws {
        let file = try File()
        let database = try file.open()
        #expect(throws: Stop.self) {
            try database.write { database in
                try database.run(Self.insert, "a")
                throw Stop()
            }
        }
        #expect(try database.read { try $0.first(Int.self, Self.count) } == 0)
        try database.write { try $0.run(Self.insert, "b") }
        #expect(try database.all(String.self, "SELECT text FROM word") == ["b"])
    }

    @Test("a statement that was left in the middle keeps no transaction open", arguments: [true, false])
    func leftInTheMiddle(isThrowing: Bool) throws {
        let file = try File()
        let (database, other) = (try file.open(), try file.open())
        for text in ["a", "b"] { try database.run(Self.insert, text) }
        let sql = "SELECT text FROM word ORDER BY number"
        do {
            try database.read { database in
                _ = try database.statement(sql).step()
                if isThrowing { throw Stop() }
            }
        } catch is Stop {}
        try other.run(Self.insert, "c")
        // The next transaction sees the state of now.
        #expect(try database.read { try $0.first(Int.self, Self.count) } == 3)
        let again = try database.statement(sql)
        #expect(try again.step())
        #expect(again.text(0) == "a")
        again.reset()
    }

    @Test("a statement that failed can be run again")
    func again() throws {
        let file = try File()
        let database = try file.open()
        try database.write { database in
            let insert = try database.statement(Self.insert)
            insert.bind(1, copyOf: "a")
            try insert.run()
            #expect(Self.code { try insert.run() } == .constraint)
            insert.bind(1, copyOf: "b")
            try insert.run()
        }
        #expect(try database.all(String.self, "SELECT text FROM word ORDER BY 1") == ["a", "b"])
    }

    @Test("all of a reading sees the same state")
    func sameState() throws {
        let file = try File()
        let (reader, writer) = (try file.open(for: .reading), try file.open())
        try reader.read { database in
            #expect(try database.first(Int.self, Self.count) == 0)
            try writer.run(Self.insert, "a")
            #expect(try database.first(Int.self, Self.count) == 0)
        }
        #expect(try reader.read { try $0.first(Int.self, Self.count) } == 1)
    }

    @Test("one is told how far SQLite is, while it is asked and not afterwards")
    func told() throws {
        let database = try File().open()
        let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT sum(i) FROM n"
        var steps = 0
        let sum = try database.reportingProgress(every: 100, { steps += 1 }, while: { try database.first(Int64.self, long) })
        #expect(sum == 500_500 && steps > 50)
        let told = steps
        _ = try database.first(Int64.self, long)
        #expect(throws: Stop.self) { try database.reportingProgress(every: 100, { steps += 1 }, while: { throw Stop() }) }
        _ = try database.first(Int64.self, long)
        #expect(steps == told)
    }
}
