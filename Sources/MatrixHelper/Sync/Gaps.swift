internal import ArchiveFormat
internal import Files
internal import Formats
internal import Helper
internal import JSON
internal import Matrix
internal import Relay

/// Fills the gaps of all rooms, one page at a time: first those between two islands, then those before the oldest island, if
/// rooms are wanted from their beginnings.
///
/// A gap ends where the server says that it ends, never because a known event was met (`Gap`). A server whose pages go in circles is
/// given up.
final class Gaps: Handler {
    /// The number of pages without an event after which a gap is given up.
    private static let mostEmptyPages = 50

    /// The number of successive requests without a connection (about half a minute) after which a run that has an end
    /// stops.
    private static let mostUnreached = 5
    /// The number of requests without a response after which such a run treats the server as silent.
    private static let mostSilences = 2

    /// The number of events in a request that looks for a message.
    private static let fewEvents = 100

    /// The most rooms that an error names.
    private static let mostNamed = 10

    /// The most gaps without a waiting client to remember.
    private static let mostAsleep = 64

    /// A page that is to be written.
    struct Page {
        let events: EventsPage
        let gap: SyncGap
        let direction: FillDirection
        let room: String
        /// The requests that it fulfils.
        let demands: [FillWork.Demand]
    }

    private let context: SyncContext
    private let tree = JSONTree()
    private var waiting: [FillWork] = []
    private var current: FillWork?
    /// Gaps that are filled only on request, with what their pages so far have shown about the server.
    private var asleep: [FillWork] = []
    private var request: Int?
    private var retry = Retry()
    /// The number of events that the last request has asked for; nil if it was for tokens.
    private var pageLimit: Int?
    /// The number of successive requests that did not reach the server.
    private var unreached = 0
    /// The number of requests that took too long since the last response.
    private var silences = 0
    /// The earliest time of the next request; nil for at once.
    private(set) var due: ContinuousClock.Instant?
    /// The rooms in which a page could not be written, and when their gaps are tried again.
    private var refused: [String: ContinuousClock.Instant] = [:]
    /// The clients that wait for the beginnings of all rooms.
    private var historians: [Promise<RelayDone>] = []
    /// The last error that kept messages from these clients.
    private var lastTrouble: String?

    init(_ context: SyncContext) { self.context = context }

    var isDone: Bool { waiting.isEmpty && current == nil }

    /// True if all rooms are wanted from their beginnings.
    private var wantsHistory: Bool { context.goal.hasHistory || !historians.isEmpty }

    func resume(_ now: ContinuousClock.Instant) {
        next(now)
        tellHistorians()
    }

    func take(_ news: SyncNews) throws(FileError) {
        let now = context.pace.now()
        let again = refused.filter { $0.value <= now }.map(\.key)
        for room in again { refused[room] = nil }
        for room in news.gaps + again { try collect(room) }
    }

    /// Looks for the gaps of all rooms in an archive that has just been opened.
    func open() throws(FileError) {
        (asleep, retry, due) = ([], Retry(), nil)
        try collect()
    }

    /// Looks for the gaps of all rooms.
    func collect() throws(FileError) {
        for room in context.archive.roomIDs { try collect(room) }
    }

    /// Finds the gaps of a room. An unreadable room is reported, and has none for now.
    private func collect(_ room: String) throws(FileError) {
        _ = try context.archive.attempt { () throws(FileError) in try find(room) }
    }

    private func find(_ room: String) throws(FileError) {
        let known = Set(waiting.filter { $0.room == room }.map(\.gap.edge))
        let gaps = try context.archive.gaps(in: room)
        for gap in gaps {
            let isWhole = gap.isMissed || wantsHistory
            if !isWhole {
                guard gap == gaps.first, try context.archive.isSilent(room, after: gap) else { continue }
            }
            let isCurrent = current.map { $0.room == room && $0.gap.older == gap.older } ?? false
            guard !isCurrent, !known.contains(gap.edge) else { continue }
            var work = FillWork(room: room, gap: gap, isWanted: true)
            work.isForMessage = !isWhole
            waiting.insert(work, at: place(for: gap))
        }
    }

    /// Messages that were missed during a pause come before those that were never here.
    private func place(for gap: SyncGap) -> Int {
        let first = gap.older == nil ? nil : waiting.firstIndex { $0.gap.older == nil && $0.demands.isEmpty }
        return first ?? waiting.endIndex
    }

    // MARK: - Demands

    /// Fetches the events next to a segment: before it for a demand backwards, after it for one forwards. This comes before all
    /// other work. Responds at once if no gap is there.
    /// - Parameter segment: the name of its file.
    func fill(_ room: String, _ segment: String, _ demand: FillWork.Demand) throws(RelayError) {
        guard let name = SegmentName(file: segment) else { throw RelayError("\(segment): not the name of a segment") }
        do throws(FileError) {
            if try !take(demand, beside: name, in: room) { context.respond(RelayDone(), to: demand.promise) }
        } catch {
            throw RelayError(error.description)
        }
    }

    /// - Returns: false if no gap is there.
    private func take(
        _ demand: FillWork.Demand, beside segment: SegmentName, in room: String
    ) throws(FileError) -> Bool {
        func isMeant(_ gap: SyncGap) -> Bool { gap.isBeside(segment, demand.direction) }
        func isMeant(_ work: FillWork) -> Bool { work.room == room && isMeant(work.gap) }
        due = nil
        if let work = current, isMeant(work) {
            // Nobody waits for this page from the other end, so it comes later.
            if work.demands.isEmpty, work.direction != demand.direction { cancel() }
            current?.demands.append(demand)
            return true
        }
        var work: FillWork
        if let place = waiting.firstIndex(where: isMeant) {
            work = waiting.remove(at: place)
        } else if let place = asleep.firstIndex(where: isMeant) {
            work = asleep.remove(at: place)
        } else if let gap = try context.archive.gaps(in: room).first(where: isMeant) {
            work = FillWork(room: room, gap: gap, isWanted: gap.isMissed || wantsHistory)
        } else {
            return false
        }
        work.demands.append(demand)
        interrupt()
        waiting.insert(work, at: 0)
        return true
    }

    /// Begins again in a room whose gaps have changed. The clients that wait for a page there get a response, and ask again.
    func restart(_ room: String) throws(FileError) {
        for demand in forget(room) { context.respond(RelayDone(), to: demand.promise) }
        try collect(room)
    }

    /// Drops all work in a room.
    /// - Returns: the requests that waited for it.
    private func forget(_ room: String) -> [FillWork.Demand] {
        var dropped = waiting.filter { $0.room == room }
        if let work = current, work.room == room {
            dropped.append(work)
            cancel()
            current = nil
        }
        waiting.removeAll { $0.room == room }
        asleep.removeAll { $0.room == room }
        return dropped.flatMap(\.demands)
    }

    /// Puts the current work back, unless a client waits for it.
    private func interrupt() {
        guard let work = current, work.demands.isEmpty else { return }
        cancel()
        current = nil
        waiting.insert(work, at: 0)
    }

    /// Ends the demands of the current work, which cannot be met now.
    private func refuse(_ reason: String, retry: Int?) {
        guard let work = current, !work.demands.isEmpty else { return }
        refuse(work.demands, reason, retry: retry)
        current?.demands = []
        if !work.isWanted { sleep() }
    }

    /// - Parameter retry: in milliseconds; nil if another try would fail as well.
    private func refuse(_ demands: [FillWork.Demand], _ reason: String, retry: Int?) {
        for demand in demands { context.refuse(demand.promise.asker, RelayError(reason, retry: retry)) }
    }

    /// Leaves the current work until more is requested.
    private func sleep() {
        guard let work = current else { return }
        asleep.append(work)
        if asleep.count > Gaps.mostAsleep { asleep.removeFirst() }
        current = nil
    }

    // MARK: - Requests

    /// Sends the next request, unless one is on its way or it is too early.
    private func next(_ now: ContinuousClock.Instant) {
        guard request == nil, due.map({ $0 <= now }) ?? true else { return }
        due = nil
        while request == nil {
            if let work = current, work.demands.isEmpty, waiting.first?.demands.isEmpty == false {
                waiting.insert(work, at: 1)
                current = nil
            }
            if current == nil {
                guard !waiting.isEmpty else { return }
                current = waiting.removeFirst()
            }
            guard var next = nextRequest() else { continue }
            next.longestSilence = context.goal.follows ? nil : SyncPace.longestSilence
            request = context.start(next) { [self] response throws(SyncEnd) in try take(response) }
        }
    }

    private func cancel() {
        context.cancel(request)
        request = nil
    }

    /// Gives up all work, which cannot be done now.
    func cancel(because reason: String, retry: Int?) {
        cancel()
        refuse((waiting + [current].compactMap { $0 }).flatMap(\.demands), reason, retry: retry)
        (waiting, current) = ([], nil)
    }

    /// The next request for the current gap; nil if it is given up.
    private func nextRequest() -> MatrixRequest? {
        guard var work = current else { return nil }
        work.direction = work.nextDirection
        work.asksForEnd = work.gap.from != nil
        (current, pageLimit) = (work, nil)
        if work.gap.hasTokens, let from = work.gap.from {
            let wanted = work.limit ?? (work.isForMessage ? Gaps.fewEvents : context.goal.pageSize)
            let limit = work.size.limited(min(max(wanted, 1), context.goal.pageSize))
            pageLimit = limit
            if work.direction == .forward, let stop = work.gap.stop {
                return .messages(room: work.room, .forward, from: stop, to: from, limit: limit)
            }
            return .messages(room: work.room, .backward, from: from, to: work.gap.stop, limit: limit)
        }
        guard
            let edge = try? context.archive.edge(of: work.gap, in: work.room, isOlder: work.asksForEnd)
        else {
            giveUp("there is no event next to the gap")
            return nil
        }
        return .tokens(room: work.room, event: edge)
    }

    // MARK: - The history

    /// Fetches all rooms from their beginnings, as far as the server has them, and responds when they are here.
    func fetchHistory(for promise: Promise<RelayDone>) throws(RelayError) {
        historians.append(promise)
        do throws(FileError) {
            try collect()
        } catch {
            historians.removeAll { $0 == promise }
            throw RelayError(error.description, retry: SyncPace.wait)
        }
    }

    /// Call this when the connection of a client has ended.
    func forget(_ client: Int) { historians.removeAll { $0.asker.client == client } }

    /// Tells the clients that wait for the history that it is here, or why not.
    private func tellHistorians() {
        guard isDone, !historians.isEmpty else { return }
        let result = lastTrouble.map { Result.failure(RelayError($0)) } ?? .success(RelayDone())
        for promise in historians { context.respond(result, to: promise) }
        (historians, lastTrouble) = ([], nil)
    }

    // MARK: - Responses

    private func take(_ response: SyncContext.Response) throws(SyncEnd) {
        request = nil
        let page = page(in: response)
        // The next request is on its way while the page is written.
        next(context.pace.now())
        if let page { try write(page) }
    }

    private func write(_ page: Page) throws(SyncEnd) {
        do throws(FileError) {
            try context.archive.add(page.events, page.direction, to: page.gap, in: page.room)
            for demand in page.demands { context.respond(RelayDone(), to: demand.promise) }
            context.report(.page(conversation: name(of: page.room), events: page.events.count))
        } catch {
            refuse(page.demands, error.description, retry: SyncPace.wait)
            if error.stopsAll { throw .disk(error.description) }
            // The log still has the gap as it was.
            refuse(forget(page.room), error.description, retry: SyncPace.wait)
            refused[page.room] = context.pace.now() + .milliseconds(SyncPace.wait)
            tell(error.description)
        }
    }

    private func tell(_ trouble: String) {
        if !historians.isEmpty { lastTrouble = trouble }
        context.report(.trouble(trouble))
    }

    private func name(of room: String) -> String { context.archive.conversation(of: room) ?? room }

    /// - Returns: a page that is to be written, if the response brought one.
    private func page(in response: SyncContext.Response) -> Page? {
        switch response {
        case .failure(let failure):
            unreached = failure.isOfResponse ? 0 : unreached + 1
            silences += failure.isSilence ? 1 : 0
            if failure.isOfResponse { shrinkPage() }
            follow(retry.failed(jitter: context.pace.jitter()), failure.description)
        case .success(let response) where response.status == 200:
            (unreached, silences) = (0, 0)
            if let work = current {
                if work.gap.hasTokens { return takePage(response) }
                takeTokens(response)
            }
        case .success(let response):
            let error = response.error
            unreached = 0
            // A page that is too large (413) is refused with an error code, but a smaller one may succeed.
            let isTooLarge = error.status == 413
            if isTooLarge || error.status >= 500 { shrinkPage() }
            let jitter = context.pace.jitter()
            follow(
                isTooLarge ? retry.failed(jitter: jitter) : retry.failed(error, hasToken: true, jitter: jitter),
                error.reason)
        }
        return nil
    }

    private func follow(_ step: Retry.Step, _ reason: String) {
        switch step {
        case .pause(let pause):
            let follows = context.goal.follows
            if !follows || wantsHistory, current?.size.isHopeless == true { return giveUp(reason) }
            if !follows, unreached > Gaps.mostUnreached || silences > Gaps.mostSilences {
                return giveUpAll(reason)
            }
            // A server may ask for patience that a run with an end does not have.
            if !follows, pause > SyncPace.patience { return giveUpAll(reason) }
            due = context.pace.now() + .milliseconds(pause)
            context.report(.pause(pause, reason))
            refuse(reason, retry: pause)
            // The next gap comes meanwhile.
            guard let work = current, unreached == 0, work.demands.isEmpty else { return }
            waiting.insert(work, at: place(for: work.gap))
            current = nil
        case .restart:
            guard let work = current, !work.hasNewTokens, work.gap.from != nil else { return giveUp(reason) }
            current?.hasNewTokens = true
            current?.gap.forgetTokens()
        // The next request for news is refused as well, and `Updates` handles that.
        case .loggedOut:
            let reason = "the session has ended"
            if !historians.isEmpty { lastTrouble = reason }
            cancel(because: reason, retry: nil)
        case .giveUp(let reason): giveUp(reason)
        }
    }

    /// Asks for less, if the server could not make a page.
    private func shrinkPage() {
        guard current?.size.failed(pageLimit ?? 0) == true else { return }
        // The smaller page is another request, not a retry of this one.
        retry.succeeded()
    }

    /// Gives up all gaps, because the server cannot be reached.
    private func giveUpAll(_ reason: String) {
        let all = [current].compactMap { $0 } + waiting
        let names = Set(all.map { name(of: $0.room) }).sorted()
        let more = names.count > Gaps.mostNamed ? " and \(names.count - Gaps.mostNamed) more" : ""
        let some = names.prefix(Gaps.mostNamed).joined(separator: ", ")
        tell("\(some)\(more): not all messages were fetched: \(reason)")
        cancel(because: reason, retry: nil)
    }

    private func giveUp(_ reason: String) {
        guard var work = current else { return }
        let kind = work.direction == .backward ? "older" : "newer"
        tell("\(name(of: work.room)): \(kind) messages cannot be fetched: \(reason)")
        // The fill that nobody has asked for goes on, backwards from the newer end.
        let goesOn = work.direction == .forward && work.isWanted
        let demands = work.takeDemands { !goesOn || $0.direction == .forward }
        refuse(demands, reason, retry: nil)
        work.courses[.forward] = nil
        work.direction = .backward
        current = goesOn ? work : nil
    }

    private func takeTokens(_ response: HTTPResponse) {
        guard let tokens = response.body.withUnsafeBytes({ EdgeTokens($0) }) else {
            shrinkPage()
            return follow(retry.failed(jitter: context.pace.jitter()), HTTPResponse.unclear)
        }
        retry.succeeded()
        guard let work = current, let token = work.asksForEnd ? tokens.end : tokens.start else {
            return giveUp("the server does not say where to continue")
        }
        if work.asksForEnd { current?.gap.stop(at: token) } else { current?.gap.from = token }
    }

    private func takePage(_ response: HTTPResponse) -> Page? {
        guard var work = current else { return nil }
        let direction = work.direction
        let events = context.archive.events(in: work.room)
        guard
            let page = response.body.withUnsafeBytes({ EventsPage($0, direction, tree: tree, events: events) })
        else {
            shrinkPage()
            follow(retry.failed(jitter: context.pace.jitter()), HTTPResponse.unclear)
            return nil
        }
        retry.succeeded()
        work.size.succeeded()
        let isClosed = work.gap.isClosed(by: page, direction)
        guard isClosed || work.courses[direction, default: FillWork.Course()].goesOn(with: page, work.gap, direction)
        else {
            giveUp("the server repeats its pages")
            return nil
        }
        if page.count == 0, !isClosed, let end = page.end {
            work.gap.skip(to: end, direction)
            current = work
            if work.courses[direction]?.emptyPages ?? 0 > Gaps.mostEmptyPages {
                giveUp("the server sends pages without end")
            }
            return nil
        }
        guard let segment = work.gap.segment(for: page, direction) else {
            giveUp("the conversation has used all numbers for its segments")
            return nil
        }
        // A gap that is closed has nothing left for the others.
        let met = work.takeDemands { isClosed || $0.direction == direction }
        let found = Page(events: page, gap: work.gap, direction: direction, room: work.room, demands: met)
        let hasDemands = !work.demands.isEmpty
        current = segment.rest.map { rest in
            work.gap = rest
            return work
        }
        if !hasDemands, !work.isWanted || work.isForMessage && page.hasMessages && !wantsHistory { sleep() }
        return found
    }
}
