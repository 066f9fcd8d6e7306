import ArgumentParser
import CMemory
import Interface
import Messages
import Terminal
import Usage

import Glibc

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

    /// Not `async`: on Linux an asynchronous main hands the main actor to another thread, and ncurses and the event loop
    /// are to have the main thread for themselves.
    static func main() {
        // At the limit of a file's size the write is to fail, and not to end the process by a signal.
        signal(SIGXFSZ, SIG_IGN)
        cmemory_configure()
        let arguments = ProgramArguments.all
        let words = CommandLineWords(arguments, commands: commandNames)
        do {
            try Descriptors.prepare()
            if words.arguments.first == "open" { EarlyThread.start() }
            if try servesInstallation(arguments) { Exit.now(0) }
            CrashGuard.install(log: Log.path)
            if let name = words.unknownTopic { throw words.noCommand(name) }
            var command = try plainCommand(words.arguments) ?? parseAsRoot(words.parsed)
            try command.run()
            Exit.now(0)
        } catch {
            let isOwn = error is Failure || error is StoreError || error is ExitReason || error is ExcessWord
            let complaint = isOwn || exitCode(for: error) == .success ? nil : message(for: error)
            Kedge.end(with: words.explained(error, complaint: complaint), of: words.arguments.first)
        }
    }
}
