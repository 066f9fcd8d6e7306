import Dispatch
import Interface
import Logging
import Synchronization

/// Keeps a file of the user's own, on a thread of its own: a disk may take its time, and so may another process.
final class DiskThread: Sendable {
    private let thread = WorkThread()
    private let group = DispatchGroup()
    private let told = Mutex<Set<String>>([])
    private let logger: Logger
    private let mailbox: Mailbox

    init(logger: Logger, mailbox: Mailbox) {
        self.logger = logger
        self.mailbox = mailbox
    }

    /// Does it behind all that was asked for before, and does not wait.
    func run(_ work: @escaping @Sendable () -> Void) {
        group.enter()
        thread.run { [group] in
            work()
            group.leave()
        }
    }

    /// Does it behind all that was asked for before.
    func value<Result: Sendable>(of work: @escaping @Sendable () -> Result) async -> Result {
        await thread.value(of: work)
    }

    /// Waits for what is under way, a second at most.
    /// - Parameter loss: what may not be on the disk then.
    func finish(orElse loss: String) {
        guard group.wait(timeout: .now() + .seconds(1)) == .timedOut else { return }
        logger.warning("\(loss) could not be written within a second of the end")
    }

    /// Each thing once, though it comes with every writing.
    func tell(_ problem: String?) {
        guard let problem, told.withLock({ $0.insert(problem).inserted }) else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
