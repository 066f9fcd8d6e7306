import Interface
import Threads

/// Reads and changes one of the user's own files, on a thread of its own. Each time it tells the event loop the whole contents.
final class StateKeeper: Sendable {
    /// The contents, for people.
    private let name: String
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let mailbox: Mailbox
    private let troubles: Troubles

    init(_ name: String, troubles: Troubles, mailbox: Mailbox) {
        self.name = name
        self.troubles = troubles
        self.mailbox = mailbox
    }

    /// Does not wait.
    /// - Parameter work: returns the contents after it, nil when they are not known; and a line for people about a problem.
    func run<Contents>(
        _ work: @escaping @Sendable () -> (Contents?, String?), then event: @escaping @Sendable (Contents) -> Event
    ) {
        disk.run { [self] in
            let (contents, problem) = work()
            troubles.tell(problem)
            if let contents { mailbox.post(event(contents)) }
        }
    }

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
    func finish() -> String? {
        disk.finish(within: .seconds(1)) ? nil : "\(name) could not be written within a second"
    }
}
