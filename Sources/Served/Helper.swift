import Glibc
package import Messages
package import Relay
internal import Synchronization
internal import Threads

/// The connection to the helper of an archive: another process, which talks to the server.
///
///     request → ID, line → socket → helper → socket → response with this ID
///
/// A request connects if there is no connection, and starts the helper if no process listens. A helper that ends is
/// restarted (`Restarts`) while a watcher exists. A thread reads, and sleeps until the helper sends something.
package final class Helper: Sendable {
    /// Starts the helper.
    /// - Returns: a descriptor that becomes readable when the helper listens, and ends when the helper does; or the
    ///   reason why it was not started, in one line for people.
    package typealias Start = @Sendable () -> Result<CInt, RelayError>

    private struct State {
        /// Nil while there is no connection.
        var descriptor: CInt?
        var isConnecting = false
        /// The requests without a response, by their IDs, with the callbacks for the progress of a file.
        var waiting:
            [Int: (continuation: CheckedContinuation<RelayResponse?, Never>, progress: (@Sendable (Int64) -> Void)?)] =
                [:]
        /// The lines that wait for a connection.
        var unsent: [[UInt8]] = []
        var last = Helper.hello
        var reach: StoreReach?
        /// The reason why the server cannot be reached, as reported by the helper of this connection.
        var said: String?
        var restarts: Restarts
        /// The reason why no helper can be used in this process; nil if one may be.
        var uselessness: String?
        /// The number of followers of each conversation whose receipts are wanted.
        var followed: [ConversationID: Int] = [:]
        var watchers: [Int: @Sendable (RelayNews) -> Void] = [:]
    }

    private static let hello = 1
    /// A helper that does not accept a line within this number of seconds has stopped working.
    private static let sendLimit = 5

    private let path: String
    private let start: Start
    private let state: Mutex<State>
    /// Ends the pause before the next start.
    private let hurry = Monitor(false)
    private let reader = SerialThread()
    /// Writes and closes descriptors on one thread, so that the number of a descriptor is not reused while it writes.
    private let writer = SerialThread()

    /// - Parameter path: the socket at which the helper listens.
    package init(path: String, restarts: Restarts = Restarts(), start: @escaping Start) {
        (self.path, self.start) = (path, start)
        state = Mutex(State(restarts: restarts))
    }

    /// The reachability of the server; nil until the helper has reported it.
    package var reach: StoreReach? { state.withLock { $0.reach } }

    package var isOnline: Bool { reach == .online }

    /// The reason why no helper can be used; nil if one may be.
    package var uselessness: String? { state.withLock { $0.uselessness } }

    /// Reports each change of `reach`, and all messages of the helper that answer no request.
    /// - Returns: a closure that ends the watching.
    package func watch(_ watcher: @escaping @Sendable (RelayNews) -> Void) -> @Sendable () -> Void {
        let (number, reach) = state.withLock { state in
            state.last += 1
            state.watchers[state.last] = watcher
            return (state.last, state.reach)
        }
        if let reach { watcher(.reach(reach)) }
        return { [weak self] in self?.state.withLock { $0.watchers[number] = nil } }
    }

    /// Asks the helper to report the read positions of others in a conversation.
    /// - Returns: a closure that ends the reports.
    func follow(_ id: ConversationID) -> @Sendable () -> Void {
        let isFirst = state.withLock { state in
            state.followed[id, default: 0] += 1
            return state.followed[id] == 1
        }
        if isFirst { tell(.follow(id, isOn: true)) }
        return { [weak self] in
            guard let self else { return }
            let isLast = state.withLock { state in
                state.followed[id, default: 1] -= 1
                guard state.followed[id] == 0 else { return false }
                state.followed[id] = nil
                return true
            }
            if isLast { tell(.follow(id, isOn: false)) }
        }
    }

    /// The reason for a missing response, for people.
    var silence: String {
        if let uselessness { return uselessness }
        guard case .offline(let reason) = reach else { return "offline" }
        return "offline: \(reason)"
    }

    /// Sends a request to the helper, and waits for the response, whose type the case of the request names.
    /// - Parameter progress: receives the number of bytes fetched so far, on the thread that reads.
    /// - Returns: nil if it cannot be reached, or ends before it responds.
    package func ask<Value>(
        progress: (@Sendable (Int64) -> Void)? = nil, _ request: (RelayReply<Value>) -> RelayRequest.Content
    ) async -> Result<Value, RelayError>? {
        let content = request(RelayReply())
        let response: RelayResponse? = await withCheckedContinuation { continuation in
            let (isUseless, connects) = state.withLock { state in
                guard state.uselessness == nil else { return (true, false) }
                state.last += 1
                state.waiting[state.last] = (continuation, progress)
                send(RelayRequest(state.last, content).line, &state)
                // Decide under the lock, so that a failing request cannot reconnect.
                return (false, Helper.connects(&state))
            }
            if connects { begin() }
            if isUseless { continuation.resume(returning: nil) }
        }
        guard let response else { return nil }
        return response.result() ?? .failure(RelayError("kedge-matrix sent a message that kedge cannot read"))
    }

    /// Sends a request that needs no response, if the helper is there.
    package func tell(_ content: RelayRequest.Content) {
        state.withLock { state in
            guard state.descriptor != nil else { return }
            state.last += 1
            send(RelayRequest(state.last, content).line, &state)
        }
    }

    /// Connects, unless there is a connection.
    package func connect() {
        if state.withLock({ Helper.connects(&$0) }) { begin() }
    }

    private func begin() {
        hurry.change { $0 = true }
        reader.run { [self] in serve() }
    }

    /// True if the caller has to connect.
    private static func connects(_ state: inout State) -> Bool {
        guard state.descriptor == nil, !state.isConnecting, state.uselessness == nil else { return false }
        state.isConnecting = true
        return true
    }

    private func send(_ line: [UInt8], _ state: inout State) {
        guard let descriptor = state.descriptor else { return state.unsent.append(line) }
        writer.run { Helper.write(line, to: descriptor) }
    }

    /// Writes a line. An error closes the connection, which the reader then notices.
    private static func write(_ line: [UInt8], to descriptor: CInt) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                shutdown(descriptor, CInt(SHUT_RDWR))
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: - The thread of the reader

    /// The end of a connection, or of an attempt to connect.
    private struct End {
        let reason: String
        /// The duration of the connection; nil if there was none.
        var lived: Duration?
        /// True if another try would fail as well.
        var isFinal = false
    }

    /// Returns when the helper has ended and need not be restarted.
    private func serve() {
        repeat {
            hurry.withLock { $0 = false }
            let last = serveOnce()
            guard !last.isFinal, isWatched else { return end(last.reason) }
            let (pause, isTroubled, said) = state.withLock { state in
                (state.restarts.pause(after: last.lived), state.restarts.isTroubled, state.said)
            }
            let advice = "kedge-matrix ends again and again; `kedge-matrix serve` says why"
            end(isTroubled ? said ?? advice : last.reason, isRestarted: pause == .zero)
            // A request starts it earlier.
            if pause > .zero { _ = hurry.wait(atMost: pause) { $0 } }
        } while state.withLock({ Helper.connects(&$0) })
    }

    /// Serves until the connection ends.
    private func serveOnce() -> End {
        switch opened() {
        case .failure(let failure): return End(reason: failure.reason, isFinal: failure.retry == nil)
        case .success(let descriptor):
            let begin = ContinuousClock.now
            Helper.write(RelayRequest(Helper.hello, .hello(version: RelayRequest.version)).line, to: descriptor)
            let reason = read(from: descriptor)
            let said = state.withLock { state in
                state.descriptor = nil
                return state.said
            }
            writer.run { close(descriptor) }
            return End(reason: said ?? reason, lived: .now - begin, isFinal: uselessness != nil)
        }
    }

    private var isWatched: Bool { state.withLock { !$0.watchers.isEmpty } }

    private func opened() -> Result<CInt, RelayError> {
        if let descriptor = connected() { return .success(descriptor) }
        switch start() {
        case .failure(let failure): return .failure(failure)
        case .success(let output):
            defer { close(output) }
            var byte: UInt8 = 0
            var count = 0
            repeat { count = Glibc.read(output, &byte, 1) } while count < 0 && errno == EINTR
            if count > 0, let descriptor = connected() { return .success(descriptor) }
            return .failure(RelayError("kedge-matrix is not running; `kedge-matrix serve` says why", retry: 0))
        }
    }

    private func connected() -> CInt? { RelaySocket.connected(to: path, patience: Helper.sendLimit) }

    /// Reads until the connection ends.
    /// - Returns: the reason for the end.
    private func read(from descriptor: CInt) -> String {
        var lines = RelayLines()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return "kedge-matrix has ended" }
            var waiting = NewsQueue()
            let isTooLong =
                (try? lines.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
                    if let news = RelayNews(line: line) { waiting.add(news) }
                }) == nil
            let isUseful = waiting.news.allSatisfy { take($0, descriptor) }
            if !isUseful || isTooLong { return uselessness ?? "kedge-matrix sent a message that kedge cannot read" }
            // Blocks the connection's own thread on purpose: the socket fills meanwhile, so a helper that sends very much has to wait.
            if waiting.count > Helper.usualLines { usleep(Helper.rest) }
        }
    }

    /// The usual number of lines at once. A helper that sends more is read with pauses, in microseconds: nobody could
    /// follow it, and the queue for the screen must not grow.
    private static let usualLines = 200
    private static let rest: UInt32 = 30_000

    /// - Returns: false if the helper cannot be used.
    private func take(_ news: RelayNews, _ descriptor: CInt) -> Bool {
        switch news {
        case .response(Helper.hello, let response):
            guard response == .version(RelayRequest.version) else {
                state.withLock { $0.uselessness = "kedge-matrix and kedge have different versions: restart both" }
                return false
            }
            state.withLock { state in
                state.descriptor = descriptor
                var lines = state.unsent
                state.unsent = []
                for id in state.followed.keys {
                    state.last += 1
                    lines.append(RelayRequest(state.last, .follow(id, isOn: true)).line)
                }
                for line in lines { send(line, &state) }
            }
        case .response(let number, let response):
            state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume(returning: response)
        case .progress(let number, let received): state.withLock { $0.waiting[number]?.progress }?(received)
        case .reach(let reach):
            state.withLock { $0.said = if case .offline(let reason) = reach { reason } else { nil } }
            note(reach)
        case .read, .typing, .receipts, .rooms: notify(news)
        }
        return true
    }

    /// Fails all requests that wait for a response.
    /// - Parameter isRestarted: true if the next helper starts at once: the server counts as offline only if that fails.
    private func end(_ reason: String, isRestarted: Bool = false) {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.unsent) = ([:], []) }
            (state.descriptor, state.isConnecting, state.said) = (nil, false, nil)
            // The next helper then reports that it is online as a change: what was missed meanwhile is requested again.
            if isRestarted, state.reach == .online { state.reach = nil }
            return Array(state.waiting.values)
        }
        if !isRestarted { note(.offline(reason: reason)) }
        for (continuation, _) in waiting { continuation.resume(returning: nil) }
    }

    private func note(_ reach: StoreReach) {
        let isNew = state.withLock { state in
            defer { state.reach = reach }
            return state.reach != reach
        }
        if isNew { notify(.reach(reach)) }
    }

    private func notify(_ news: RelayNews) {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher(news) }
    }
}

/// Messages of the helper that came together. A message that replaces an earlier one removes it.
private struct NewsQueue {
    private enum Subject: Hashable {
        case reach, rooms
        case typing(ConversationID)
        case read(ConversationID)
        case receipts(ConversationID)
        case progress(Int)
    }

    /// The number of all messages, including removed ones.
    private(set) var count = 0
    private var kept: [RelayNews?] = []
    private var places: [Subject: Int] = [:]

    var news: [RelayNews] { kept.compactMap(\.self) }

    mutating func add(_ news: RelayNews) {
        count += 1
        let subject: Subject? =
            switch news {
            case .reach: .reach
            case .rooms: .rooms
            case .typing(let conversation, _): .typing(conversation)
            case .read(let conversation, _): .read(conversation)
            case .receipts(let conversation, _): .receipts(conversation)
            case .progress(let number, _): .progress(number)
            case .response: nil
            }
        if let subject {
            if let place = places[subject] { kept[place] = nil }
            places[subject] = kept.count
        }
        kept.append(news)
    }
}

/// Decides when a helper that has ended is restarted: at once after a long run, then after growing pauses, while a
/// watcher exists. The cause may pass within a minute, or a day.
package struct Restarts: Sendable {
    /// After a run of this length the start is not the cause of the end.
    private static let goodTime = Duration.seconds(60)
    /// The longest pause, as a multiple of the first one: five minutes.
    private static let longest = 300

    private let unit: Duration
    private var failures = 0

    /// - Parameter unit: the first pause above zero.
    package init(unit: Duration = .seconds(1)) { self.unit = unit }

    /// True if the helper ends again and again.
    package var isTroubled: Bool { failures > 7 }

    /// - Parameter lived: the duration of the connection; nil if there was none.
    /// - Returns: the pause before the next start: 0 s, 1 s, 2 s, 4 s … 5 minutes.
    package mutating func pause(after lived: Duration?) -> Duration {
        if let lived, lived >= Restarts.goodTime { failures = 0 }
        failures += 1
        return failures == 1 ? .zero : unit * min(1 << min(failures - 2, 16), Restarts.longest)
    }
}
