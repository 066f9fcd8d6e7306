import Interface
import Logging
import Synchronization

/// Tells of problems with the user's own files, in the log and on the screen.
final class Troubles: Sendable {
    private let reported = Mutex<Set<String>>([])
    private let logger: Logger
    private let mailbox: Mailbox

    init(logger: Logger, mailbox: Mailbox) {
        self.logger = logger
        self.mailbox = mailbox
    }

    /// In the log alone.
    func log(_ line: String) { logger.warning("\(line)") }

    /// Tells each problem once, though it comes again with every write.
    func tell(_ problem: String?) {
        guard let problem else { return }
        guard reported.withLock({ $0.insert(problem).inserted }) else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
