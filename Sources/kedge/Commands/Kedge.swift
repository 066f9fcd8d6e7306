import ArgumentParser
import CMemory
import Glibc
import Interface
import Messages
import Terminal
import Usage

@main
struct Kedge: ParsableCommand {
    static let configuration = CommandConfiguration(
        // The names of the commands are written out: otherwise each start of the program would ask the runtime for the names
        // of their types.
        commandName: "kedge",
        abstract: "Open a chat at any message, and scroll from there both ways.",
        discussion: """
            An archive is a folder of plain JSON files, or an export of another program (IRC logs, Slack, Discord, Telegram, \
            Matrix, WhatsApp). It is the one named by --archive, else by the variable KEDGE_ARCHIVE, else by \
            $XDG_CONFIG_HOME/kedge/config.toml, else the current folder. The name of `open` may be left out.

              kedge                                a list of conversations to choose from
              kedge general                        the newest messages
              kedge general/m-001500               this message in the middle of the screen
              kedge general --date 2025-03-01      the first message on or after it
              kedge ~/irclogs                      the logs of an IRC client
              kedge list                           the conversations of the archive
              kedge search seamless mode           messages with these words, newest first
              kedge send general "See you there."  sends a message
              kedge stats general                  messages by month, person and hour
              kedge import export.zip ~/chats      an archive of an export, to write in
              kedge init ~/chats                   makes an empty archive
              kedge demo                           a small archive to try Kedge with

            Exit status: 0 done, 1 nothing found, 2 wrong usage, 3 the archive cannot be read, 4 not sent, \
            130 interrupted, 128 and its number for any other signal.
            """,
        version: Version.text,
        subcommands: [
            Open.self, Search.self, Show.self, List.self, Send.self, New.self, Init.self, Stats.self, Index.self,
            Check.self,
            Import.self, ExportCommand.self, ConfigCommand.self, Demo.self,
        ]
    )

    static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }

    /// Not `async`: on Linux an asynchronous main hands the main actor to another thread, and ncurses and the event
    /// loop need the main thread.
    static func main() {
        // At the limit of a file's size the write is to fail, and not to end the process by a signal.
        signal(SIGXFSZ, SIG_IGN)
        cmemory_configure()
        let arguments = ProgramArguments.all
        let words = CommandLineWords(arguments, commands: commandNames)
        do {
            try Descriptors.prepare()
            if words.arguments.first == "open" {
                cmemory_widen()
                EarlyThread.start()
            }
            if try servesInstallation(arguments) { Exit.now(0) }
            CrashGuard.install(log: LogFile.path)
            if let name = words.unknownTopic { throw words.noCommand(name) }
            var command = try plainCommand(words.arguments) ?? parseAsRoot(words.parsed)
            try command.run()
            Exit.now(0)
        } catch {
            let ofTerminal = (error as? TerminalError).map { CommandError(.usage, $0.description) }
            let error: any Error = ofTerminal ?? error
            let isOwn = error is CommandError || error is StoreError
            let complaint = isOwn || exitCode(for: error) == .success ? nil : message(for: error)
            Kedge.end(with: words.explained(error, complaint: complaint), of: words.arguments.first)
        }
    }
}

extension Kedge {
    /// Prints the error, and ends the process with its exit status.
    /// - Parameter command: the first word of the command line, to name its help after an error of the command line.
    static func end(with error: any Error, of command: String?) -> Never {
        switch error {
        case let error as CommandError: end(error.status.code, error.text)
        case let error as StoreError: end(with: CommandError(error), of: command)
        case is CancellationError:
            end(with: CommandError(.unreadable, "the work was cancelled; try again"), of: command)
        default: endAsParserSays(error, of: command)
        }
    }

    /// Prints help and version on stdout unchanged, and an error of the command line in one line.
    private static func endAsParserSays(_ error: any Error, of command: String?) -> Never {
        guard exitCode(for: error) != .success else {
            do {
                try Output.print([HelpText.wrapped(fullMessage(for: error), columns: Output.columns)])
                Exit.now(0)
            } catch {
                end(with: error, of: command)
            }
        }
        // A pipe to a command is easily taken for its text.
        let isPiped = command == "send" && isatty(STDIN_FILENO) != 1
        let name = command.flatMap { commandNames.contains($0) && $0 != "help" ? $0 : nil }
        let line = ParserMessage.line(
            message(for: error), of: "kedge", command: name, arguments: ProgramArguments.all[...],
            adviceWithoutText: isPiped ? "to send the text of a pipe: kedge send CONVERSATION -" : nil)
        end(CommandError.Status.usage.code, line)
    }

    private static func end(_ status: Int32, _ text: String) -> Never {
        if !text.isEmpty { Output.complain(text) }
        Exit.now(status)
    }
}

extension Kedge {
    /// Runs `complete`, which the completions of shells call, and `manual`, which `make install` calls: they are not
    /// for people, and the help does not list them.
    /// - Returns: true if the command line is one of these.
    static func servesInstallation(_ arguments: [String]) throws -> Bool {
        switch arguments.first {
        case "complete":
            // Shells keep the separator.
            let words = arguments.dropFirst().first == "--" ? arguments.dropFirst(2) : arguments.dropFirst()
            try Output.print(Completion(Array(words), commands: configuration.subcommands).lines)
        case "manual":
            if let name = arguments.dropFirst().first {
                try printManual(of: name)
            } else {
                try Output.print(configuration.subcommands.compactMap { $0.configuration.commandName })
            }
        default: return false
        }
        return true
    }

    private static func printManual(of name: String) throws {
        // A part of kedge(1).
        if name == "keys" { return try Output.write(KeysManual.text(of: .standard)) }
        guard let command = configuration.subcommands.first(where: { $0.configuration.commandName == name }) else {
            throw CommandError(.usage, "there is no command \"\(name.shortened)\"")
        }
        try Output.write(ManualPage(CommandHelp(command)).text)
    }
}

extension Kedge {
    /// The command of a plain command line; nil for any other.
    /// - Parameter arguments: after the name of the program.
    static func plainCommand(_ arguments: [String]) -> (any ParsableCommand)? {
        switch arguments.first {
        case "open": Open(plain: arguments.dropFirst())
        case "search": Search(plain: arguments.dropFirst())
        default: nil
        }
    }
}

extension Open {
    /// - Parameter arguments: after the name of the command.
    fileprivate init?(plain arguments: ArraySlice<String>) {
        guard
            let plain = PlainArguments(
                arguments, options: ["--archive", "--at", "--date"], flags: ["--start", "--unread", "--plain"]),
            plain.words.count <= 2
        else { return nil }
        self = .plain
        options = ArchiveOptions(path: plain.values["--archive"])
        link = plain.words.first
        linkInPath = plain.words.dropFirst().first
        at = plain.values["--at"]
        date = plain.values["--date"]
        start = plain.flags.contains("--start")
        unread = plain.flags.contains("--unread")
        isPlain = plain.flags.contains("--plain")
    }
}

extension Search {
    /// - Parameter arguments: after the name of the command.
    fileprivate init?(plain arguments: ArraySlice<String>) {
        let options: Set = ["--archive", "--in", "--from", "--since", "--until", "--limit"]
        guard let plain = PlainArguments(arguments, options: options, flags: ["--count", "--json", "--raw"]),
            !plain.words.isEmpty, !plain.flags.isSuperset(of: ["--count", "--json"])
        else { return nil }
        let limit = plain.values["--limit"].map { Int($0) ?? 0 }
        if let limit, limit < 1 { return nil }
        self.init()
        self.options = ArchiveOptions(path: plain.values["--archive"])
        words = plain.words
        conversation = plain.values["--in"]
        from = plain.values["--from"]
        since = plain.values["--since"]
        until = plain.values["--until"]
        self.limit = limit
        count = plain.flags.contains("--count")
        json = plain.flags.contains("--json")
        raw = RawOption(plain)
    }
}
