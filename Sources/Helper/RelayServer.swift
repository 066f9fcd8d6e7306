package import Files
internal import Glibc
package import Relay
internal import Threads

/// Serves any number of Kedges on a thread of its own, which sleeps while nothing happens: takes their requests, and sends
/// them responses and notices.
package final class RelayServer: Sendable {
    /// The lines that the thread sends next.
    fileprivate struct Outgoing {
        /// The lines to send; those without a client go to all.
        var news: [(client: Int?, line: [UInt8])] = []
        var isOver = false
    }

    private let outgoing = Monitor(Outgoing())
    private let wakeUp: WakeUp
    private let thread: SerialThread
    private let loop: RelayLoop
    private let hasEnded = Monitor(false)

    /// Listens from now on.
    /// - Parameter patience: the time without a client after which `idle` is called.
    package init(_ place: (folder: String, path: String), patience: Duration) throws(FileError) {
        guard let wakeUp = WakeUp() else { throw FileError(.write, place.path, code: errno) }
        guard let thread = SerialThread.started() else { throw FileError(.write, place.path, code: EAGAIN) }
        self.wakeUp = wakeUp
        self.thread = thread
        loop = RelayLoop(try RelayListener(place), patience: patience)
    }

    /// Serves from now on.
    /// - Parameters:
    ///   - ask: called with each request, on the thread of the server.
    ///   - leave: called there with the number of a client whose connection has ended.
    ///   - idle: called there after `patience` without a client.
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

    /// Sends the lines that wait, and ends all connections. The socket is gone when this returns, unless that takes longer than two
    /// seconds.
    package func stop() {
        outgoing.withLock { $0.isOver = true }
        wakeUp.ring()
        _ = hasEnded.wait(atMost: .seconds(2)) { $0 }
    }

    private func take() -> Outgoing {
        wakeUp.silence()
        return outgoing.withLock { outgoing in
            defer { outgoing.news = [] }
            return outgoing
        }
    }
}

/// The connections of a `RelayServer`. All of it belongs to the server's thread.
final class RelayLoop: @unchecked Sendable {
    // Made on one thread and used on another, never on both at a time.
    private var listener: RelayListener?
    private let patience: Duration
    private var clients: [Int: Client] = [:]
    private var number = 0
    /// Clients whose connections have ended since `leave` was last called.
    private var gone: [Int] = []
    /// The time from which on it is idle; nil while there is a client.
    private var end: ContinuousClock.Instant?

    /// A connection, in a dictionary.
    private final class Client {
        var connection: RelayConnection
        init(_ descriptor: CInt) { connection = RelayConnection(descriptor) }
    }

    init(_ listener: consuming RelayListener, patience: Duration) {
        self.listener = consume listener
        self.patience = patience
    }

    /// Serves until `take` says that it is over. Nobody can connect any more when this returns.
    /// - Parameters:
    ///   - ask: called with each request.
    ///   - leave: called when the connection of a client has ended.
    ///   - idle: called after `patience` without a client.
    ///   - take: returns the next lines to send, and true if they are the last.
    fileprivate func run(
        wakeUp: CInt, ask: (Asker, RelayRequest.Content) -> Void, leave: (Int) -> Void, idle: () -> Void,
        _ take: () -> RelayServer.Outgoing
    ) {
        end = .now + patience
        while true {
            let ready = wait(wakeUp)
            for client in ready { serve(client, ask) }
            acceptAll()
            let outgoing = take()
            for (client, line) in outgoing.news { send(line, to: client) }
            for client in gone { leave(client) }
            gone = []
            if outgoing.isOver { break }
            if isIdle() { idle() }
        }
        clients.removeAll()
        listener = nil
    }

    /// Sleeps until something happens.
    /// - Returns: the clients that can be served.
    private func wait(_ wakeUp: CInt) -> [Int] {
        let numbers = clients.keys.sorted()
        var polled = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        polled.append(pollfd(fd: listener?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
        polled += numbers.compactMap { number in
            clients[number].map { pollfd(fd: $0.connection.descriptor, events: $0.connection.events, revents: 0) }
        }
        guard poll(&polled, nfds_t(polled.count), pause()) > 0 else { return [] }
        return zip(numbers, polled.dropFirst(2)).filter { $1.revents != 0 }.map(\.0)
    }

    /// The longest time to sleep, in milliseconds; -1 for no limit.
    private func pause() -> CInt {
        guard let end else { return -1 }
        let (seconds, attoseconds) = max(.zero, end - .now).components
        return CInt(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    private func serve(_ number: Int, _ ask: (Asker, RelayRequest.Content) -> Void) {
        guard let client = clients[number] else { return }
        let isOpen =
            client.connection.flush()
            && client.connection.receive { request in
                ask(Asker(client: number, number: request.number), request.content)
            }
        if !isOpen { end(number) }
    }

    private func end(_ number: Int) {
        clients[number] = nil
        gone.append(number)
    }

    private func acceptAll() {
        while let descriptor = listener?.accept() {
            number += 1
            clients[number] = Client(descriptor)
        }
    }

    private func send(_ line: [UInt8], to client: Int?) {
        for number in client.map({ [$0] }) ?? clients.keys.sorted() {
            if let client = clients[number], !client.connection.send(line) { end(number) }
        }
    }

    /// True after `patience` without a client, and again after each further `patience`.
    private func isIdle() -> Bool {
        guard clients.isEmpty else {
            end = nil
            return false
        }
        let time = end ?? .now + patience
        let isIdle = time <= .now
        end = isIdle ? .now + patience : time
        return isIdle
    }
}
