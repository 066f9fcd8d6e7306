import Glibc
import Testing

@testable import SQLite

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

    @Test(arguments: ["SELEC 1", "SELECT nothing FROM word", "SELECT \"text\" = \"b\" FROM word"])
    func `A mistake in a statement is named`(sql: String) throws {
        let file = try File()
        let database = try file.open()
        #expect(Self.code { try database.run(sql) } == .error)
        #expect(Self.code { try database.runAll(sql) } == .error)
    }

    @Test(arguments: ["", " -- nothing"])
    func `A text without a statement is an error`(sql: String) throws {
        let file = try File()
        let database = try file.open()
        #expect(Self.code { try database.run(sql) } == .error)
    }

    @Test func `A missing file cannot be read, and a file in a missing folder cannot be written`() throws {
        let path = "/tmp/kedge-sqlite-none/of/these"
        #expect(Self.code { _ = try Database(path: path, for: .reading, timeout: 0) } == .cannotOpen)
        #expect(Self.code { _ = try Database(path: path, for: .writing, timeout: 0) } == .cannotOpen)
    }

    @Test func `A file of another kind is not a database, and a connection for reading does not write`() throws {
        let file = try File()
        let reader = try file.open(for: .reading)
        #expect(Self.code { try reader.write { try $0.run(Self.insert, "a") } } == .readOnly)
        let other = try Database(path: #filePath, for: .reading, timeout: 0)
        #expect(Self.code { _ = try other.first(Int64.self, "PRAGMA user_version") } == .notADatabase)
    }

    @Test func `An error has SQLite's code and text`() throws {
        let file = try File()
        let database = try file.open()
        try database.run(Self.insert, "a")
        let error = #expect(throws: DatabaseError.self) { try database.run(Self.insert, "a") }
        #expect(error?.code == .constraint)
        #expect(error?.extendedCode == 2067)
        #expect(error?.description == "SQLite error 2067: UNIQUE constraint failed: word.text")
    }

    @Test func `A writer gets the error busy while another connection writes`() throws {
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

    @Test(arguments: ["", "a", "a\0b", "\0", "é\0"])
    func `Texts keep all their bytes, and an empty text is not null`(text: String) throws {
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

    @Test func `A text without bytes is not null, wherever its memory is`() throws {
        let file = try File()
        let database = try file.open()
        let insert = try database.statement(Self.insert)
        insert.bind(1, text: UnsafeBufferPointer(start: nil, count: 0))
        try insert.run()
        #expect(try database.first(String.self, "SELECT text FROM word") == "")
    }

    @Test func `Null is nil, and a missing row is nil too`() throws {
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

    @Test func `A statement that is requested again has lost its bound values`() throws {
        let file = try File()
        let database = try file.open()
        #expect(try database.first(String.self, "SELECT ?", "before") == "before")
        #expect(try database.first(String.self, "SELECT ?") == nil)
    }

    @Test func `Changed rows are counted`() throws {
        let file = try File()
        let database = try file.open()
        for text in ["a", "b", "c"] { try database.run(Self.insert, text) }
        try database.run("UPDATE word SET number = number + 10 WHERE text > ?", "a")
        #expect(database.changes == 2)
        let rows = try database.rows("SELECT number, text FROM word ORDER BY 1") { "\($0.integer(0))\($0.text(1))" }
        #expect(rows == ["1a", "12b", "13c"])
    }

    // MARK: - Transactions

    @Test func `A transaction that throws changes nothing, and the next one can begin`() throws {
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

    @Test(arguments: [true, false])
    func `A statement that was not read to its end keeps no transaction open`(isThrowing: Bool) throws {
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
        // The next transaction sees the current state.
        #expect(try database.read { try $0.first(Int.self, Self.count) } == 3)
        let again = try database.statement(sql)
        #expect(try again.step())
        #expect(again.text(0) == "a")
        again.reset()
    }

    @Test func `A statement that failed can run again`() throws {
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

    @Test func `A read transaction sees one state`() throws {
        let file = try File()
        let (reader, writer) = (try file.open(for: .reading), try file.open())
        try reader.read { database in
            #expect(try database.first(Int.self, Self.count) == 0)
            try writer.run(Self.insert, "a")
            #expect(try database.first(Int.self, Self.count) == 0)
        }
        #expect(try reader.read { try $0.first(Int.self, Self.count) } == 1)
    }
}
