import Interface
import Messages
import Search

/// The command line, in which the name of `open` may be left out: `kedge general/m-1` is `kedge open general/m-1`.
struct CommandLineWords {
    /// Begins with the name of a command, unless only Kedge's own options stand there.
    let arguments: [String]
    /// The word that was taken for a conversation, because it is the name of no command; nil if a command was named.
    let guess: String?
    /// The names of all commands.
    private let commands: [String]

    private static let ownOptions: Set = [
        "-h", "--help", "-help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]
    private static let optionsBeforeCommand: Set = ["--archive", "--zone", "--as"]

    /// - Parameters:
    ///   - words: after the name of the program.
    ///   - commands: the names of all commands.
    init(_ words: [String], commands: [String]) {
        self.commands = commands
        guard let first = words.first else {
            (arguments, guess) = (["open"], nil)
            return
        }
        if first == "open" || first == "search" || CommandLineWords.ownOptions.contains(first)
            || commands.contains(first)
        {
            (arguments, guess) = (words, nil)
        } else if let index = CommandLineWords.indexAfterOptions(words), commands.contains(words[index]) {
            var others = words
            let name = others.remove(at: index)
            (arguments, guess) = ([name] + others, nil)
        } else {
            (arguments, guess) = (["open"] + words, first.hasPrefix("-") ? nil : first)
        }
    }

    /// The first word after options that stand before the command, as in `kedge --archive PATH list`.
    private static func indexAfterOptions(_ words: [String]) -> Int? {
        var index = 0
        while index + 1 < words.count, optionsBeforeCommand.contains(words[index]) { index += 2 }
        return index > 0 && index < words.count ? index : nil
    }

    /// The error to report: where the first word was taken for a conversation, it may have been a misspelt command.
    /// - Parameter isOfParser: whether the parser of options reports a mistake.
    func explained(_ error: any Error, isOfParser: Bool) -> any Error {
        guard let guess else { return error }
        let isUnknown = CommandLineWords.isUnknownConversation(error)
        if isUnknown || isOfParser || (error as? Failure)?.status == .usage,
            let name = Spelling.nearest(to: guess, among: commands)
        {
            return Failure(.usage, "there is no command \"\(guess.shortened)\"; did you mean `kedge \(name)`?")
        }
        if (error as? Failure)?.text == ArchiveOptions.noArchive.text {
            return Failure(
                .usage,
                "there is no command \"\(guess.shortened)\" and no archive found; `kedge --help` lists the commands. "
                    + "For an archive use --archive PATH, set KEDGE_ARCHIVE, or cd into one")
        }
        guard isUnknown, case .noSuchConversation(_, let nearest)? = CommandLineWords.storeError(error),
            nearest.isEmpty
        else { return error }
        return Failure(
            .usage,
            "there is no command and no conversation \"\(guess.shortened)\"; `kedge --help` lists the commands, "
                + "`kedge list` the conversations")
    }

    private static func storeError(_ error: any Error) -> StoreError? {
        if case ExitReason.failed(let error) = error { return error }
        return error as? StoreError
    }

    private static func isUnknownConversation(_ error: any Error) -> Bool {
        if case .noSuchConversation? = storeError(error) { true } else { false }
    }
}
