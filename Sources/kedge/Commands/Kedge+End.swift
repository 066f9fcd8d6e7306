import ArgumentParser
import Interface
import Messages

extension Kedge {
    /// Prints the error, and ends the process with the status that belongs to it.
    static func end(with error: any Error) -> Never {
        switch error {
        case let failure as Failure: end(failure.status.rawValue, failure.text)
        case let error as StoreError: end(with: Failure(error))
        case is CancellationError: end(with: Failure(.unreadable, "the work was cancelled; try again"))
        case ExitReason.interrupted: Exit.now(130)
        case ExitReason.signal(let number): Exit.now(128 + number)
        case ExitReason.failed(let error): end(with: Failure(error))
        default: endAsParserSays(error)
        }
    }

    /// Help and version go to stdout unchanged. An error of the command line is told in one line.
    private static func endAsParserSays(_ error: any Error) -> Never {
        guard exitCode(for: error) != .success else { exit(withError: error) }
        // The parser quotes arguments and values of options in full length.
        let words = CommandLine.arguments.dropFirst().flatMap { argument in
            [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        }
        let text = words.reduce(message(for: error)) { text, word in
            word.shortened == word ? text : text.replacing(word, with: word.shortened)
        }
        end(Failure.Status.usage.rawValue, text + " (see `kedge --help`)")
    }

    private static func end(_ status: Int32, _ text: String) -> Never {
        Output.complain(text)
        Exit.now(status)
    }
}
