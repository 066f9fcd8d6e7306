internal import Files
internal import Helper
internal import Matrix
internal import Messages
internal import Relay
internal import Threads

/// A part of the work for an account. It owns its state, sends requests through its `SyncContext`, and gets their responses there; it
/// knows neither the loop nor, as a rule, the other handlers.
protocol Handler: AnyObject {
    /// The time at which it has something to do; nil if it waits for an event.
    var due: ContinuousClock.Instant? { get }

    /// Does what is due, and sends the next request, if it can. It is called after each event.
    func resume(_ now: ContinuousClock.Instant) throws(SyncEnd)

    /// Handles what the server has sent, which is in the archive by now.
    func take(_ news: SyncNews) throws(FileError)
}

extension Handler {
    var due: ContinuousClock.Instant? { nil }
    func take(_ news: SyncNews) throws(FileError) {}
}

/// A part of what the server has sent, which is in the archive by now.
struct SyncNews {
    var rooms: [RoomNews] = []
    var receipts: [String: [Receipt]] = [:]
    /// The people who are typing, in rooms where that has changed.
    var typing: [String: [String]] = [:]
    /// The rooms in which this account has read further, here or in another client.
    var read: [RoomFacts] = []
    /// The rooms that may have new gaps.
    var gaps: [String] = []
}

/// The archive of an account, its server, and the Kedges that it serves: all handlers share them. Use it on one thread only.
///
///     handler → request → server → response → queue → the same handler
final class SyncContext {
    typealias Response = Result<HTTPResponse, RequestError>

    private struct Pending {
        let take: (Response) throws(SyncEnd) -> Void
        let progress: ((Int64) -> Void)?
        var cancel: () -> Void = {}
    }

    let me: String
    let goal: SyncGoal
    let pace: SyncPace
    let report: (SyncReport) -> Void
    var server: Server
    var archive: AccountArchive
    var desk: RelayDesk
    /// The reason why nothing is written or sent now; nil otherwise.
    var pauseReason: String?
    private let queue: SyncQueue
    /// The requests that are on their way, by their numbers.
    private var pending: [Int: Pending] = [:]
    private var number = 0

    init(
        _ archive: AccountArchive, _ server: Server, _ goal: SyncGoal, _ pace: SyncPace = SyncPace(),
        _ desk: RelayDesk, _ queue: SyncQueue, report: @escaping (SyncReport) -> Void = { _ in }
    ) {
        (self.archive, self.server, self.goal, self.pace) = (archive, server, goal, pace)
        (self.desk, self.queue, self.report, me) = (desk, queue, report, archive.me)
    }

    // MARK: - Requests

    /// Begins a request. `take` gets its response, unless the request is cancelled before.
    /// - Parameters:
    ///   - file: takes the body of a success.
    ///   - progress: gets the number of bytes that the file has taken.
    /// - Returns: its number, for `cancel`.
    @discardableResult
    func start(
        _ request: MatrixRequest, into file: DownloadFile? = nil, progress: ((Int64) -> Void)? = nil,
        _ take: @escaping (Response) throws(SyncEnd) -> Void
    ) -> Int {
        number += 1
        pending[number] = Pending(take: take, progress: progress)
        let started = server.start(
            request, file: file?.descriptor ?? -1,
            progress: { [queue, number] in queue.send(.progress(number, $0)) },
            { [queue, number] result in
                // The file is open until here.
                withExtendedLifetime(file) { queue.send(.response(number, result)) }
            })
        pending[number]?.cancel = { [server] in server.cancel(started) }
        return number
    }

    func cancel(_ number: Int?) {
        guard let number else { return }
        pending.removeValue(forKey: number)?.cancel()
    }

    func cancelAll() { for number in pending.keys.sorted() { cancel(number) } }

    /// Hands the response to a request to its handler, unless the request was cancelled.
    func take(_ response: Response, of number: Int) throws(SyncEnd) {
        try pending.removeValue(forKey: number)?.take(response)
    }

    func note(_ received: Int64, of number: Int) { pending[number]?.progress?(received) }

    // MARK: - Requests of Kedge

    /// Begins a request for a Kedge. The Kedge gets an error at once; a success goes to `take`, as read by `read`.
    /// - Parameter read: returns nil for a response that cannot be read.
    func ask<Value>(
        _ request: MatrixRequest, for asker: Asker, _ read: @escaping (UnsafeRawBufferPointer) -> Value?,
        _ take: @escaping (Value) throws(SyncEnd) -> Void
    ) {
        start(request) { [self] response throws(SyncEnd) in
            switch response {
            case .success(let response) where response.status == 200:
                guard let value = response.body.withUnsafeBytes(read) else {
                    return refuse(asker, RelayError(HTTPResponse.unclear, retry: 1_000))
                }
                try take(value)
            case .success(let response): refuse(asker, RelayError(response.error))
            case .failure(let failure): refuse(asker, RelayError(failure.description, retry: 1_000))
            }
        }
    }

    /// Begins a request for a Kedge, which gets only success or an error.
    func ask(_ request: MatrixRequest, for promise: Promise<RelayDone>) {
        ask(request, for: promise.asker, { _ in () }) { [self] in respond(RelayDone(), to: promise) }
    }

    func respond<Value>(_ value: Value, to promise: Promise<Value>) { desk.respond(value, to: promise) }

    /// Sends a Kedge the response to its request, or the reason why it has failed, without any effect.
    func respond<Value>(_ result: Result<Value, RelayError>, to promise: Promise<Value>) {
        switch result {
        case .success(let value): respond(value, to: promise)
        case .failure(let error): refuse(promise.asker, error)
        }
    }

    /// Tells a Kedge that its request has failed, without any effect.
    func refuse(_ asker: Asker, _ error: RelayError) { desk.refuse(asker, error) }

    func room(of conversation: ConversationID) throws(RelayError) -> String {
        guard let room = archive.room(of: conversation.rawValue) else {
            throw RelayError("\(conversation): there is no such room")
        }
        return room
    }

    func conversation(of room: String) -> ConversationID? {
        archive.conversation(of: room).map { ConversationID($0) }
    }
}

extension HTTPResponse {
    /// The reason why a response is of no use: it was cut off, say, or made by a proxy.
    static let unclear = "a response that cannot be read"
}

/// Something that happened to a `SyncLoop`.
enum SyncEvent: Sendable {
    /// The response to a request, with the number of the request.
    case response(Int, Result<HTTPResponse, RequestError>)
    /// The number of a request for a file, and the number of bytes that have come.
    case progress(Int, Int64)
    /// A request of Kedge.
    case asked(Asker, RelayRequest.Content)
    /// The connection of a Kedge has ended.
    case left(Int)
    case stopped
}

/// The events in their order, for the only thread of the loop.
final class SyncQueue: Sendable {
    private let events = Monitor<[SyncEvent]>([])

    func send(_ event: SyncEvent) { events.change { $0.append(event) } }

    /// The next event; nil when the time is over first.
    /// - Parameter limit: nil to wait for ever.
    func next(within limit: Duration?) -> SyncEvent? {
        guard let limit else { return events.wait { $0.isEmpty ? nil : $0.removeFirst() } }
        if limit > .zero { _ = events.wait(atMost: limit) { !$0.isEmpty } }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
