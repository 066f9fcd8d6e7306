import Dispatch
import Interface
import Logging
import Messages
import Settings
import Synchronization

/// Keeps what is being written, on a thread of its own: a disk may take its time, and so may another process.
final class DraftKeeper: Sendable {
    private let drafts: Mutex<Drafts>
    /// What the thread has not come to yet.
    private let waiting = Mutex<[ConversationID: Draft]>([:])
    private let told = Mutex<Set<String>>([])
    private let thread = WorkThread()
    private let group = DispatchGroup()
    private let logger: Logger
    private let mailbox: Mailbox

    init(_ drafts: Drafts, logger: Logger, mailbox: Mailbox) {
        self.drafts = Mutex(drafts)
        self.logger = logger
        self.mailbox = mailbox
    }

    func load() async -> [ConversationID: Draft] {
        await thread.value { [self] in
            let (known, problem) = drafts.withLock { $0.load() }
            tell(problem)
            return known
        }
    }

    /// Does not wait.
    func keep(_ draft: Draft, of conversation: ConversationID) {
        waiting.withLock { $0[conversation] = draft }
        group.enter()
        thread.run { [self] in
            write()
            group.leave()
        }
    }

    /// Waits until all that was to be kept before is on the disk, or cannot be.
    func settled() async { await thread.value {} }

    /// Waits for what is under way, a second at most.
    func finish() {
        guard group.wait(timeout: .now() + .seconds(1)) == .timedOut else { return }
        logger.warning("what you were writing could not be kept within a second of the end")
    }

    private func write() {
        let batch = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        if !batch.isEmpty { tell(drafts.withLock { $0.keep(batch) }) }
    }

    /// Each thing once, though it comes with every draft.
    private func tell(_ problem: String?) {
        guard let problem, told.withLock({ $0.insert(problem).inserted }) else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
