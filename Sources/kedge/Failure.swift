import ArgumentParser
import Interface
import Messages

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a command ends without having done what it was asked: one line on stderr, and the exit status.
struct Failure: Error {
    enum Status: Int32 {
        case nothingFound = 1
        case usage = 2
        case unreadable = 3
    }

    let status: Status
    let text: String

    init(_ status: Status, _ text: String) {
        (self.status, self.text) = (status, text)
    }

    init(_ error: StoreError) {
        switch error {
        case .noSuchConversation, .noSuchMessage: self.init(.nothingFound, error.description)
        case .unavailable, .unreadable: self.init(.unreadable, error.description)
        }
    }

    /// Says why, and ends the process.
    static func exit(with error: any Error) -> Never {
        switch error {
        case let failure as Failure: exit(failure.status.rawValue, failure.text)
        case let error as StoreError: exit(with: Failure(error))
        case Departure.interrupted: Glibc.exit(130)
        case Departure.signal(let number): Glibc.exit(128 + number)
        case Departure.failed(let error): exit(with: Failure(error))
        default: exitAsParserSays(error)
        }
    }

    /// Help and version go to stdout as they are. What is wrong with the command line is said in one line.
    private static func exitAsParserSays(_ error: any Error) -> Never {
        guard Kedge.exitCode(for: error) != .success else { Kedge.exit(withError: error) }
        exit(Status.usage.rawValue, Kedge.message(for: error) + "; see `kedge --help`")
    }

    private static func exit(_ status: Int32, _ text: String) -> Never {
        complain(text)
        Glibc.exit(status)
    }
}
