import Threads

/// Counts from 1.
final class Tries: Sendable {
    private let count = Monitor(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
