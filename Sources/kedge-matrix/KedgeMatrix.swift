import ArgumentParser
import Display
import Files
import Glibc
internal import Helper
import MatrixHelper
import Usage

@main
struct KedgeMatrix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kedge-matrix",
        abstract: "Mirror a Matrix account into an archive that kedge opens.",
        discussion: """
            An account is an archive in $XDG_DATA_HOME/kedge/matrix. Its rooms are conversations there, and stay readable \
            without the network.

              kedge-matrix login @ana:example.org     logs in with a password
              kedge-matrix sync                       follows the server until ^C
              kedge-matrix sync --once --history      fetches each room from its beginning
              kedge-matrix serve                      follows and sends for an open kedge
              kedge --archive "$(kedge-matrix accounts | head -1 | cut -f2)"

            Messages of encrypted rooms cannot be read: they are shown as "(encrypted message)". To read \
            and send them, run pantalaimon and log in with --pantalaimon and its address as --server.

            Exit status: 0 done, 1 there is no such account, 2 wrong usage, 3 the archive cannot be read or written, \
            4 the server refuses or cannot be reached, 130 interrupted.
            """,
        version: Version.text,
        subcommands: [
            Login.self, Logout.self, Accounts.self, Sync.self, Serve.self, Invites.self, Join.self, Leave.self,
        ])

    static func main() {
        // Writing to a pipe that nobody reads is to fail, and not to end the process by a signal.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // It sets the locale, which only a program of one thread may do.
        Width.prepare()
        let arguments = ProgramArguments.all
        do {
            if let word = unknownCommand(arguments) {
                let advice = UnknownCommand.nearest(to: word, among: commandNames, of: name)
                throw CommandError(.usage, UnknownCommand.text(word, of: name, advice: advice))
            }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let error as CommandError {
            end(error.status, error.text)
        } catch let error as FileError {
            end(.unreadable, error.description)
        } catch let error as RequestError {
            end(.server, error.description)
        } catch {
            endAsParserSays(error, arguments)
        }
    }

    private static let name = "kedge-matrix"

    private static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }

    /// The word in place of a command, or after `help`, that is not a command; else nil.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        return word.flatMap { $0.hasPrefix("-") || commandNames.contains($0) ? nil : $0 }
    }

    /// Prints help and version on stdout, and an error of the command line in one line.
    private static func endAsParserSays(_ error: any Error, _ arguments: [String]) -> Never {
        if exitCode(for: error) == .success { exit(withError: error) }
        let command = arguments.first.flatMap { commandNames.contains($0) && $0 != "help" ? $0 : nil }
        end(.usage, ParserMessage.line(message(for: error), of: name, command: command, arguments: arguments))
    }

    private static func end(_ status: CommandError.Status, _ text: String) -> Never {
        Terminal.say(text)
        _exit(status.code)
    }
}
