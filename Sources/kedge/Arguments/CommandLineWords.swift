import Interface
import Messages
import Usage

/// The command line, in which the name of `open` may be left out: `kedge general/m-1` is `kedge open general/m-1`.
struct CommandLineWords {
    /// The arguments, beginning with the name of a command unless there are only Kedge's own options.
    let arguments: [String]
    /// The word that was taken for a conversation, because no command has this name; nil if a command was named.
    let guess: String?
    /// The names of all commands, computed only when needed.
    private let commandNames: () -> [String]

    private static let ownOptions: Set = [
        "-h", "--help", "-help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]
    /// The options with a value that may stand before the command.
    private static let optionsBeforeCommand: Set = [
        "--archive", "--zone", "--charset", "--dates", "--format", "--source-format", "--as",
    ]
    private static let flagsBeforeCommand: Set = ["--plain"]
    /// The commands that accept an archive before them, as in `kedge ~/irclogs list`, `kedge work list`.
    private static let commandsAfterPath: Set = [
        "export", "index", "list", "new", "open", "search", "send", "show", "stats",
    ]

    /// - Parameters:
    ///   - words: the words after the name of the program.
    ///   - commands: the names of all commands.
    ///   - isArchive: true if a word names an archive.
    init(
        _ words: [String], commands: @autoclosure @escaping () -> [String],
        isArchive: (String) -> Bool = { ArchiveOptions.isArchive($0) }
    ) {
        commandNames = commands
        guard let first = words.first else {
            (arguments, guess) = (["open"], nil)
            return
        }
        if first == "open" || first == "search" || CommandLineWords.ownOptions.contains(first)
            || commands().contains(first)
        {
            (arguments, guess) = (words, nil)
        } else if let index = CommandLineWords.indexAfterOptions(words), commands().contains(words[index]) {
            var others = words
            let name = others.remove(at: index)
            (arguments, guess) = ([name] + others, nil)
        } else if words.count > 1, CommandLineWords.commandsAfterPath.contains(words[1]), commands().contains(words[1]),
            !first.hasPrefix("-"), isArchive(first)
        {
            (arguments, guess) = ([words[1], "--archive", first] + words.dropFirst(2), nil)
        } else {
            let index = first.hasPrefix("-") ? CommandLineWords.indexAfterOptions(words) : 0
            let word = index.map { words[$0] }
            (arguments, guess) = (["open"] + words, word.flatMap { $0.hasPrefix("-") ? nil : $0 })
        }
    }

    /// The index of the first word after options before the command, as in `kedge --archive PATH list`; nil if there are none.
    private static func indexAfterOptions(_ words: [String]) -> Int? {
        var index = 0
        while index + 1 < words.count {
            if flagsBeforeCommand.contains(words[index]) {
                index += 1
            } else if optionsBeforeCommand.contains(words[index]) {
                index += 2
            } else {
                break
            }
        }
        return index > 0 && index < words.count ? index : nil
    }

    /// The arguments to parse. `--format` is the format of an export, except for commands in which it is that of the output.
    var parsed: [String] {
        let isOfOutput = ["show", "export", "check", "import"].contains(arguments.first)
        return isOfOutput ? arguments : arguments.map { $0 == "--format" ? "--source-format" : $0 }
    }

    /// The topic of `help` if it is not a command; else nil.
    var unknownTopic: String? {
        guard arguments.first == "help", let name = arguments.dropFirst().first, !name.hasPrefix("-"),
            !commandNames().contains(name)
        else { return nil }
        return name
    }

    /// The error to report: a first word that was taken for a conversation may be a misspelt command.
    /// - Parameter complaint: the error of the options' parser, if any.
    func explained(_ error: any Error, complaint: String?) -> any Error {
        guard let guess else { return error }
        let storeError = error as? StoreError
        let isUnknown = if case .noSuchConversation? = storeError { true } else { false }
        let isExcess =
            (error as? CommandError)?.text.contains(CommandLineWords.excess) ?? false
            || complaint?.hasPrefix("Unexpected argument") ?? false
        if isUnknown || isExcess || complaint != nil || (error as? CommandError)?.status == .usage,
            let advice = advice(for: guess)
        {
            return CommandError(.usage, UnknownCommand.text(guess, of: "kedge", advice: advice))
        }
        if isExcess {
            let advice = "`kedge --help` lists the commands. To open a conversation, name it alone"
            return CommandError(.usage, UnknownCommand.text(guess, of: "kedge", advice: advice))
        }
        if (error as? CommandError)?.text == ArchiveOptions.noArchive.text {
            return CommandError(
                .usage,
                "there is no command \"\(guess.shortened)\" and no archive found; `kedge --help` lists the commands. "
                    + "For an archive use --archive PATH, set KEDGE_ARCHIVE, or cd into one")
        }
        guard isUnknown, case .noSuchConversation(_, let nearest)? = storeError, nearest.isEmpty else { return error }
        return CommandError(
            .usage,
            "there is no command and no conversation \"\(guess.shortened)\"; `kedge --help` lists the commands, "
                + "`kedge list` the conversations")
    }

    /// The error for a name that no command has.
    func noCommand(_ name: String) -> CommandError {
        CommandError(.usage, UnknownCommand.text(name, of: "kedge", advice: advice(for: name)))
    }

    /// The command that the user may have meant; nil if there is none.
    private func advice(for name: String) -> String? {
        ForeignCommand.advice(for: name) ?? UnknownCommand.nearest(to: name, among: commandNames(), of: "kedge")
    }

    private static let excess = "is one word too many"

    /// The error for a word that is more than a command takes.
    static func excess(_ word: String, of command: String) -> CommandError {
        CommandError(.usage, "\"\(word.shortened)\" \(excess) (see `kedge \(command) --help`)")
    }
}

/// The commands of other programs that do what a command of Kedge does.
enum ForeignCommand {
    /// The command of Kedge and its purpose; nil for any other word.
    static func advice(for name: String) -> String? {
        switch name.lowercased() {
        case "grep", "rg", "ack", "ag", "egrep", "find", "query": "`kedge search` finds messages"
        case "ls", "ll", "dir", "conversations", "channels", "rooms", "chats", "buffers":
            "`kedge list` lists the conversations"
        case "tail", "head", "log", "logs", "history", "last":
            "`kedge show CONVERSATION --last 20` prints the last messages"
        case "cat", "dump", "print": "`kedge export CONVERSATION --format text` prints a conversation"
        case "view", "less", "more", "read", "go", "join", "goto": "`kedge open CONVERSATION` opens a conversation"
        case "say", "msg", "message", "post", "write", "reply": "`kedge send CONVERSATION TEXT` sends a message"
        case "mkdir", "create", "add", "make": "`kedge new TITLE` makes a conversation"
        case "count", "wc", "statistics": "`kedge stats CONVERSATION` counts messages"
        case "settings", "set", "preferences": "`kedge config` prints the settings"
        case "reindex", "rebuild": "`kedge index --rebuild` builds a new index"
        case "fsck", "verify", "validate":
            "`kedge index --check` checks an archive, `kedge check` an export"
        case "man", "usage", "keys": "`kedge --help` lists the commands, and h in `kedge open` the keys"
        case "version": "`kedge --version` prints the version"
        default: nil
        }
    }
}

/// Quotes words of a command that a user may paste into a shell.
enum ShellWord {
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte >= 0x80 || "-_./:@%+,".utf8.contains(byte)
            }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
