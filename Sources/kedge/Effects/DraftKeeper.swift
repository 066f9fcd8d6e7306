import Display
import Logging
import Messages
import Settings
import Synchronization
import Threads

/// Keeps what is being written.
final class DraftKeeper: Sendable {
    private let drafts: Mutex<Drafts>
    /// What is not known to be on the disk: the disk's thread has not come to it yet, or could not write it.
    private let unkept = Mutex<[ConversationID: Draft]>([:])
    /// A disk may take its time, and so may another process.
    private let disk = SerialThread()
    private let troubles: Troubles
    private let rescueFolders: [String]

    /// - Parameter rescueFolders: where what cannot be kept at the end may go, the best first.
    init(_ drafts: Drafts, logger: Logger, mailbox: Mailbox, rescueFolders: [String]) {
        self.drafts = Mutex(drafts)
        self.rescueFolders = rescueFolders
        troubles = Troubles(logger: logger, mailbox: mailbox)
    }

    /// Reads the drafts on the calling thread. Before the first frame the program has nothing else to do.
    func load() -> [ConversationID: Draft] {
        let (known, problem) = drafts.withLock { $0.load() }
        troubles.tell(problem)
        return known
    }

    /// Does not wait.
    func keep(_ draft: Draft, of conversation: ConversationID) {
        unkept.withLock { $0[conversation] = draft }
        disk.run { [self] in write() }
    }

    /// Waits until all that was to be kept before is on the disk, or cannot be.
    func settled() async { await disk.value {} }

    /// Waits for what is under way, a second at most. What cannot be kept is put elsewhere.
    /// - Returns: what became of that, in lines for people; none when all is kept.
    func finish() -> [String] {
        // What failed before may work now.
        if unkept.withLock({ !$0.isEmpty }) { disk.run { [self] in write() } }
        disk.finish(within: .seconds(1))
        let lost = unkept.withLock { $0.filter { !$0.value.isEmpty } }
        guard !lost.isEmpty else { return [] }
        let reason = troubles.last ?? "the disk takes too long"
        let lines = DraftRescue(lost).save(in: rescueFolders, because: reason)
        for line in lines { troubles.log(line) }
        return lines
    }

    private func write() {
        let batch = unkept.withLock { $0 }
        if batch.isEmpty { return }
        let (problem, isKept) = drafts.withLock { drafts in
            let problem = drafts.keep(batch)
            return (problem, drafts.isKept)
        }
        troubles.tell(problem)
        guard isKept else { return }
        // What has been written since is not on the disk yet.
        unkept.withLock { unkept in
            for (id, draft) in batch where unkept[id] == draft { unkept[id] = nil }
        }
    }
}
