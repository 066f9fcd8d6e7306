import Foundation
import Testing

/// The commands that read exports of other programs.
@Suite struct ExportCommandTests {
    private static let log = """
        2026-03-29 00:00:06\tana\thello
        2026-03-29 00:00:07\t-->\tben (b@h) has joined #kedge
        2026-03-29 00:01:00\tben\tthe tide

        """

    private func source(_ name: String, _ text: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: name))
        return folder
    }

    @Test func `a log is listed, searched and shown as an archive is, and stays as it was`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = try Program.kedge("list", "--archive", folder.path)
        #expect(list.status == 0)
        #expect(list.output.hasPrefix("libera.kedge\t3\t"))
        let search = try Program.kedge("search", "tide", "--archive", folder.path)
        let link = try #require(search.output.split(separator: "\t").first.map(String.init))
        #expect(link.hasPrefix("libera.kedge/20260329-000100-"))
        let show = try Program.kedge("show", link, "--archive", folder.path, "--context", "1")
        #expect(show.output.contains("the tide"))
        let file = folder.appending(path: "irc.libera.#kedge.weechatlog")
        #expect(try String(contentsOf: file, encoding: .utf8) == ExportCommandTests.log)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test func `a name that the only conversation does not have is told as that of a conversation`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        let console = try Console(
            ["open", folder.path, "irc.libera.#kedge"], columns: 100, rows: 10)
        try console.wait("refused") {
            console.text.contains(
                "there is no conversation \"irc.libera.#kedge\"; did you mean \"libera.kedge\"?")
        }
    }

    @Test func `a check says what was not understood, and where`() throws {
        let good = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: good) }
        let right = try Program.kedge("check", good.path)
        #expect(right.status == 0)
        #expect(right.output.contains("3 records"))
        let bad = try source(
            "result.json",
            #"{"name":"A","type":"personal_chat","id":5,"messages":[{"id":1,"type":"message","date_unixtime":"1","text":"a"},{"id":2,"#
        )
        defer { try? FileManager.default.removeItem(at: bad) }
        let wrong = try Program.kedge("check", bad.path)
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("result.json, byte"))
    }

    @Test func `what would write into an export says the whole command that makes an archive of it`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        for refused in [
            try Program.kedge("send", "libera.kedge", "mine", "--as", "ana", "--archive", folder.path),
            try Program.kedge("new", "Games night", "--archive", folder.path),
        ] {
            #expect(refused.status == 4, "\(refused)")
            #expect(refused.errors.contains("`kedge import \(folder.path) FOLDER`"), "\(refused)")
        }
    }

    @Test func `every format has the files of messages, and the people of system lines`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let general = folder.appending(path: "conversations/general")
        try FileManager.default.createDirectory(at: general, withIntermediateDirectories: true)
        try Data(#"{"format":"kedge","version":1}"#.utf8).write(to: folder.appending(path: "archive.json"))
        try Data(
            #"""
            {"type":"message","id":"1","at":"2026-03-29T00:00:06Z","from":"ana","kind":"system","text":"set the topic"}
            {"type":"message","id":"2","at":"2026-03-29T00:00:07Z","from":"ana","kind":"system","text":"ana left"}
            {"type":"message","id":"3","at":"2026-03-29T00:00:08Z","from":"ben","text":"","attachments":[{"name":"a.pdf"}]}

            """#.utf8
        ).write(to: general.appending(path: "messages-000001.jsonl"))
        func export(_ format: String) throws -> String {
            try Program.kedge("export", "general", "--archive", folder.path, "--zone", "UTC", "--format", format).output
        }
        #expect(
            try export("weechat") == """
                2026-03-29 00:00:06\t--\tana set the topic
                2026-03-29 00:00:07\t--\tana left
                2026-03-29 00:00:08\tben\t[a.pdf]

                """)
        #expect(try export("text").hasPrefix("2026-03-29 00:00  -- ana set the topic\n2026-03-29 00:00  -- ana left\n"))
        let markdown = try export("markdown")
        #expect(markdown.hasPrefix("_2026-03-29 00:00_\n\nana set the topic\n") && markdown.contains("[a.pdf]"))
    }

    @Test func `a destination that cannot be made is named, and not the cache`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/irc.libera.#kedge.weechatlog"
        let refused = try Program.kedge("import", folder.path, file + "/new")
        #expect(refused.status == 4 || refused.status == 3)
        #expect(refused.errors.contains("cannot be written (Not a directory); name another folder"), "\(refused)")
        #expect(!refused.errors.contains("XDG_CACHE_HOME"))
    }

    @Test func `an import can be written in, and a second one adds only what is new`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        let archive = FileManager.default.temporaryDirectory.appending(path: "kedge-import-\(UUID().uuidString)")
        defer { for url in [folder, archive] { try? FileManager.default.removeItem(at: url) } }
        #expect(
            try Program.kedge("import", folder.path, archive.path).output.contains(
                "1 conversation: 3 records added, 0 already there"))
        let sent = try Program.kedge(
            "send", "libera.kedge", "mine", "--archive", archive.path, "--as", "cleo", "--new-person")
        #expect(sent.status == 0)
        let file = try FileHandle(forWritingTo: folder.appending(path: "irc.libera.#kedge.weechatlog"))
        try file.seekToEnd()
        try file.write(contentsOf: Data("2026-03-29 00:02:00\tana\tnew\n".utf8))
        try file.close()
        #expect(
            try Program.kedge("import", folder.path, archive.path).output.contains("1 record added, 3 already there"))
        let text = try Program.kedge("export", "libera.kedge", "--archive", archive.path, "--format", "text").output
        #expect(
            text.split(separator: "\n").map { $0.split(separator: "  ").last ?? "" } == [
                "ana: hello", "-- ben (b@h) has joined #kedge", "ben: the tide", "cleo: mine", "ana: new",
            ])
    }

    @Test func `an import into an archive that is not made of the export needs a word, and is read`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        let other = try source("irc.libera.#harbour.weechatlog", ExportCommandTests.log)
        defer { for url in [folder, other] { try? FileManager.default.removeItem(at: url) } }
        let archive = try ScratchArchive()
        try archive.openOnce()
        let before = try archive.log()
        let refused = try archive.kedge("import", folder.path, archive.path)
        #expect(refused.status == 2)
        #expect(
            refused.errors.contains("not made by an import; to have both in one archive, add --merge"), "\(refused)")
        #expect(try archive.log() == before)
        #expect(try archive.names("conversations") == ["general"])

        #expect(try archive.kedge("import", folder.path, archive.path, "--merge").output.contains("3 records added"))
        let list = try archive.kedge("list").output.split(separator: "\n").map { $0.split(separator: "\t")[0...2] }
        #expect(list.contains { $0 == ["libera.kedge", "3", "0"] }, "\(list)")

        let made = archive.path + "/made"
        #expect(try archive.kedge("import", folder.path, made).status == 0)
        let mixed = try archive.kedge("import", other.path, made)
        #expect(mixed.status == 2 && mixed.errors.contains("an archive that is made of \(folder.path)"), "\(mixed)")
    }

    @Test func `an import says who one is in the new archive, and lists whom it may mean`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        let archive = try ScratchArchive()
        let made = archive.path + "/made"
        let refused = try archive.kedge("import", folder.path, made, "--as", "anna")
        #expect(refused.status == 2 && !FileManager.default.fileExists(atPath: made))
        #expect(
            refused.errors.contains("nobody in this export is called \"anna\"; did you mean ana?"), "\(refused)")
        #expect(refused.errors.contains("kedge import \(folder.path) \(made) --as ana"), "\(refused)")
        for _ in 1...2 { #expect(try archive.kedge("import", folder.path, made, "--as", "Ana").status == 0) }
        let sent = try Program.kedge("send", "libera.kedge", "mine", "--archive", made)
        #expect(sent.status == 0, "\(sent)")
        let other = try archive.kedge("import", folder.path, made, "--as", "ben")
        #expect(other.status == 2 && other.errors.contains("you are ana in this archive"), "\(other)")
    }

    @Test func `an import leaves unread what was unread`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        let archive = try ScratchArchive()
        try archive.openOnce()
        try archive.write("conversations/libera.kedge/messages-000001.jsonl", ScratchArchive.message("m", "new") + "\n")
        #expect(try archive.kedge("import", folder.path, archive.path, "--merge").status == 0)
        let list = try archive.kedge("list").output.split(separator: "\n").map { $0.split(separator: "\t")[0...2] }
        #expect(list.contains { $0 == ["libera.kedge", "4", "2"] }, "\(list)")
    }

    @Test(arguments: [
        ("m-1..x-1", "m-1 m-2 m-3 m-4 m-5 m-6 x-1 x-2"), ("m-4..m-6", "m-1 m-2 m-3 m-4 m-5 m-6"),
        ("m-2..m-5", "m-2 m-3 m-4 m-5"),
    ]) func `a reply to a reply follows that reply`(range: String, shown: String) throws {
        let archive = try ScratchArchive()
        let replies = [("m-3", "m-2"), ("m-4", "m-3"), ("m-5", "m-1"), ("m-6", ""), ("x-1", "x-2"), ("x-2", "x-1")]
        let lines = replies.map { id, root in
            ScratchArchive.message(id, "hello", more: root.isEmpty ? "" : #","thread":"\#(root)""#) + "\n"
        }
        try archive.write(ScratchArchive.segment, archive.log() + lines.joined())
        let exported = try archive.kedge("export", "general").output.split(separator: "\n").map { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? String ?? ""
        }
        #expect(exported == ["m-1", "m-2", "m-3", "m-4", "m-5", "m-6", "x-1", "x-2"])
        let result = try archive.kedge("show", "general/\(range)")
        let links = result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" }.dropFirst("general/".count) }
        #expect(links.joined(separator: " ") == shown, "\(result)")
    }

    @Test func `an export prints what an import reads`() throws {
        let folder = try source("irc.libera.#kedge.weechatlog", ExportCommandTests.log)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = try Program.kedge(
            "export", "libera.kedge", "--archive", folder.path, "--format", "weechat"
        ).output
        #expect(output.contains("2026-03-29 00:00:06\tana\thello\n"))
        let records = try Program.kedge("export", "libera.kedge", "--archive", folder.path).output
        for line in records.split(separator: "\n") {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
    }

    @Test func `what is no export is told with what is`() throws {
        let folder = try source("notes.bin", "\u{1}\u{2}\u{3}")
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try Program.kedge("list", "--archive", folder.path)
        #expect(result.status == 3)
        #expect(result.errors.contains("neither an archive of Kedge nor an export that it reads"))
        #expect(result.errors.contains("Slack export"))
    }
}
