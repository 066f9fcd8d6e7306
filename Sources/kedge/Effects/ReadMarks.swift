import Logging
import Messages
import Settings
import Synchronization
import Threads

/// Keeps how far one has read.
final class ReadMarks: Sendable {
    private let file: Mutex<ReadPositions>
    private let baseline: Baseline
    /// What the disk's thread has not come to yet.
    private let waiting = Mutex<[ConversationID: ReadPosition]>([:])
    /// A disk may take its time, and so may another process.
    private let disk = SerialThread()
    private let troubles: Troubles

    init(_ positions: ReadPositions, _ baseline: Baseline, logger: Logger, mailbox: Mailbox) {
        file = Mutex(positions)
        self.baseline = baseline
        troubles = Troubles(logger: logger, mailbox: mailbox)
    }

    /// Reads the files on the calling thread. Before the first frame the program has nothing else to do, and to start a thread
    /// takes longer than to read them.
    func load() -> ReadStates {
        let (positions, problem) = file.withLock { $0.load() }
        troubles.tell(problem)
        let (last, other) = baseline.load()
        troubles.tell(other)
        return ReadStates(positions: positions, baseline: last)
    }

    /// Keeps what stood last in each conversation when the archive was first opened.
    /// - Returns: what counts: another process may have kept it before.
    func keep(baseline last: [ConversationID: MessageID]) async -> [ConversationID: MessageID] {
        await disk.value { [self] in
            let (kept, problem) = baseline.keep(last)
            troubles.tell(problem)
            return kept
        }
    }

    /// Does not wait.
    func keep(_ position: ReadPosition, of conversation: ConversationID) {
        let isFirst = waiting.withLock { waiting in
            waiting[conversation] = position
            return waiting.count == 1
        }
        if isFirst { disk.run { [self] in write() } }
    }

    /// Waits for what is under way, a second at most.
    /// - Returns: what is not on the disk then, in one line for people.
    func finish() -> String? {
        if disk.finish(within: .seconds(1)) { return nil }
        let line = "how far you have read could not be written within a second"
        troubles.log(line)
        return line
    }

    private func write() {
        let batch = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        if !batch.isEmpty { troubles.tell(file.withLock { $0.advance(batch) }) }
    }
}
