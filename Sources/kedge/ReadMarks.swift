import Dispatch
import Interface
import Logging
import Messages
import Settings
import Synchronization

/// Keeps how far one has read, on a thread of its own: a disk may take its time, and so may another process.
final class ReadMarks: Sendable {
    private let file: Mutex<ReadPositions>
    /// What the thread has not come to yet.
    private let waiting = Mutex<[ConversationID: ReadPosition]>([:])
    private let told = Mutex<Set<String>>([])
    private let thread = WorkThread()
    private let group = DispatchGroup()
    private let logger: Logger
    private let mailbox: Mailbox

    init(_ positions: ReadPositions, logger: Logger, mailbox: Mailbox) {
        file = Mutex(positions)
        self.logger = logger
        self.mailbox = mailbox
    }

    func load() async -> [ConversationID: ReadPosition] {
        await thread.value { [self] in
            let (positions, problem) = file.withLock { $0.load() }
            tell(problem)
            return positions
        }
    }

    /// Does not wait.
    func keep(_ position: ReadPosition, of conversation: ConversationID) {
        let isFirst = waiting.withLock { waiting in
            waiting[conversation] = position
            return waiting.count == 1
        }
        guard isFirst else { return }
        group.enter()
        thread.run { [self] in
            write()
            group.leave()
        }
    }

    /// Waits for what is under way, a second at most.
    func finish() {
        guard group.wait(timeout: .now() + .seconds(1)) == .timedOut else { return }
        logger.warning("how far you have read could not be written within a second of the end")
    }

    private func write() {
        let batch = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        guard !batch.isEmpty else { return }
        tell(file.withLock { $0.advance(batch) })
    }

    /// Each thing once, though it comes with every mark.
    private func tell(_ problem: String?) {
        guard let problem, told.withLock({ $0.insert(problem).inserted }) else { return }
        logger.warning("\(problem)")
        mailbox.post(.trouble(problem))
    }
}
