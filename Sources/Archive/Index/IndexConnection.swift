internal import CMapping
internal import GRDB

/// A connection to a database of the index, closed when nobody needs it any more.
///
/// GRDB runs what is asked on a queue of libdispatch, on the thread that asks. Such a queue hands its remains to a worker
/// thread when it goes, and with the first worker libdispatch starts a timer that wakes the process once a second for as
/// long as it lives. So the queue stays, some hundred bytes of it, when its connection has been closed.
final class IndexConnection: Sendable {
    private let queue: DatabaseQueue
    /// As they were when it was opened.
    private let losses: CInt

    init(path: String, _ configuration: Configuration) throws {
        // SQLite's processes share a file in memory. Whoever cuts it off would end them all.
        cmapping_guard()
        losses = cmapping_losses()
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    deinit {
        // What SQLite says of a close is of no use to anybody.
        try? queue.close()
        _ = Unmanaged.passRetained(queue)
    }

    /// All of it sees the same state.
    /// - Throws: as `body`; SQLITE_CORRUPT when files of the index were cut off meanwhile.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try checked { try queue.read(body) } }

    /// A transaction: all of it happens, or nothing.
    /// - Throws: as `read`.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result { try checked { try queue.write(body) } }

    private func checked<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try body()
        guard losses == cmapping_losses() else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "a file of the index was cut off while it was open")
        }
        return result
    }
}
