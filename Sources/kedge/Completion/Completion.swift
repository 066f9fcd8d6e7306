import ArgumentParser

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
    /// The value of `--archive` on the line.
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
        archive = before.lastIndex(of: "--archive").flatMap { $0 + 1 < before.count ? before[$0 + 1] : nil }
        wishes = Completion.wishes(word, after: before, commands.compactMap { $0.configuration.commandName })
    }

    private static func wishes(_ word: String, after before: [String], _ commands: [String]) -> [Wish] {
        if let option = before.last, let wishes = valuesOfOptions[option] { return wishes }
        let line = CommandLineWords(before, commands: commands + ["help"])
        let command = before.isEmpty ? nil : line.arguments.first
        if word.hasPrefix("-") { return [.options(of: command ?? "open")] }
        // The words of the command that are no options and none of their values.
        var places = 0
        var words = line.arguments.dropFirst()[...]
        while let next = words.popFirst() {
            if valuesOfOptions[next] != nil { _ = words.popFirst() } else if !next.hasPrefix("-") { places += 1 }
        }
        guard let command else { return [.commands] + links(word) }
        return places == 0
            ? wishes(ofFirstWord: word, of: command, isPlain: before.first == command) : rest(of: command)
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
        "--until": dates, "--limit": [], "--context": [], "--reply-to": [], "--thread": [], "--topic": [], "--name": [],
        "--zone": [],
    ]
    private static let dates = [Wish.words(["today", "yesterday", "monday", "\"last week\"", "\"3 weeks ago\""])]
}
