internal import GRDB

/// A connection to a database of the index, closed when nobody needs it any more.
///
/// GRDB runs what is asked on a queue of libdispatch, on the thread that asks. Such a queue hands its remains to a worker
/// thread when it goes, and with the first worker libdispatch starts a timer that wakes the process once a second for as
/// long as it lives. So the queue stays, some hundred bytes of it, when its connection has been closed.
final class IndexConnection: Sendable {
    private let queue: DatabaseQueue

    init(path: String, _ configuration: Configuration) throws {
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    deinit {
        // What SQLite says of a close is of no use to anybody.
        try? queue.close()
        _ = Unmanaged.passRetained(queue)
    }

    /// All of it sees the same state.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try queue.read(body) }

    /// A transaction: all of it happens, or nothing.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result { try queue.write(body) }
}
