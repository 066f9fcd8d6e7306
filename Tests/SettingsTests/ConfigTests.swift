import Foundation
import Testing

@testable import Settings

struct ConfigTests {
    private func read(_ text: String) -> (config: Config, problems: [String]) {
        Config.read(text, path: "config.toml", home: "/home/ana")
    }

    @Test func `All settings are read`() {
        let (config, problems) = read(
            """
            # mine
            me = "ana"
            archive = "/chats"

            [notify]
            bell = true
            desktop = true
            """)
        #expect(problems == [])
        #expect(config.me == "ana")
        #expect(config.archive == "/chats")
        #expect(config.notify.bell)
        #expect(config.notify.desktop)
    }

    @Test(arguments: ["", "# nothing\n", "[notify]\n"])
    func `What is not set is as it is without a file`(text: String) {
        #expect(read(text).config == Config())
        #expect(read(text).problems == [])
        #expect(Config().me == nil && Config().archive == nil)
    }

    @Test func `The home folder has its sign`() {
        #expect(read(#"archive = "~/chats""#).config.archive == "/home/ana/chats")
    }

    @Test(arguments: [
        ("me = 7", "config.toml: me takes the ID of a person; it is passed over"),
        (#"me = """#, "config.toml: me takes the ID of a person; it is passed over"),
        (#"me = "a\u001bb""#, "config.toml: me takes the ID of a person; it is passed over"),
        (#"archive = "chats""#, "config.toml: archive takes a path from / or ~/; it is passed over"),
        (#"notify = "yes""#, "config.toml: notify takes a table; it is passed over"),
        ("[notify]\nbell = 1", "config.toml: notify.bell takes true or false; it is passed over"),
        ("[notify]\nlamp = true", "config.toml: notify.lamp is no setting; there are notify.bell, notify.desktop"),
        ("colour = true", "config.toml: colour is no setting; there are me, archive, notify"),
    ])
    func `What is not right is told, and the rest counts`(text: String, problem: String) {
        let isMe = text.hasPrefix("me"), isArchive = text.hasPrefix("archive")
        let rest = (isMe ? "" : "me = \"ana\"\n") + (isArchive ? "" : "archive = \"/chats\"\n")
        let (config, problems) = read(rest + text)
        #expect(problems == [problem])
        #expect(config.me == (isMe ? nil : "ana"))
        #expect(config.archive == (isArchive ? nil : "/chats"))
        #expect(config.notify == Config.Notify())
    }

    @Test(arguments: [
        ("me = ana", 1), ("me = \"ana\"\narchive = \"", 2), ("\n\n[notify\n", 3), ("me = \"a\"\nme = \"b\"", 2),
    ])
    func `What is no TOML is told with its line`(text: String, line: Int) {
        let (config, problems) = read(text)
        #expect(config == Config())
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.hasPrefix("config.toml:\(line): ") && !$0.contains("\n") }, "\(problems)")
    }

    @Test func `The file is looked for, and without one all is as it was`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-config-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let load = { Config.load(folder: folder.path, home: "/home/ana") }
        #expect(load().config == Config() && load().problems == [])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "config.toml")
        try #"me = "zoë""#.write(to: file, atomically: false, encoding: .utf8)
        #expect(load().config.me == "zoë" && load().problems == [])
        try Data([0x6D, 0xFF]).write(to: file)
        #expect(load().config == Config())
        #expect(load().problems == ["\(file.path): is not UTF-8; it is passed over"])
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(load().problems == ["\(file.path): cannot be read (Is a directory); it is passed over"])
    }
}
