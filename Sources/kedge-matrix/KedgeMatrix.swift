import ArgumentParser
import Display
import Glibc
import MatrixHelper

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
              kedge-matrix serve                      follows it while a kedge is open, and sends
              kedge --archive "$(kedge-matrix accounts | cut -f2)"

            Messages of encrypted rooms cannot be read: they are shown as "(encrypted message)". To read \
            and send them, run pantalaimon and log in with --pantalaimon and its address as --server.

            Exit status: 0 done, 1 there is no such account, 2 wrong usage, 3 the archive cannot be read or written, \
            4 the server refuses or cannot be reached, 130 interrupted.
            """,
        subcommands: [
            Login.self, Logout.self, Accounts.self, Sync.self, Serve.self, Invites.self, Join.self, Leave.self,
        ])

    static func main() {
        // Writing to a pipe that nobody reads is to fail, and not to end the process by a signal.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // It sets the locale, which only a program of one thread may do.
        Width.prepare()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            Terminal.say(failure.text)
            _exit(failure.status)
        } catch let failure as DiskFailure {
            Terminal.say(failure.description)
            _exit(Failure.disk)
        } catch let failure as ServerFailure {
            Terminal.say(failure.description)
            _exit(Failure.server)
        } catch {
            exit(withError: error)
        }
    }
}
