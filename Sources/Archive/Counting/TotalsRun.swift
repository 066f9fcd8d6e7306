internal import Messages
internal import Threads

/// Counts the messages of one conversation without an index. Runs on the search thread, and lets other work run there
/// after each step.
actor TotalsRun {
    private nonisolated let executor: SerialThread
    private let count: LogCount

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter repeats: the lines that are known to repeat an ID, sorted.
    init(_ segments: [Segment], repeats: [LinePlace], on executor: SerialThread) {
        self.executor = executor
        count = LogCount(segments, repeats: repeats, blocks: BlockReader())
    }

    /// - Returns: the totals, and the lines that were skipped.
    /// - Throws: `unavailable`, `unreadable` if a segment cannot be read.
    func totals() async throws(StoreError) -> (totals: Totals, problems: ProblemList) {
        while !count.isComplete {
            try count.step()
            await Task.yield()
        }
        return (count.totals, count.problems)
    }
}
