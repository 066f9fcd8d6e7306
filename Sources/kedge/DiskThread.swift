import Dispatch
import Interface
import Logging
import Synchronization

/// Keeps a file of the user's own, on a thread of its own: a disk may take its time, and so may another process.
final class DiskThread: Sendable {
    private let thread = WorkThread()
    private let group = DispatchGroup()
    private let told = Mutex<(all: Set<String>, last: String?)>(([], nil))
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
    /// - Returns: whether all of it is done.
    @discardableResult
    func finish() -> Bool { group.wait(timeout: .now() + .seconds(1)) == .success }

    /// What went wrong last.
    var lastProblem: String? { told.withLock { $0.last } }

    func log(_ line: String) { logger.warning("\(line)") }

    /// Each thing once, though it comes with every writing.
    func tell(_ problem: String?) {
        guard let problem else { return }
        let isNew = told.withLock { told in
            told.last = problem
            return told.all.insert(problem).inserted
        }
        guard isNew else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
