import ArgumentParser
import CMemory
import Terminal

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
            $XDG_CONFIG_HOME/kedge/config.toml, else the current folder.

              kedge list                              the conversations of the archive
              kedge open general                      the newest messages
              kedge open general/m-001500             this message in the middle of the screen
              kedge open general --date 2025-03-01    the first message of that day or after it
              kedge search seamless mode              all messages with these words, the newest first
              kedge send general "See you there."     a message into the conversation
              kedge stats general                     how many messages: by month, person and hour
              kedge open --archive ~/irclogs          the logs of an IRC client
              kedge import export.zip ~/chats         an archive of Kedge's own, to write in

            Exit status: 0 done, 1 nothing found, 2 wrong usage, 3 the archive cannot be read, 4 not sent, \
            130 interrupted, 128 and its number for any other signal.
            """,
        version: "0.1.0",
        subcommands: [
            Open.self, Search.self, Show.self, List.self, Send.self, Stats.self, Index.self, Check.self, Import.self,
            ExportCommand.self,
        ]
    )

    /// Not `async`: on Linux an asynchronous main hands the main actor to another thread, and ncurses and the event loop
    /// are to have the main thread for themselves.
    static func main() {
        // At the limit of a file's size the write is to fail, and not to end the process by a signal.
        signal(SIGXFSZ, SIG_IGN)
        cmemory_configure()
        do {
            try Descriptors.prepare()
            CrashGuard.install(log: Log.path)
            var command = try plainCommand(Array(CommandLine.arguments.dropFirst())) ?? parseAsRoot()
            try command.run()
            Exit.now(0)
        } catch {
            Kedge.end(with: error)
        }
    }
}
