import Display
import Messages
import Settings
import Synchronization
import Threads

/// Keeps the user's drafts on the disk.
final class DraftKeeper: Sendable {
    private let drafts: Mutex<Drafts>
    /// The drafts that may not be on the disk: they were not written yet, or the write has failed.
    private let unkept = Mutex<[ConversationID: Draft]>([:])
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let troubles: Troubles
    /// The problem that came last.
    private let problem = Mutex<String?>(nil)
    private let rescueFolders: [String]

    /// - Parameter rescueFolders: folders for drafts that cannot be kept at the end, the best first.
    init(_ drafts: Drafts, troubles: Troubles, rescueFolders: [String]) {
        self.drafts = Mutex(drafts)
        self.rescueFolders = rescueFolders
        self.troubles = troubles
    }

    /// Reads the drafts on the calling thread. Before the first frame the program has nothing else to do.
    func load() -> [ConversationID: Draft] {
        let (known, problem) = drafts.withLock { $0.load() }
        tell(problem)
        return known
    }

    /// Does not wait.
    func keep(_ draft: Draft, of conversation: ConversationID) {
        unkept.withLock { $0[conversation] = draft }
        disk.run { [self] in write() }
    }

    /// Waits until each draft that was given to `keep` before is on the disk, or has failed to get there.
    func settled() async { await disk.value {} }

    /// Waits at most a second for the disk. Drafts that cannot be kept are saved elsewhere.
    /// - Returns: lines for people that tell where; none when all drafts are kept.
    func finish() -> [String] {
        // A write that failed before may work now.
        if unkept.withLock({ !$0.isEmpty }) { disk.run { [self] in write() } }
        disk.finish(within: .seconds(1))
        let lost = unkept.withLock { $0.filter { !$0.value.isEmpty } }
        guard !lost.isEmpty else { return [] }
        let reason = problem.withLock(\.self) ?? "the disk is too slow"
        let lines = DraftRescue(lost).save(in: rescueFolders, because: reason)
        for line in lines { troubles.log(line) }
        return lines
    }

    private func tell(_ problem: String?) {
        if let problem { self.problem.withLock { $0 = problem } }
        troubles.tell(problem)
    }

    private func write() {
        let batch = unkept.withLock { $0 }
        if batch.isEmpty { return }
        let (problem, isKept) = drafts.withLock { drafts in
            let problem = drafts.keep(batch)
            return (problem, drafts.isKept)
        }
        tell(problem)
        guard isKept else { return }
        // A draft that was changed during the write is not on the disk yet.
        unkept.withLock { unkept in
            for (id, draft) in batch where unkept[id] == draft { unkept[id] = nil }
        }
    }
}
