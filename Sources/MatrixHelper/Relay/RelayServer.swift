internal import Glibc
package import Relay
internal import Threads

/// Serves any number of Kedges on a thread of its own, which sleeps while nothing happens: takes their requests, and sends
/// them responses and notices.
package final class RelayServer: Sendable {
    /// The lines that the thread sends next.
    private struct Outgoing {
        /// Nil for all clients.
        var news: [(client: Int?, line: [UInt8])] = []
        var isOver = false
    }

    private let outgoing = Monitor(Outgoing())
    private let wakeUp: WakeUp
    private let thread: SerialThread
    private let loop: RelayLoop
    private let hasEnded = Monitor(false)

    /// Listens from now on.
    /// - Parameter patience: how long it waits for a client while there is none.
    package init(_ place: (folder: String, path: String), patience: Duration) throws(DiskFailure) {
        guard let wakeUp = WakeUp() else { throw DiskFailure("pipe", code: errno) }
        self.wakeUp = wakeUp
        do {
            thread = try .started()
        } catch {
            throw DiskFailure("thread", code: error.code)
        }
        loop = RelayLoop(try RelayListener(place), patience: patience)
    }

    /// Serves from now on.
    /// - Parameters:
    ///   - ask: called with each request, on the thread of the server.
    ///   - leave: called there with the number of a client whose connection has ended.
    ///   - idle: called there when nobody came for so long.
    package func begin(
        ask: @escaping @Sendable (Asker, RelayRequest.Content) -> Void,
        leave: @escaping @Sendable (Int) -> Void = { _ in }, idle: @escaping @Sendable () -> Void
    ) {
        thread.run { [self] in
            loop.run(wakeUp: wakeUp.descriptor, ask: ask, leave: leave, idle: idle) { self.take() }
            hasEnded.change { $0 = true }
        }
    }

    /// Sends a line to a client, or to all. Any thread may call it.
    package func send(_ news: RelayNews, to client: Int?) {
        outgoing.withLock { $0.news.append((client, news.line)) }
        wakeUp.ring()
    }

    /// Sends what waits, and ends all connections. The socket is gone when this returns.
    package func stop() {
        outgoing.withLock { $0.isOver = true }
        wakeUp.ring()
        _ = hasEnded.wait(atMost: .seconds(2)) { $0 }
    }

    private func take() -> (news: [(client: Int?, line: [UInt8])], isOver: Bool) {
        wakeUp.silence()
        return outgoing.withLock { outgoing in
            defer { outgoing.news = [] }
            return (outgoing.news, outgoing.isOver)
        }
    }
}
