internal import Messages
internal import Threads

/// Makes one survey on the thread of searches, and lets others have it between two pieces of the work.
actor SurveyRun {
    private nonisolated let executor: SerialThread
    private let surveying: Surveying

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ segments: [Segment], on executor: SerialThread) {
        self.executor = executor
        surveying = Surveying(segments, BlockReader())
    }

    /// - Throws: `unavailable`, `unreadable` when a segment cannot be read.
    func survey() async throws(StoreError) -> Survey {
        while true {
            if let survey = try surveying.next() { return survey }
            await Task.yield()
        }
    }
}
