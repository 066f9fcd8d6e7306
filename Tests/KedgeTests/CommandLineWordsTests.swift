import Testing

@testable import kedge

/// Command lines in which the name of `open` is left out, or the archive stands in front.
struct CommandLineWordsTests {
    @Test(arguments: [
        ("", "open"), ("general", "open general"), ("general/m-1", "open general/m-1"), ("list", "list"),
        ("general --start", "open general --start"), ("--help", "--help"), ("--version", "--version"), ("help", "help"),
        ("--archive a", "open --archive a"), ("--archive a general", "open --archive a general"),
        ("--archive a list --json", "list --archive a --json"), ("--archive open list", "list --archive open"),
        ("--plain demo", "demo --plain"), ("--plain general", "open --plain general"), ("--plain", "open --plain"),
        ("--archive a --plain open b", "open --archive a --plain b"), ("--unread general", "open --unread general"),
        ("result.json", "open result.json"),
        ("search list", "search list"), ("open list", "open list"),
        ("./a list", "list --archive ./a"), ("/a/b search x --limit 3", "search --archive /a/b x --limit 3"),
        (".. show general", "show --archive .. general"), ("/a/b general", "open /a/b general"),
        ("/a/b", "open /a/b"), ("a list", "open a list"), ("/a/b import", "open /a/b import"),
        ("work list --json", "list --archive work --json"),
        ("work general", "open work general"), ("work", "open work"), ("list work", "list work"),
    ])
    func `A command line without a command is that of open`(line: String, full: String) {
        let words = CommandLineWords(
            line.split(separator: " ").map(String.init), commands: Kedge.commandNames,
            isArchive: { ArchiveOptions.isPath($0) || $0 == "work" })
        #expect(words.arguments.joined(separator: " ") == full)
    }

    @Test(arguments: [
        ("list --format irc", "list --source-format irc"), ("--format irc general", "open --source-format irc general"),
        ("show general --format text", "show general --format text"), ("check a --format irc", "check a --format irc"),
        ("export general --format text", "export general --format text"),
    ])
    func `The format is that of the export, unless a command has one of its output`(line: String, parsed: String) {
        let words = CommandLineWords(line.split(separator: " ").map(String.init), commands: Kedge.commandNames)
        #expect(words.parsed.joined(separator: " ") == parsed)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("", "''"), ("~/x", "'~/x'"), ("ü", "ü"),
        ("$x", "'$x'"),
    ])
    func `A word for a shell is quoted where it must be`(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
