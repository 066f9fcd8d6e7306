import Foundation
import TestSupport
import Display
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

    @Test func `Words that mention the user are read, one or several`() {
        let (config, problems) = read("highlight = [\"deploy\", \"C++\"]")
        #expect(problems == [] && config.highlight == ["deploy", "C++"])
        #expect(read("highlight = \"deploy\"").config.highlight == ["deploy"])
        let wrong = read("highlight = [\"\"]\nhighlihgt = [\"deploy\"]")
        #expect(wrong.config.highlight == [] && wrong.problems.count == 2)
        #expect(wrong.problems.first?.hasPrefix("config.toml:1: highlight takes a word, or a list of words") == true)
        #expect(wrong.problems.last?.hasPrefix("config.toml:2: unknown setting highlihgt; ignored") == true)
    }

    @Test func `Theme and colours are read, and a mistake in one colour leaves the others`() {
        let (config, problems) = read(
            """
            theme = "light"
            status-link = true
            [colors]
            accent = "#5fafff"
            code = "puce"
            """)
        #expect(config.theme == .light && config.showsLink)
        var changes = ThemeChanges()
        let isSet = changes.set(.accent, to: "75")
        #expect(isSet && config.colors == changes)
        #expect(problems.count == 1 && problems[0].hasPrefix("config.toml:5: colors.code takes a number"))
        #expect(read("theme = \"pink\"").problems.first?.contains("theme takes one of \"auto\"") == true)
    }

    @Test func `Times, names and the title are read, within their limits`() {
        let (config, problems) = read("time = \"12h\"\nseconds = true\nname-width = 20\ntitle = false")
        #expect(problems == [])
        #expect(config.showsTwelveHours && config.showsSeconds && config.nameWidth == 20 && !config.setsTitle)
        #expect(!read("time = \"24h\"").config.showsTwelveHours)
        #expect(
            read("time = \"noon\"\nname-width = 3\ntitle = 1").problems == [
                "config.toml:1: time takes \"24h\" or \"12h\"; ignored",
                "config.toml:2: name-width takes a number from 4 to 60; ignored",
                "config.toml:3: title takes true or false; ignored",
            ])
    }

    @Test(arguments: ["", "# nothing\n", "[notify]\n"])
    func `A setting that is missing has the value that it has without a file`(text: String) {
        #expect(read(text).config == Config())
        #expect(read(text).problems == [])
        #expect(Config().me == nil && Config().archive == nil)
    }

    @Test func `A tilde stands for the home folder`() {
        #expect(read(#"archive = "~/chats""#).config.archive == "/home/ana/chats")
    }

    @Test(arguments: [
        ("me = ana", #"text needs quotes: me = "ana""#), ("  me=ana ruiz # I", #"text needs quotes: me = "ana ruiz""#),
        ("archive = ~/chats", #"text needs quotes: archive = "~/chats""#),
        ("archive = /chats", #"text needs quotes: archive = "/chats""#),
    ])
    func `A text without quotes is reported as it should be`(text: String, problem: String) {
        let problems = read("# mine\n" + text).problems
        #expect(problems == ["config.toml:2: \(problem); the file is ignored"])
    }

    @Test(arguments: [
        "me = ", "= ana", "me", "[me", "notify.bell = yes", "notify.bell = True", "me = \"ana", "me = 'ana",
    ])
    func `Other mistakes are not taken for texts without quotes`(text: String) {
        let problems = read(text).problems
        #expect(problems.count == 1 && !problems[0].contains("needs quotes"), "\(problems)")
    }

    @Test(arguments: [
        ("me = \"ana", "\""), ("me = \"ana\ntheme = \"dark\"", "\""), ("me = 'ana", "'"), ("me = \"a\\\"", "\""),
        ("highlight = [\"a\", \"b]", "\""), ("me = \"#1", "\""),
    ])
    func `A text that is not closed on its line is reported`(text: String, quote: String) {
        #expect(read(text).problems == ["config.toml:1: the closing \(quote) is missing; the file is ignored"])
    }

    @Test func `Several colours of names are told apart from the wrong ones`() {
        let wants = "a number from 0 to 255, a name such as bright-blue, #rrggbb, or default"
        #expect(
            read("[colors]\nnames = \"1 2 300\"\ndim = \"puce\"\nbar = \"1 2\"").problems == [
                "config.toml:2: colors.names takes \(wants), or several of these with blanks between them, not \"300\"; ignored",
                "config.toml:3: colors.dim takes \(wants), not \"puce\"; ignored",
                "config.toml:4: colors.bar takes \(wants); ignored",
            ])
    }

    @Test func `An archive may say how its files are to be read`() {
        let (config, problems) = read(
            "[archives.irc]\npath = \"/irc\"\ncharset = \"koi8-r\"\ndates = \"dmy\"\nformat = \"irc\"")
        #expect(problems.isEmpty)
        #expect(
            config.archives["irc"] == Config.Archive(path: "/irc", charset: "koi8-r", dates: "dmy", format: "irc"))
        #expect(
            read("[archives.irc]\npath = \"/irc\"\ndates = \"ydm\"").problems
                == ["config.toml:3: archives.irc.dates takes \"dmy\", \"mdy\" or \"ymd\"; ignored"])
    }

    @Test func `A zone that this machine does not know is reported with its line`() {
        let (config, problems) = read("[archives.tele]\npath = \"/tele\"\nzone = \"Europe/Nowhere\"")
        #expect(
            problems == [
                "config.toml:3: archives.tele.zone takes a zone that this machine knows, such as Europe/Berlin or +02:00; ignored"
            ])
        #expect(config.archives["tele"] == Config.Archive(path: "/tele", zone: nil))
    }

    @Test func `Mistakes of several readers are told in the order of the file`() {
        let problems = ["/c/config.toml:2: a", "/c/config.toml:27: b", "/c/config.toml: c", "/c/config.toml:14: d"]
        #expect(Config.sorted(problems, folder: "/c").map { $0.suffix(1) } == ["a", "d", "b", "c"])
    }

    @Test func `An archive may be named by its path alone, or by a table`() {
        let config = read("[archives]\nwork = \"~/work\"\n[archives.irc]\npath = \"/irc\"\nzone = \"UTC\"").config
        #expect(config.archives["work"] == Config.Archive(path: "/home/ana/work", zone: nil))
        #expect(config.archives["irc"] == Config.Archive(path: "/irc", zone: "UTC"))
        #expect(config.places["archives.work.path"] == "config.toml:2")
        #expect(config.places["archives.irc.zone"] == "config.toml:5")
        #expect(config.places["archives"] == nil)
        #expect(config.me(at: "/irc") == nil)
        let problems = read("[archives]\nwork = \"work\"").problems
        #expect(
            problems == [
                "config.toml:2: archives.work takes a path from / or ~/, or a table with path, zone, me, charset, dates and format; ignored"
            ])
    }

    @Test func `An archive may say who the user is there, by its path too`() throws {
        let folder = FileManager.default.temporaryDirectory
        let config = read(
            "me = \"ana\"\n[archives]\nwork = \"/work\"\n[archives.irc]\npath = \"\(folder.path)/\"\nme = \"ana_\""
        ).config
        let own = try #require(config.me(at: folder.path))
        #expect(own == ("ana_", "config.toml:6: archives.irc.me"))
        #expect(config.me(at: folder.path + "/.")?.name == "ana_")
        let other = try #require(config.me(at: "/work"))
        #expect(other == ("ana", "config.toml:1: me"))
        let problems = read("[archives.irc]\npath = \"/irc\"\nme = 7\nmee = \"x\"").problems
        #expect(
            problems == [
                "config.toml:3: archives.irc.me takes the ID or the name of a person; ignored",
                "config.toml:4: unknown setting archives.irc.mee; ignored (did you mean archives.irc.me?)",
            ])
    }

    @Test(arguments: [
        ("me = 7", "me takes the ID or the name of a person; ignored"),
        (#"me = """#, "me takes the ID or the name of a person; ignored"),
        (#"me = "a\u001bb""#, "me takes the ID or the name of a person; ignored"),
        (#"archive = "chats""#, "archive takes a path from / or ~/, or a name of [archives.NAME]; ignored"),
        (#"notify = "yes""#, "notify takes a table; ignored"),
        ("notify.bell = 1", "notify.bell takes true or false; ignored"),
        ("notify.lamp = true", "unknown setting notify.lamp; ignored (settings: notify.bell, notify.desktop)"),
        (
            "colour = true",
            "unknown setting colour; ignored (did you mean colors?)"
        ),
        (
            #""a\nb\u001b" = 1"#,
            "unknown setting a\u{FFFD}b\u{FFFD}; ignored (settings: me, highlight, archive, archives, theme, status-link, time, seconds, name-width, title, list, plain, receipts, colors, keys, notify)"
        ),
    ])
    func `A mistake is reported with its line, and the other settings count`(text: String, problem: String) {
        let isMe = text.hasPrefix("me"), isArchive = text.hasPrefix("archive")
        let rest = [isMe ? nil : "me = \"ana\"", isArchive ? nil : "archive = \"/chats\""].compactMap(\.self)
        let (config, problems) = read((rest + [text]).joined(separator: "\n"))
        #expect(problems == ["config.toml:\(rest.count + 1): \(problem)"])
        #expect(config.me == (isMe ? nil : "ana"))
        #expect(config.archive == (isArchive ? nil : "/chats"))
        #expect(config.notify == Config.Notify())
    }

    @Test func `Mistakes are told in the order of the file, and a misspelt name with the one that was meant`() {
        let problems = read("them = \"dark\"\nname-width = 0\n[keys]\nquit = \"zz\"\n[colors]\naccnt = 1").problems
        #expect(
            problems.map { String($0.prefix(36)) } == [
                "config.toml:1: unknown setting them;", "config.toml:2: name-width takes a nu",
                "config.toml:4: keys.quit: unknown ke", "config.toml:6: unknown setting color",
            ])
        #expect(problems[0].hasSuffix("ignored (did you mean theme?)"))
        #expect(problems[3].hasSuffix("ignored (did you mean colors.accent?)"))
    }

    @Test func `The place of the setting me is known`() {
        #expect(read("\n\nme = \"ana\"").config.places["me"] == "config.toml:3")
        #expect(read("me = 7").config.places["me"] == nil)
    }

    @Test func `Only some of many unknown names are reported`() {
        let (_, problems) = read((1...1_000).map { "a\($0) = \($0)" }.joined(separator: "\n"))
        #expect(problems.count == 11)
        #expect(
            problems.first
                == "config.toml:1: unknown setting a1; ignored (settings: me, highlight, archive, archives, theme, status-link, time, seconds, name-width, title, list, plain, receipts, colors, keys, notify)"
        )
        #expect(problems.last == "config.toml: 990 more unknown settings; ignored")
    }

    @Test(arguments: [
        ("me = ana", 1), ("me = \"ana\"\narchive = \"", 2), ("\n\n[notify\n", 3), ("me = \"a\"\nme = \"b\"", 2),
        // Inputs for assertions of toml++.
        ("[[[", 1), ("me = \"ana\"\n[[ [\n", 2), ("[}", 1), ("\n\n[=\n\n", 3), ("[.a]", 1), ("[[]]", 1),
        ("\u{391}-\u{8}", 1), ("é = 1", 1), ("me = é", 1),
        ("[\"\"\"\"\"\"]", 1),
    ])
    func `A file that is not TOML is reported with its line`(text: String, line: Int) {
        let (config, problems) = read(text)
        #expect(config == Config())
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.hasPrefix("config.toml:\(line): ") && !$0.contains("\n") }, "\(problems)")
    }

    @Test(arguments: [
        ("", "[", ""), ("a = ", "[", ""), ("", "a.", "a = 1"), ("[", "a . ", "a]"), ("", "\"..\".", "a = 1"),
        ("a = ", "{a=", ""), ("a = ", "[\n{a.a.a.a.a.a.a.a.a.a=", ""),
    ])
    func `A file that nests too deeply is reported`(start: String, part: String, end: String) {
        let (config, problems) = read(start + String(repeating: part, count: 100_000) + end)
        #expect(config == Config())
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.hasPrefix("config.toml:") && $0.utf8.count < 1_000 })
    }

    @Test func `Dots in comments and texts do not count as nesting`() {
        let (config, problems) = read(
            "# \(String(repeating: ". ", count: 100))\n# \(String(repeating: ".", count: 100))\nme = \"a...\"")
        #expect(problems == [])
        #expect(config.me == "a...")
    }

    @Test func `Any contents of the file give settings and lines`() {
        let seed = ProcessInfo.processInfo.environment["KEDGE_SEED"].flatMap(UInt64.init) ?? .random(in: 1...1_000_000)
        print("short settings: KEDGE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("[]{}=.,\"'\n a1#éΑ天")
        for number in 0..<150_000 {
            let text = String(
                (0..<Int.random(in: 1...9, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
            let (_, problems) = read(text)
            guard problems.contains(where: { $0.contains("\n") || !$0.hasPrefix("config.toml:") }) else { continue }
            Issue.record("KEDGE_SEED=\(seed), text \(number): \(text.debugDescription): \(problems)")
            return
        }
    }

    @Test func `The file is read from its folder, and without one all settings have their defaults`() throws {
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
        #expect(load().problems == ["\(file.path): not UTF-8; ignored"])
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(load().problems == ["\(file.path): is not a regular file (move it away); ignored"])
    }
}
