import ArgumentParser
import Interface
import Messages
import Usage

import Glibc

extension Kedge {
    /// Prints the error, and ends the process with the status that belongs to it.
    /// - Parameter command: the first word of the command line, to whose help an error of the command line points.
    static func end(with error: any Error, of command: String?) -> Never {
        switch error {
        case let failure as Failure: end(failure.status.rawValue, failure.text)
        case let error as StoreError: end(with: Failure(error), of: command)
        case is CancellationError: end(with: Failure(.unreadable, "the work was cancelled; try again"), of: command)
        case ExitReason.interrupted: Exit.now(130)
        case ExitReason.signal(let number): Exit.now(128 + number)
        case ExitReason.failed(let error): end(with: Failure(error), of: command)
        default: endAsParserSays(error, of: command)
        }
    }

    /// Help and version go to stdout unchanged. An error of the command line is told in one line.
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
            adviceWithoutText: isPiped ? "to send what a pipe gives: kedge send CONVERSATION -" : nil)
        end(Failure.Status.usage.rawValue, line)
    }

    private static func end(_ status: Int32, _ text: String) -> Never {
        Output.complain(text)
        Exit.now(status)
    }
}
