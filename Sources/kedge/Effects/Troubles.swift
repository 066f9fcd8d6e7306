import Interface
import Logging
import Synchronization

/// Tells of problems with the user's own files, in the log and on the screen.
final class Troubles: Sendable {
    private let reported = Mutex<(all: Set<String>, last: String?)>(([], nil))
    private let logger: Logger
    private let mailbox: Mailbox

    init(logger: Logger, mailbox: Mailbox) {
        self.logger = logger
        self.mailbox = mailbox
    }

    /// The problem that was reported last.
    var last: String? { reported.withLock { $0.last } }

    /// In the log alone.
    func log(_ line: String) { logger.warning("\(line)") }

    /// Tells each problem once, though it comes again with every write.
    func tell(_ problem: String?) {
        guard let problem else { return }
        let isNew = reported.withLock { reported in
            reported.last = problem
            return reported.all.insert(problem).inserted
        }
        guard isNew else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
