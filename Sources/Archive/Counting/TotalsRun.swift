internal import Messages
internal import Threads

/// Counts the messages of one conversation without an index: on the thread of searches, which others may use between two
/// pieces of the work.
actor TotalsRun {
    private nonisolated let executor: SerialThread
    private let count: LogCount

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ segments: [Segment], on executor: SerialThread) {
        self.executor = executor
        count = LogCount(segments, blocks: BlockReader())
    }

    /// - Returns: also the lines that were passed over.
    /// - Throws: `unavailable`, `unreadable` when a segment cannot be read.
    func totals() async throws(StoreError) -> (totals: Totals, problems: ProblemList) {
        while !count.isComplete {
            try count.step()
            await Task.yield()
        }
        return (count.totals, count.problems)
    }
}
