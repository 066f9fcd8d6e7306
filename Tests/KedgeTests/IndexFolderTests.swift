import Foundation
import Testing

/// Where the index lies, as it is used by commands that a shell runs.
struct IndexFolderTests {
    /// Whether somebody may make a file system of their own here.
    private static let canMount =
        (try? Program.run(
            "/bin/sh", ["-c", "unshare -rm mount -t tmpfs -o size=64k kedge /tmp"], environment: Program.environment
        ))?.status == 0

    private let cache = FileManager.default.temporaryDirectory.appending(path: "kedge-cache-\(UUID().uuidString)").path

    /// Runs a script in which "$KEDGE" is the program and "$XDG_CACHE_HOME" holds nothing but the index.
    private func shell(_ script: String, _ archive: ScratchArchive) throws -> Program.Result {
        try archive.run("/bin/sh", ["-c", script], environment: ["XDG_CACHE_HOME": cache])
    }

    @Test(arguments: ["list", "search hello", "show general/m-1", "send general hi", "stats general", "index --check"])
    func `Each command closes an index that was open to others`(command: String) throws {
        defer { try? FileManager.default.removeItem(atPath: cache) }
        let archive = try ScratchArchive()
        #expect(try shell("\"$KEDGE\" index", archive).status == 0)
        let result = try shell(
            """
            chmod -R a+rwX "$XDG_CACHE_HOME/kedge" && "$KEDGE" \(command) >&2 &&
            find "$XDG_CACHE_HOME/kedge" -perm /077
            """, archive)
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
    }

    @Test(.enabled(if: canMount))
    func `When the disk is full, the former index stays whole`() throws {
        defer { try? FileManager.default.removeItem(atPath: cache) }
        let archive = try ScratchArchive()
        let lines = (0..<4_000).map { ScratchArchive.message("n-\($0)", "word\($0) tide") + "\n" }
        try archive.write(ScratchArchive.segment, try archive.log() + lines.joined())
        let mounted = """
            mkdir -p "$XDG_CACHE_HOME" && mount -t tmpfs -o size=8m kedge "$XDG_CACHE_HOME" && "$KEDGE" index || exit 9
            dd if=/dev/zero of="$XDG_CACHE_HOME/filler" bs=4096 2>/dev/null
            """
        let result = try archive.run(
            "/usr/bin/unshare",
            [
                "-rm", "/bin/sh", "-c",
                mounted + """

                    "$KEDGE" index --rebuild; echo "status $?"
                    find "$XDG_CACHE_HOME" -name new
                    rm "$XDG_CACHE_HOME/filler"
                    "$KEDGE" index --check
                    """,
            ], environment: ["XDG_CACHE_HOME": cache])
        #expect(
            result.output == "status 3\ngeneral: 4,002 records, 4,002 messages: the index is correct\n", "\(result)")
        #expect(result.errors.contains("the disk is full"), "\(result)")
        #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result)")

        // The first index that finds no room leaves nothing that would be in the way of the next.
        let first = try archive.run(
            "/usr/bin/unshare",
            [
                "-rm", "/bin/sh", "-c",
                """
                mkdir -p "$XDG_CACHE_HOME" && mount -t tmpfs -o size=128k kedge "$XDG_CACHE_HOME" || exit 9
                "$KEDGE" index; echo "status $?"
                mount -o remount,size=8m "$XDG_CACHE_HOME" && "$KEDGE" index && "$KEDGE" index --check
                """,
            ], environment: ["XDG_CACHE_HOME": cache])
        #expect(first.output == result.output && first.errors.contains("the disk is full"), "\(first)")
    }

    @Test func `A search with hits that cannot read a conversation prints them, and ends with status 3`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: cache) }
        let archive = try ScratchArchive()
        try archive.write("conversations/other/messages-000001.jsonl", "")
        let file = archive.path + "/conversations/other/messages-000001.jsonl"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
        for (query, hits) in [("hello", 1), ("nowhere", 0)] {
            let result = try shell("\"$KEDGE\" search \(query)", archive)
            #expect(result.status == 3)
            #expect(result.output.filter { $0 == "\n" }.count == hits, "\(result)")
            #expect(result.errors.contains(file) && !result.errors.contains("nothing found"), "\(result)")
        }
        #expect(try shell("\"$KEDGE\" search --in general hello", archive).status == 0)
    }
}
