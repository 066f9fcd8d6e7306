import ArgumentParser
import Formats

/// Completes the last word of a command line.
struct Completion {
    /// Something to complete with.
    enum Wish: Equatable {
        case commands
        case options(of: String)
        case conversations
        /// `general/`, for a word that must become a link.
        case beginningsOfLinks
        /// The newest messages of the conversation in the word: `general/…`.
        case links
        case people
        case archives
        case words([String])
        case files
    }

    /// The word to complete, which may be empty.
    let word: String
    /// The value of `--archive` on the line, else the path that stands before a conversation.
    let archive: String?
    let wishes: [Wish]
    let commands: [any ParsableCommand.Type]

    /// - Parameters:
    ///   - words: after the name of the program; the last one is to be completed.
    ///   - commands: all commands for people.
    init(_ words: [String], commands: [any ParsableCommand.Type]) {
        self.commands = commands
        word = words.last ?? ""
        let before = Array(words.dropLast())
        let option = before.lastIndex(of: "--archive").flatMap { $0 + 1 < before.count ? before[$0 + 1] : nil }
        let line = Line(before, commands.compactMap { $0.configuration.commandName })
        archive = option ?? line.path
        wishes = Completion.wishes(word, after: before, line)
    }

    /// The words before the one to complete.
    private struct Line {
        /// Nil where a command may follow.
        let command: String?
        /// Whether the first word is the command.
        let isPlain: Bool
        /// The words of the command that are no options and none of their values.
        private(set) var words: [String] = []

        init(_ before: [String], _ commands: [String]) {
            let line = CommandLineWords(before, commands: commands + ["help"])
            command = before.isEmpty ? nil : line.arguments.first
            isPlain = before.first == command
            var rest = line.arguments.dropFirst()[...]
            while let next = rest.popFirst() {
                if valuesOfOptions[next] != nil {
                    _ = rest.popFirst()
                } else if !next.hasPrefix("-") {
                    words.append(next)
                }
            }
        }

        /// The archive of `kedge open PATH CONVERSATION`.
        var path: String? {
            guard command == "open", words.count == 1, ArchiveOptions.isPath(words[0]) || words[0].hasPrefix("~/")
            else {
                return nil
            }
            let home = Environment.variables["HOME"] ?? ""
            return words[0].hasPrefix("~/") ? home + words[0].dropFirst() : words[0]
        }
    }

    private static func wishes(_ word: String, after before: [String], _ line: Line) -> [Wish] {
        if let option = before.last, let wishes = valuesOfOptions[option] { return wishes }
        if word.hasPrefix("-") { return [.options(of: line.command ?? "open")] }
        guard let command = line.command else { return [.commands] + links(word) }
        if line.path != nil { return [word.contains("/") ? .links : .conversations] }
        return line.words.isEmpty ? wishes(ofFirstWord: word, of: command, isPlain: line.isPlain) : rest(of: command)
    }

    private static func wishes(ofFirstWord word: String, of command: String, isPlain: Bool) -> [Wish] {
        switch command {
        case "open": (isPlain ? [] : [.commands]) + links(word)
        case "show": [word.contains("/") ? .links : .beginningsOfLinks]
        case "send", "demo": [word.contains("/") ? .links : .conversations]
        case "stats", "export": [.conversations]
        case "check", "import", "init": [.files]
        case "help": [.commands]
        default: []
        }
    }

    /// After the first word.
    private static func rest(of command: String) -> [Wish] { command == "import" ? [.files] : [] }

    private static func links(_ word: String) -> [Wish] {
        if word.hasPrefix("/") || word.hasPrefix(".") || word.hasPrefix("~") { return [.files] }
        return word.contains("/") ? [.links, .files] : [.conversations, .files]
    }

    /// All options that take a value, with the values.
    static let valuesOfOptions: [String: [Wish]] = [
        "--archive": [.archives, .files], "--in": [.conversations], "--from": [.people], "--as": [.people],
        "--format": [.words(["jsonl", "text", "markdown", "weechat"])], "--at": [], "--date": dates, "--since": dates,
        "--until": dates, "--limit": [], "--context": [], "--last": [], "--reply-to": [], "--thread": [], "--topic": [],
        "--name": [],
        "--zone": [],
        "--charset": [.words(["windows-1251", "koi8-r", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"])],
        "--dates": [.words(["dmy", "mdy", "ymd"])], "--source-format": [.words(Formats.all.map(\.id))],
    ]
    private static let dates = [Wish.words(["today", "yesterday", "monday", "last week", "3 weeks ago"])]
}
