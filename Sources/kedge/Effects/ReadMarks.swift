import Messages
import Settings
import Synchronization
import Threads

/// Keeps on the disk how far the user has read.
final class ReadMarks: Sendable {
    private let file: Mutex<ReadPositions>
    private let baseline: Baseline
    /// The positions that the disk's thread has not written yet.
    private let waiting = Mutex<[ConversationID: ReadPosition]>([:])
    /// A slow disk, or another process that holds the lock, must not stop the screen.
    private let disk = SerialThread()
    private let troubles: Troubles

    init(_ positions: ReadPositions, _ baseline: Baseline, troubles: Troubles) {
        file = Mutex(positions)
        self.baseline = baseline
        self.troubles = troubles
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

    /// Keeps the last message of each conversation at the time when the archive was first opened.
    /// - Returns: the messages that count from now on: another process may have kept others before.
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

    /// Waits at most a second for the disk.
    /// - Returns: a line for people when something is not on the disk then.
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
