import Display
import Testing

@testable import Settings

struct KeySettingsTests {
    private func read(_ text: String) -> (keys: [Config.Keys], problems: [String]) {
        let (config, problems) = Config.read(text, path: "config.toml", home: "/home/ana")
        return (config.keys, problems)
    }

    @Test func `A command takes a key or a list of keys, in the order of the file`() {
        let (keys, problems) = read(
            """
            [keys]
            reply = ["r", "alt-r"]
            quit = []
            edit = "E"
            [keys.writing]
            send = "alt-enter"
            """)
        #expect(problems == [])
        #expect(keys.map(\.command) == ["reply", "quit", "edit", "send"])
        #expect(keys.map(\.keys) == [[.character("r"), .alt("r")], [], [.character("E")], [.altEnter]])
        #expect(keys.map(\.table) == ["keys", "keys", "keys", "keys.writing"])
        #expect(keys.map(\.place) == [2, 3, 4, 6].map { "config.toml:\($0)" })
    }

    @Test func `An unknown key is reported with its line, and the others count`() {
        let (keys, problems) = read("[keys]\nreply = [\"r\", \"ctl-k\"]\nedit = \"nope\"\nwrite = \"w\"")
        let advice = "(a key is a character, or as in ctrl-k, alt-1, f2, pageup, space, enter); ignored"
        #expect(
            problems == [
                "config.toml:2: keys.reply: unknown key \"ctl-k\" \(advice)",
                "config.toml:3: keys.edit: unknown key \"nope\" \(advice)",
            ])
        #expect(keys.map(\.command) == ["reply", "write"])
        #expect(keys.map(\.keys) == [[.character("r")], [.character("w")]])
    }

    @Test(arguments: ["reply = 7", "reply = [1]", "reply = [\"r\", 1]", "reply = true", "reply = {a = \"b\"}"])
    func `A value that is no key is reported with its line`(line: String) {
        let (keys, problems) = read("[keys]\n\(line)\nwrite = \"w\"")
        #expect(problems == ["config.toml:2: keys.reply takes a key or a list of keys; ignored"])
        #expect(keys.map(\.command) == ["write"])
    }

    @Test func `Only some of many mistakes are reported`() {
        let (_, problems) = read("[keys]\n" + (1...1_000).map { "a\($0) = \($0)" }.joined(separator: "\n"))
        #expect(problems.count == 11)
        #expect(problems.last == "config.toml: 990 more mistakes in keys; ignored")
    }
}
