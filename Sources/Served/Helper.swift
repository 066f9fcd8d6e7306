import Glibc
package import Messages
package import Relay
internal import Synchronization
internal import Threads

/// The connection to the helper of an archive: another process, which talks to the server.
///
///     request → number, line → socket → helper → socket → response with this number
///
/// A request connects if there is no connection, and starts the helper if nobody listens. While somebody watches, a helper that
/// ends is started again by itself (`Restarts`). Reading has a thread of its own, which sleeps until the helper says something.
package final class Helper: Sendable {
    package enum News: Sendable {
        case reach(StoreReach)
        case typing(ConversationID, people: [PersonID])
        case read(ConversationID, MessageID)
        case receipts(ConversationID, [RelayReceipt])
        case rooms
    }

    /// Starts the helper.
    /// - Returns: a descriptor that becomes readable when the helper listens, and ends when the helper does; or the reason why it
    ///   was not started, in one line for people.
    package typealias Start = @Sendable () -> Result<CInt, Failure>

    package struct Failure: Error, Hashable {
        package let reason: String
        /// Whether another try would fail as well.
        package let isFinal: Bool

        package init(_ reason: String, isFinal: Bool = true) { (self.reason, self.isFinal) = (reason, isFinal) }
    }

    private struct State {
        /// Nil while there is no connection.
        var descriptor: CInt?
        var isConnecting = false
        /// The requests without a response, by their numbers.
        var waiting: [Int: CheckedContinuation<RelayResponse?, Never>] = [:]
        /// The callbacks that are told how much of a file has come, by the numbers of the requests.
        var progresses: [Int: @Sendable (Int64) -> Void] = [:]
        /// The lines that wait for a connection.
        var unsent: [[UInt8]] = []
        var last = Helper.hello
        var reach: StoreReach?
        /// Why the server cannot be reached, as the helper of this connection has said.
        var said: String?
        var restarts: Restarts
        /// Why the helper is of no use, for good.
        var uselessness: String?
        /// The conversations of which somebody wants to know who has read how far, with the number of those.
        var followed: [ConversationID: Int] = [:]
        var watchers: [Int: @Sendable (News) -> Void] = [:]
    }

    private static let hello = 1
    /// A helper that does not take a line for this number of seconds has stopped working.
    private static let sendLimit = 5

    private let path: String
    private let start: Start
    private let state: Mutex<State>
    /// Ends the pause before the next start.
    private let hurry = Monitor(false)
    private let reader = SerialThread()
    /// Writes, and closes what it has written to: a number of a descriptor is never used for another file meanwhile.
    private let writer = SerialThread()

    /// - Parameter path: of the socket at which the helper listens.
    package init(path: String, restarts: Restarts = Restarts(), start: @escaping Start) {
        (self.path, self.start) = (path, start)
        state = Mutex(State(restarts: restarts))
    }

    /// Nil until the helper has told.
    package var reach: StoreReach? { state.withLock { $0.reach } }

    package var isOnline: Bool { reach == .online }

    /// Why the helper is of no use, for good; nil if it may be.
    package var uselessness: String? { state.withLock { $0.uselessness } }

    /// - Returns: a closure that ends the watching.
    package func watch(_ watcher: @escaping @Sendable (News) -> Void) -> @Sendable () -> Void {
        let (number, reach) = state.withLock { state in
            state.last += 1
            state.watchers[state.last] = watcher
            return (state.last, state.reach)
        }
        if let reach { watcher(.reach(reach)) }
        return { [weak self] in self?.state.withLock { $0.watchers[number] = nil } }
    }

    /// Has the helper tell who has read how far in a conversation.
    /// - Returns: a closure that ends that.
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

    /// Why there is no response, for people.
    var silence: String {
        if let uselessness { return uselessness }
        guard case .offline(let reason) = reach else { return "offline" }
        return "offline: \(reason)"
    }

    /// Asks the helper.
    /// - Parameter progress: receives the number of bytes that have come, on the thread that reads.
    /// - Returns: nil if it cannot be reached, or ends before it responds.
    package func ask(
        _ content: RelayRequest.Content, progress: (@Sendable (Int64) -> Void)? = nil
    ) async -> RelayResponse? {
        await withCheckedContinuation { continuation in
            let (isUseless, connects) = state.withLock { state in
                guard state.uselessness == nil else { return (true, false) }
                state.last += 1
                state.waiting[state.last] = continuation
                state.progresses[state.last] = progress
                send(RelayRequest(state.last, content).line, &state)
                // Known now: a request that ends the connection must not begin another, which its caller would find online.
                return (false, Helper.connects(&state))
            }
            if connects { begin() }
            if isUseless { continuation.resume(returning: nil) }
        }
    }

    /// Tells the helper something, if it is there, and needs no response.
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

    /// Whether the caller is to connect.
    private static func connects(_ state: inout State) -> Bool {
        guard state.descriptor == nil, !state.isConnecting, state.uselessness == nil else { return false }
        state.isConnecting = true
        return true
    }

    private func send(_ line: [UInt8], _ state: inout State) {
        guard let descriptor = state.descriptor else { return state.unsent.append(line) }
        writer.run { Helper.write(line, to: descriptor) }
    }

    /// A failure closes the connection, which the reader then notices.
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

    /// How a connection ended, or a try to connect.
    private struct End {
        let reason: String
        /// How long the connection lasted; nil if there was none.
        var lived: Duration?
        /// Whether another try would fail as well.
        var isFinal = false
    }

    /// Returns when the helper has ended and is not to be started again.
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
        case .failure(let failure): return End(reason: failure.reason, isFinal: failure.isFinal)
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

    private func opened() -> Result<CInt, Failure> {
        if let descriptor = connected() { return .success(descriptor) }
        switch start() {
        case .failure(let failure): return .failure(failure)
        case .success(let output):
            defer { close(output) }
            var byte: UInt8 = 0
            var count = 0
            repeat { count = Glibc.read(output, &byte, 1) } while count < 0 && errno == EINTR
            if count > 0, let descriptor = connected() { return .success(descriptor) }
            return .failure(Failure("kedge-matrix does not run; `kedge-matrix serve` says why", isFinal: false))
        }
    }

    /// Nil unless a process of this user listens there, in a folder that is closed to others.
    private func connected() -> CInt? {
        guard RelaySocket.isPrivate(folderOf: path) else { return nil }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            guard path.utf8.count < bytes.count else { return false }
            bytes.copyBytes(from: path.utf8)
            return true
        }
        var limit = timeval(tv_sec: Helper.sendLimit, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isShort, code == 0, RelaySocket.isOwn(descriptor) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Reads until the connection ends.
    /// - Returns: why it has ended.
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
            if !isUseful || isTooLong { return uselessness ?? "kedge-matrix says what kedge does not understand" }
            // The socket fills meanwhile, and a helper that says very much must wait, too.
            if waiting.count > Helper.usualLines { usleep(Helper.rest) }
        }
    }

    /// A helper says less in a moment. One that says more is read with pauses, in microseconds: nobody could follow it, and what
    /// waits for the screen must not grow.
    private static let usualLines = 200
    private static let rest: UInt32 = 30_000

    /// - Returns: false if the helper is of no use.
    private func take(_ news: RelayNews, _ descriptor: CInt) -> Bool {
        switch news {
        case .response(Helper.hello, let response):
            guard response == .version(RelayRequest.version) else {
                state.withLock { $0.uselessness = "kedge-matrix is of another version than kedge: restart both" }
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
            let waiting = state.withLock { state in
                state.progresses[number] = nil
                return state.waiting.removeValue(forKey: number)
            }
            waiting?.resume(returning: response)
        case .progress(let number, let received): state.withLock { $0.progresses[number] }?(received)
        case .state(let isOnline, let reason):
            state.withLock { $0.said = isOnline ? nil : reason }
            note(isOnline ? .online : .offline(reason: reason))
        case .read(let conversation, let message): notify(.read(conversation, message))
        case .typing(let conversation, let people): notify(.typing(conversation, people: people))
        case .receipts(let conversation, let receipts): notify(.receipts(conversation, receipts))
        case .rooms: notify(.rooms)
        }
        return true
    }

    /// Ends all that waits for a response.
    /// - Parameter isRestarted: whether the next helper is started at once: only if that fails, the server is out of reach.
    private func end(_ reason: String, isRestarted: Bool = false) {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.progresses, state.unsent) = ([:], [:], []) }
            (state.descriptor, state.isConnecting, state.said) = (nil, false, nil)
            // The next helper says anew that it is online: what could not be had meanwhile is asked for again.
            if isRestarted, state.reach == .online { state.reach = nil }
            return state.waiting.values.map { $0 }
        }
        if !isRestarted { note(.offline(reason: reason)) }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    private func note(_ reach: StoreReach) {
        let isNew = state.withLock { state in
            defer { state.reach = reach }
            return state.reach != reach
        }
        if isNew { notify(.reach(reach)) }
    }

    private func notify(_ news: News) {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher(news) }
    }
}

/// What the helper has said at once. Of news that replace earlier ones only the last are kept.
private struct NewsQueue {
    private enum Subject: Hashable {
        case state, rooms
        case typing(ConversationID)
        case read(ConversationID)
        case receipts(ConversationID)
        case progress(Int)
    }

    /// The number of all news.
    private(set) var count = 0
    private var kept: [RelayNews?] = []
    private var places: [Subject: Int] = [:]

    var news: [RelayNews] { kept.compactMap(\.self) }

    mutating func add(_ news: RelayNews) {
        count += 1
        let subject: Subject? =
            switch news {
            case .state: .state
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

/// Decides when a helper that has ended is started again: at once after a good time, then after pauses that grow, for as long as
/// somebody watches. What ends it may be over in a minute, or in a day.
package struct Restarts: Sendable {
    /// A helper that was of use for so long has not ended because of its start.
    private static let goodTime = Duration.seconds(60)
    /// The longest pause is so many first ones: five minutes.
    private static let longest = 300

    private let unit: Duration
    private var failures = 0

    /// - Parameter unit: the first pause that is none of nothing.
    package init(unit: Duration = .seconds(1)) { self.unit = unit }

    /// Whether the helper ends again and again.
    package var isTroubled: Bool { failures > 7 }

    /// - Parameter lived: how long the connection lasted that has ended; nil if there was none.
    /// - Returns: the pause before the next start: 0 s, 1 s, 2 s, 4 s … 5 minutes.
    package mutating func pause(after lived: Duration?) -> Duration {
        if let lived, lived >= Restarts.goodTime { failures = 0 }
        failures += 1
        return failures == 1 ? .zero : unit * min(1 << min(failures - 2, 16), Restarts.longest)
    }
}
