import Logging
import Messages
import Settings
import Synchronization

/// Keeps what is being written.
final class DraftKeeper: Sendable {
    private let drafts: Mutex<Drafts>
    /// What the disk's thread has not come to yet.
    private let waiting = Mutex<[ConversationID: Draft]>([:])
    private let disk: DiskThread

    init(_ drafts: Drafts, logger: Logger, mailbox: Mailbox) {
        self.drafts = Mutex(drafts)
        disk = DiskThread(logger: logger, mailbox: mailbox)
    }

    func load() async -> [ConversationID: Draft] {
        await disk.value { [self] in
            let (known, problem) = drafts.withLock { $0.load() }
            disk.tell(problem)
            return known
        }
    }

    /// Does not wait.
    func keep(_ draft: Draft, of conversation: ConversationID) {
        waiting.withLock { $0[conversation] = draft }
        disk.run { [self] in write() }
    }

    /// Waits until all that was to be kept before is on the disk, or cannot be.
    func settled() async { await disk.value {} }

    /// Waits for what is under way, a second at most.
    func finish() { disk.finish(orElse: "what you were writing") }

    private func write() {
        let batch = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        if !batch.isEmpty { disk.tell(drafts.withLock { $0.keep(batch) }) }
    }
}
