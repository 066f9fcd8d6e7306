package import Files
internal import Formats
package import Helper
internal import Matrix
internal import Messages
package import Relay

/// Follows a homeserver, writes its events into the archive of an account, and performs the requests of Kedges.
///
///     an event → the handler that it is for → all handlers resume: each sends its next request → sleep until the next event
///
/// It has one thread, on which `run` is called: responses come to its queue.
package final class SyncLoop {
    private let context: SyncContext
    private let queue = SyncQueue()
    /// The server with the session that the user has now; nil without one.
    private let renewed: () -> Server?
    private let updates: Updates
    private let gaps: Gaps
    private let outbox: Outbox
    private let media: Media
    private let receipts: Receipts
    private let rooms: Rooms
    private let islands: IslandFetcher
    /// In the order in which they send their requests.
    private let handlers: [any Handler]

    /// - Parameters:
    ///   - renewed: the server with the session that the user has by now, after the one before has ended; nil without one.
    ///   - relay: sends news to a client, or to all of them.
    /// - Throws: when the archive cannot be opened.
    package init(
        archive path: String, me: String, server: Server, goal: SyncGoal, pace: SyncPace = SyncPace(),
        report: @escaping (SyncReport) -> Void = { _ in }, renewed: @escaping () -> Server? = { nil },
        relay: @escaping @Sendable (_ news: RelayNews, _ client: Int?) -> Void = { _, _ in }
    ) throws(FileError) {
        self.renewed = renewed
        let archive = try AccountArchive(path: path, me: me, isReadable: server.encrypts)
        context = SyncContext(archive, server, goal, pace, RelayDesk(relay), queue, report: report)
        updates = Updates(context)
        gaps = Gaps(context)
        outbox = try Outbox(context)
        media = try Media(context)
        receipts = Receipts(context)
        rooms = Rooms(context)
        islands = IslandFetcher(context, gaps)
        handlers = [outbox, updates, gaps, receipts, rooms]
        updates.tell = { [handlers] news throws(FileError) in for handler in handlers { try handler.take(news) } }
    }

    /// Handles a request of Kedge. Any thread may call the returned closure.
    package var onRequest: @Sendable (Asker, RelayRequest.Content) -> Void {
        { [queue] asker, request in queue.send(.asked(asker, request)) }
    }

    /// Handles the end of a connection. Any thread may call the returned closure.
    package var onLeave: @Sendable (_ client: Int) -> Void { { [queue] client in queue.send(.left(client)) } }

    /// Ends `run`. Any thread may call the returned closure.
    package var stop: @Sendable () -> Void { { [queue] in queue.send(.stopped) } }

    /// Runs until the goal is reached.
    package func run() -> SyncEnd {
        do throws(SyncEnd) {
            try SyncEnd.disk(open)
            while true {
                do throws(SyncEnd) {
                    try resume()
                    if let event = queue.next(within: pause()) { try take(event) }
                } catch {
                    try recover(from: error)
                }
            }
        } catch {
            context.cancelAll()
            receipts.end()
            if let reason = error.reason(for: context.me) { context.desk.note(.offline(reason: reason)) }
            return error
        }
    }

    /// Reads the state on the disk, and writes what an earlier process has left in the journal.
    private func open() throws(FileError) {
        try updates.open()
        try gaps.open()
    }

    private func resume() throws(SyncEnd) {
        let now = context.pace.now()
        for handler in handlers { try handler.resume(now) }
        for line in context.archive.takeTroubles() { context.report(.trouble(line)) }
        if updates.isDone, gaps.isDone { throw .done }
    }

    /// The time until a handler has work; nil if all wait for an event.
    private func pause() -> Duration? {
        handlers.compactMap(\.due).min().map { max(.zero, $0 - context.pace.now()) }
    }

    private func take(_ event: SyncEvent) throws(SyncEnd) {
        switch event {
        case .response(let number, let response): try context.take(response, of: number)
        case .progress(let number, let received): context.note(received, of: number)
        case .asked(let asker, let request): perform(request, for: asker)
        case .left(let client):
            context.desk.forget(client)
            gaps.forget(client)
        case .stopped: throw .done
        }
    }

    // MARK: - Requests of Kedge

    private func perform(_ request: RelayRequest.Content, for asker: Asker) {
        do throws(RelayError) {
            switch request {
            case .hello:
                context.desk.welcome(asker)
                receipts.tellOwnReads(to: asker)
            // The session goes on until the server ends it.
            case .renewed(let reply): context.respond(RelayDone(), to: asker.of(reply))
            case .follow(let conversation, let isOn, let reply):
                try receipts.follow(conversation, isOn: isOn, asker.of(reply))
            case .fill(let conversation, let segment, let side, let limit, let reply):
                let direction: FillDirection = side == .before ? .backward : .forward
                let demand = FillWork.Demand(promise: asker.of(reply), direction: direction, limit: limit)
                try gaps.fill(try context.room(of: conversation), segment, demand)
            case .around(let conversation, let event, let reply):
                try islands.find(event.rawValue, try context.room(of: conversation), for: asker.of(reply))
            case .send(let conversation, let message, let reply):
                try outbox.add(message, to: conversation, asker.of(reply))
            case .read(let conversation, let message, let receipt, let reply):
                let room = try context.room(of: conversation)
                let event = try outbox.event(of: message, in: room)
                context.ask(.read(event, room: room, receipt: receipt.type), for: asker.of(reply))
            case .typing(let conversation, let isOn, let reply):
                let room = try context.room(of: conversation)
                context.ask(.typing(isOn, room: room, user: context.me), for: asker.of(reply))
            case .media(let conversation, let message, let reply):
                let room = try context.room(of: conversation)
                try media.fetch(fileOf: try outbox.event(of: message, in: room), in: room, for: asker.of(reply))
            case .search(let search, let reply): try ServerSearch(context).begin(search, for: asker.of(reply))
            case .join(let address, let reply): try rooms.join(address, for: asker.of(reply))
            case .decline(let room, let reply): try rooms.decline(room, for: asker.of(reply))
            case .leave(let conversation, let reply):
                context.ask(.leave(try context.room(of: conversation)), for: asker.of(reply))
            case .members(let conversation, let reply):
                rooms.listMembers(of: try context.room(of: conversation), for: asker.of(reply))
            case .history(let reply): try gaps.fetchHistory(for: asker.of(reply))
            }
        } catch {
            context.refuse(asker, error)
        }
    }

    // MARK: - Pauses

    /// A loop that follows the server waits until the disk can be written again. A loop that serves Kedges waits for
    /// the next login.
    private func recover(from end: SyncEnd) throws(SyncEnd) {
        switch end {
        case .disk(let reason) where context.goal.follows: try reopen(reason)
        case .loggedOut where context.goal.serves: try awaitLogin(end)
        case .done, .disk, .loggedOut, .refused: throw end
        }
    }

    /// Opens the archive again after a disk error: only what is on the disk counts, not what this process remembers.
    private func reopen(_ reason: String) throws(SyncEnd) {
        var reason = reason
        updates.cancel()
        gaps.cancel(because: reason, retry: SyncPace.wait)
        while true {
            context.report(.pause(SyncPace.wait, reason))
            try wait(reason, within: .milliseconds(SyncPace.wait))
            do throws(FileError) {
                context.archive = try AccountArchive(
                    path: context.archive.path, me: context.me, isReadable: context.server.encrypts)
                return try open()
            } catch {
                reason = error.description
            }
        }
    }

    /// Waits until the user has logged in again. Files and unsent posts stay; Kedge shows the command to type.
    private func awaitLogin(_ end: SyncEnd) throws(SyncEnd) {
        let reason = end.reason(for: context.me) ?? ""
        updates.cancel()
        gaps.cancel(because: reason, retry: nil)
        var isTold = false
        while true {
            if let new = renewed(), !new.isSame(as: context.server) {
                context.server = new
                break
            }
            if !isTold { context.report(.trouble(reason)) }
            isTold = true
            outbox.postpone(because: reason)
            // A stop meanwhile ends the loop with the reason for this wait.
            do throws(SyncEnd) { try wait(reason, within: nil) } catch { throw end }
        }
        outbox.hurry()
        updates.hurry()
        try SyncEnd.disk(gaps.collect)
    }

    /// Waits for the time, or until something happens: what keeps the loop from its work may be over then.
    private func wait(_ reason: String, within limit: Duration?) throws(SyncEnd) {
        context.desk.note(.offline(reason: reason))
        context.pauseReason = reason
        defer { context.pauseReason = nil }
        switch queue.next(within: limit) {
        case .asked(let asker, let request):
            switch request {
            case .hello, .renewed: perform(request, for: asker)
            default: context.refuse(asker, RelayError(reason, retry: SyncPace.wait))
            }
        // An error is ignored: a handler that meets the end of the session, or a bad disk, meets it again.
        case .response(let number, let response): try? context.take(response, of: number)
        case let event?: try take(event)
        case nil: break
        }
    }
}

extension ReadReceipt {
    /// The type of the receipt (Matrix client-server API, "Receipts"); nil when there is none.
    fileprivate var type: String? {
        switch self {
        case .public: "m.read"
        case .private: "m.read.private"
        case .none: nil
        }
    }
}
