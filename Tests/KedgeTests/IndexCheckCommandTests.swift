import Foundation
import Testing

struct IndexCheckCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-check-\(UUID().uuidString)")
    private var archive: String { folder.path + "/archive" }

    /// A copy of the demo, with a cache of its own.
    private func kedge(_ arguments: String...) throws -> Program.Result {
        if !FileManager.default.fileExists(atPath: archive) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Program.demo, toPath: archive)
        }
        let environment = Program.environment.merging(["XDG_CACHE_HOME": folder.path + "/cache"]) { $1 }
        return try Program.run(Program.path, arguments + ["--archive", archive], environment: environment)
    }

    @Test func `Each conversation is reported right until it has a fault`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let none = try kedge("index", "--check")
        #expect(none.status == 1 && none.output.isEmpty)
        #expect(none.errors == "kedge: there is no index; `kedge index` builds it\n")
        #expect(try kedge("index").status == 0)
        let right = try kedge("index", "--check")
        #expect(right.status == 0 && right.errors.isEmpty)
        #expect(right.output.contains("general: 4,323 records, 3,300 messages: the index is correct\n"))

        let file = archive + "/conversations/general/messages-000001.jsonl"
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\n\n\n".utf8))
        let grown = try kedge("index", "--check")
        #expect(grown.status == 0 && grown.errors.isEmpty)
        #expect(grown.output.contains("general: 3 bytes of the files are not in the index yet\n"))

        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
        let wrong = try kedge("index", "--check")
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("kedge index --rebuild") && wrong.errors.filter { $0 == "\n" }.count == 1)
        #expect(wrong.output.contains("general/messages-000001.jsonl"))
        #expect(!wrong.output.contains("general: 4,323 records"))
    }

    @Test(arguments: [false, true])
    func `A conversation whose file cannot be read does not affect the others, and is reported once`(isIndexed: Bool)
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try kedge("list")
        if isIndexed { #expect(try kedge("index").status == 0) }
        let file = archive + "/conversations/dev/messages-000001.jsonl"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)

        for command in ["list", "index"] {
            let result = try kedge(command)
            #expect(result.status == 0)
            #expect(result.errors.contains(file + ": cannot be read (Too many levels of symbolic links); try again"))
            #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
        }
        #expect(try kedge("list").output.contains("general\t3300"))
        let check = try kedge("index", "--check")
        #expect(check.status == 1 && check.errors.contains("not every conversation could be checked"))
        #expect(check.output.contains("dev: cannot be checked: \(file): cannot be read"))
        #expect(check.output.contains("general: 4,323 records, 3,300 messages: the index is correct\n"))
        #expect(check.output.filter { $0 == "\n" }.count == 9, "\(check.output)")
        #expect(!check.output.contains("the words of"), "\(check.output)")
    }

    @Test func `When no conversation can be read, list and index fail`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try kedge("list")
        for name in try FileManager.default.contentsOfDirectory(atPath: archive + "/conversations") where name != "dev"
        {
            try FileManager.default.removeItem(atPath: archive + "/conversations/" + name)
        }
        let file = archive + "/conversations/dev/messages-000001.jsonl"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
        for command in ["list", "index"] {
            let result = try kedge(command)
            #expect(result.status == 3 && result.output.isEmpty)
            #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
        }
    }
}
