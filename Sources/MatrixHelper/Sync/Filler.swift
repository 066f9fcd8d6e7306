internal import Formats
internal import Matrix

/// Fills the gaps of all rooms, one page at a time: first those between two islands, then those before the oldest island, if
/// rooms are wanted from their beginnings.
///
/// A gap ends where the server says that it ends, never because a known event was met (`Gap`). A server whose pages go in circles is
/// given up.
final class Filler {
    /// After this number of pages without an event, a gap is given up.
    private static let mostEmptyPages = 50

    /// After this number of requests that did not reach the server, some half a minute, a run that is to end does so.
    private static let mostUnreached = 5
    /// As many requests as such a run waits for in vain until the server is taken for silent.
    private static let mostSilences = 2

    /// How many events are asked for at a time to find a message.
    private static let fewEvents = 100

    /// How many rooms an error names.
    private static let mostNamed = 10

    /// How many gaps that nobody asks for any more are remembered.
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

    /// A request that cannot be fulfilled.
    struct Refusal {
        let asker: Asker
        let reason: String
        /// In milliseconds; nil if another try would fail as well.
        let retry: Int?
    }

    private let archive: AccountArchive
    private var goal: MirrorGoal
    private let tree = JSONTree()
    private var waiting: [FillWork] = []
    private var current: FillWork?
    /// Gaps that are filled only when somebody asks for it, with what their pages so far have shown about the server.
    private var asleep: [FillWork] = []
    private var request: Int?
    /// The number of the request that was sent last: responses to others come too late.
    private var serial = 0
    private var refusals: [Refusal] = []
    private var retry = Retry()
    private var reports: [MirrorReport] = []
    /// The number of events that the last request has asked for; nil if it was for tokens.
    private var pageLimit: Int?
    /// How many requests in a row did not reach the server.
    private var unreached = 0
    /// How many requests took too long since the last response.
    private var silences = 0
    /// When the next request may be sent; nil at any time.
    private(set) var due: ContinuousClock.Instant?

    /// - Parameter former: one whose responses may still come, and are not for this one.
    init(_ archive: AccountArchive, _ goal: MirrorGoal, after former: Filler? = nil) {
        (self.archive, self.goal) = (archive, goal)
        serial = former?.serial ?? 0
    }

    var isDone: Bool { waiting.isEmpty && current == nil }

    func takeReports() -> [MirrorReport] {
        defer { reports = [] }
        return reports
    }

    func takeRefusals() -> [Refusal] {
        defer { refusals = [] }
        return refusals
    }

    /// Whether all rooms are wanted from their beginnings from now on.
    func fetchesHistory(_ isOn: Bool) { goal.hasHistory = isOn }

    /// Looks for the gaps of all rooms.
    func collect() throws(DiskFailure) {
        for room in archive.roomIDs { try collect(room) }
    }

    /// Looks for the gaps of a room. One that cannot be read is told, and has none for now.
    func collect(_ room: String) throws(DiskFailure) {
        _ = try archive.attempt { () throws(DiskFailure) in try find(room) }
    }

    private func find(_ room: String) throws(DiskFailure) {
        let known = Set(waiting.filter { $0.room == room }.map(\.gap.edge))
        let gaps = try archive.gaps(in: room)
        for gap in gaps {
            let isWhole = gap.isMissed || goal.hasHistory
            if !isWhole {
                guard gap == gaps.first, try archive.isSilent(room, after: gap) else { continue }
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

    /// Takes a request for the events beside a segment: before it those of a fill backwards, after it those of one forwards. It comes
    /// before all other work.
    /// - Returns: false if no gap is there.
    func take(
        _ demand: FillWork.Demand, beside segment: SegmentName, in room: String, _ server: Server
    ) throws(DiskFailure) -> Bool {
        func isMeant(_ gap: SyncGap) -> Bool { gap.isBeside(segment, demand.direction) }
        func isMeant(_ work: FillWork) -> Bool { work.room == room && isMeant(work.gap) }
        due = nil
        if let work = current, isMeant(work) {
            // A page from the other end for which nobody waits comes later.
            if work.demands.isEmpty, work.direction != demand.direction { cancel(server) }
            current?.demands.append(demand)
            return true
        }
        var work: FillWork
        if let place = waiting.firstIndex(where: isMeant) {
            work = waiting.remove(at: place)
        } else if let place = asleep.firstIndex(where: isMeant) {
            work = asleep.remove(at: place)
        } else if let gap = try archive.gaps(in: room).first(where: isMeant) {
            work = FillWork(room: room, gap: gap, isWanted: gap.isMissed || goal.hasHistory)
        } else {
            return false
        }
        work.demands.append(demand)
        interrupt(server)
        waiting.insert(work, at: 0)
        return true
    }

    /// Drops all work in a room whose gaps have changed.
    /// - Returns: the requests that waited for it.
    func forget(_ room: String, _ server: Server) -> [FillWork.Demand] {
        var dropped = waiting.filter { $0.room == room }
        if let work = current, work.room == room {
            dropped.append(work)
            if let request { server.cancel(request) }
            (current, request) = (nil, nil)
        }
        waiting.removeAll { $0.room == room }
        asleep.removeAll { $0.room == room }
        return dropped.flatMap(\.demands)
    }

    /// Puts the current work back, unless somebody waits for it.
    private func interrupt(_ server: Server) {
        guard let work = current, work.demands.isEmpty else { return }
        if let request { server.cancel(request) }
        (current, request) = (nil, nil)
        waiting.insert(work, at: 0)
    }

    /// Ends the demands of the current work, which cannot be met now.
    private func refuse(_ reason: String, retry: Int?) {
        guard let work = current, !work.demands.isEmpty else { return }
        refusals += work.demands.map { Refusal(asker: $0.asker, reason: reason, retry: retry) }
        current?.demands = []
        if !work.isWanted { sleep() }
    }

    /// Leaves the current work until somebody asks for more.
    private func sleep() {
        guard let work = current else { return }
        asleep.append(work)
        if asleep.count > Filler.mostAsleep { asleep.removeFirst() }
        current = nil
    }

    // MARK: - Requests

    /// Sends the next request, unless one is on its way or it is too early.
    /// - Parameter completion: also receives the number of the request, for `take`.
    func next(
        now: ContinuousClock.Instant, _ server: Server,
        _ completion: @escaping @Sendable (Int, Result<HTTPResponse, HTTPFailure>) -> Void
    ) {
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
            serial += 1
            next.longestSilence = goal.follows ? nil : MirrorPace.longestSilence
            request = server.start(next) { [serial] in completion(serial, $0) }
        }
    }

    func cancel(_ server: Server) {
        if let request { server.cancel(request) }
        request = nil
    }

    /// The requests of Kedge that wait, which this one fulfils no more.
    func takeDemands() -> [FillWork.Demand] {
        let demands = (waiting + [current].compactMap { $0 }).flatMap(\.demands)
        (waiting, current) = ([], nil)
        return demands
    }

    /// The next request for the current gap; nil if it is given up.
    private func nextRequest() -> MatrixRequest? {
        guard var work = current else { return nil }
        work.direction = work.nextDirection
        work.asksForEnd = work.gap.from != nil
        (current, pageLimit) = (work, nil)
        if work.gap.hasTokens, let from = work.gap.from {
            let wanted = work.limit ?? (work.isForMessage ? Filler.fewEvents : goal.pageSize)
            let limit = work.size.limited(min(max(wanted, 1), goal.pageSize))
            pageLimit = limit
            if work.direction == .forward, let stop = work.gap.stop {
                return .messages(room: work.room, .forward, from: stop, to: from, limit: limit)
            }
            return .messages(room: work.room, .backward, from: from, to: work.gap.stop, limit: limit)
        }
        guard
            let edge = try? archive.edge(of: work.gap, in: work.room, isOlder: work.asksForEnd)
        else {
            giveUp("no event is at its edge")
            return nil
        }
        return .tokens(room: work.room, event: edge)
    }

    // MARK: - Responses

    /// Takes the response to the request that was sent last.
    /// - Returns: a page that is to be written, if it brought one. The next request may be sent before.
    func take(_ number: Int, _ result: Result<HTTPResponse, HTTPFailure>, _ pace: MirrorPace) -> Page? {
        guard number == serial, request != nil else { return nil }
        request = nil
        switch result {
        case .failure(let failure):
            guard !failure.isCancelled else { return nil }
            unreached = failure.isOfResponse ? 0 : unreached + 1
            silences += failure.isSilence ? 1 : 0
            if failure.isOfResponse { shrinkPage() }
            follow(retry.failed(jitter: pace.jitter()), failure.description, pace)
        case .success(let response) where response.status == 200:
            (unreached, silences) = (0, 0)
            if let work = current {
                return work.gap.hasTokens ? takePage(response, pace) : takeTokens(response, pace)
            }
        case .success(let response):
            let error = response.error
            unreached = 0
            // A page that is too large (413) is refused with a code of its own, and a smaller one is none.
            let isTooLarge = error.status == 413
            if isTooLarge || error.status >= 500 { shrinkPage() }
            follow(
                isTooLarge
                    ? retry.failed(jitter: pace.jitter())
                    : retry.failed(error, hasToken: true, jitter: pace.jitter()),
                error.text.isEmpty ? "status \(error.status)" : error.text, pace)
        }
        return nil
    }

    private func follow(_ step: Retry.Step, _ reason: String, _ pace: MirrorPace) {
        switch step {
        case .pause(let pause):
            if !goal.follows || goal.hasHistory, current?.size.isHopeless == true { return giveUp(reason) }
            if !goal.follows, unreached > Filler.mostUnreached || silences > Filler.mostSilences {
                return giveUpAll(reason)
            }
            // A server may ask for patience that a run with an end does not have.
            if !goal.follows, pause > MirrorPace.patience { return giveUpAll(reason) }
            due = pace.now() + .milliseconds(pause)
            reports.append(.pause(pause, reason))
            refuse(reason, retry: pause)
            // The next gap comes meanwhile.
            guard let work = current, unreached == 0, work.demands.isEmpty else { return }
            waiting.insert(work, at: place(for: work.gap))
            current = nil
        case .restart:
            guard let work = current, !work.hasNewTokens, work.gap.from != nil else { return giveUp(reason) }
            current?.hasNewTokens = true
            current?.gap.forgetTokens()
        // The next request for news is refused as well, and that counts.
        case .loggedOut:
            refuse("the session has ended", retry: nil)
            (waiting, current) = ([], nil)
        case .giveUp(let reason): giveUp(reason)
        }
    }

    /// Asks for less, if the server could not make a page.
    private func shrinkPage() {
        guard current?.size.failed(pageLimit ?? 0) == true else { return }
        // The smaller page is a request of its own.
        retry.succeeded()
    }

    /// The server is not there: no gap can be filled.
    private func giveUpAll(_ reason: String) {
        let all = [current].compactMap { $0 } + waiting
        let names = Set(all.map { archive.conversation(of: $0.room) ?? $0.room }).sorted()
        let more = names.count > Filler.mostNamed ? " and \(names.count - Filler.mostNamed) more" : ""
        let some = names.prefix(Filler.mostNamed).joined(separator: ", ")
        reports.append(.trouble("\(some)\(more): not all messages were fetched: \(reason)"))
        refusals += all.flatMap(\.demands).map { Refusal(asker: $0.asker, reason: reason, retry: nil) }
        (waiting, current) = ([], nil)
    }

    private func giveUp(_ reason: String) {
        guard var work = current else { return }
        let name = archive.conversation(of: work.room) ?? work.room
        let kind = work.direction == .backward ? "older" : "newer"
        reports.append(.trouble("\(name): \(kind) messages cannot be fetched: \(reason)"))
        // The fill that nobody has asked for goes on, backwards from the newer end.
        let goesOn = work.direction == .forward && work.isWanted
        let demands = work.takeDemands { !goesOn || $0.direction == .forward }
        refusals += demands.map { Refusal(asker: $0.asker, reason: reason, retry: nil) }
        work.courses[.forward] = nil
        work.direction = .backward
        current = goesOn ? work : nil
    }

    private func takeTokens(_ response: HTTPResponse, _ pace: MirrorPace) -> Page? {
        guard let tokens = response.body.withUnsafeBytes({ EdgeTokens($0) }) else {
            shrinkPage()
            follow(retry.failed(jitter: pace.jitter()), "a response that cannot be read", pace)
            return nil
        }
        retry.succeeded()
        guard let work = current, let token = work.asksForEnd ? tokens.end : tokens.start else {
            giveUp("the server names no place to go on from")
            return nil
        }
        if work.asksForEnd { current?.gap.stop(at: token) } else { current?.gap.from = token }
        return nil
    }

    private func takePage(_ response: HTTPResponse, _ pace: MirrorPace) -> Page? {
        guard var work = current else { return nil }
        let direction = work.direction
        archive.events.room = work.room
        guard
            let page = response.body.withUnsafeBytes({
                EventsPage($0, direction, tree: tree, events: archive.events)
            })
        else {
            shrinkPage()
            follow(retry.failed(jitter: pace.jitter()), "a response that cannot be read", pace)
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
            if work.courses[direction]?.emptyPages ?? 0 > Filler.mostEmptyPages {
                giveUp("the server sends pages without end")
            }
            return nil
        }
        guard let segment = work.gap.segment(for: page, direction) else {
            giveUp("no number is left for a segment")
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
        if !hasDemands, !work.isWanted || work.isForMessage && page.hasMessages && !goal.hasHistory { sleep() }
        reports.append(
            .page(conversation: archive.conversation(of: found.room) ?? found.room, events: page.count))
        return found
    }
}

/// A gap that is being filled.
struct FillWork {
    /// A request of Kedge for the events before a segment, or after it.
    struct Demand {
        let asker: Asker
        let direction: FillDirection
        let limit: Int
    }

    /// The pages that were fetched in one direction, for recognizing a server that repeats itself or never ends.
    struct Course {
        /// The tokens of the pages: a server that repeats one goes in circles.
        private var tokens: Set<String> = []
        /// How many pages in a row had no events.
        private(set) var emptyPages = 0
        /// The IDs of the events of the pages, as far as they are remembered.
        private var ids: Set<String> = []

        /// How many IDs of events are remembered.
        private static let mostIDs = 50_000

        /// Takes a page after which there are more.
        /// - Returns: false if the server repeats a token, or the events of its pages.
        mutating func goesOn(with page: EventsPage, _ gap: SyncGap, _ direction: FillDirection) -> Bool {
            let from = direction == .backward ? gap.from : gap.stop
            guard let end = page.end, end != from, tokens.insert(end).inserted else { return false }
            guard page.count > 0 else {
                emptyPages += 1
                return true
            }
            emptyPages = 0
            guard !page.ids.isSubset(of: ids) || page.ids.isEmpty else { return false }
            if ids.count > Course.mostIDs { ids.removeAll() }
            ids.formUnion(page.ids)
            return true
        }
    }

    /// How many events a page may have, as far as the server can make it: some fail at a page of 1,000 members, others at one that
    /// takes them too long.
    struct PageSize {
        private static let least = 10
        /// After so many pages, larger ones are tried again: a server that was restarted has failed at each.
        private static let patience = 8
        private static let mostFailures = 3

        private var most = Int.max
        private var pages = 0
        /// How often requests that cannot be smaller have failed in a row.
        private var failures = 0

        /// The number of events to ask for.
        func limited(_ count: Int) -> Int { min(count, most) }

        mutating func succeeded() {
            (failures, pages) = (0, pages + 1)
            if pages % PageSize.patience == 0, most < Int.max / 2 { most *= 2 }
        }

        /// Takes a failure to make a page.
        /// - Parameter count: the number of events that were asked for; 0 for tokens alone.
        /// - Returns: whether a smaller page is to be asked for now.
        mutating func failed(_ count: Int) -> Bool {
            failures += 1
            guard failures > 1 || most < .max, count > PageSize.least else { return false }
            (most, failures, pages) = (max(PageSize.least, count / 2), 0, 0)
            return true
        }

        /// Whether the smallest pages fail as well, again and again.
        var isHopeless: Bool { failures >= PageSize.mostFailures }
    }

    let room: String
    var gap: SyncGap
    /// Whether it is filled only until a message is found: the newest events of the room are none.
    var isForMessage = false
    var size = PageSize()
    /// Whether it is filled without being asked for: backwards.
    let isWanted: Bool
    /// The requests that wait for its next page.
    var demands: [Demand] = []
    var courses: [FillDirection: Course] = [:]
    /// Whether new tokens were asked for after the server had refused those of the gap.
    var hasNewTokens = false
    /// Whether the token is asked for at which the gap ends.
    var asksForEnd = false
    /// The direction of the request that was sent last. A gap may be filled from both ends, a page from each in turn: each goes on
    /// to the token that the other one has left.
    var direction = FillDirection.backward

    init(room: String, gap: SyncGap, isWanted: Bool) { (self.room, self.gap, self.isWanted) = (room, gap, isWanted) }

    /// The direction of the next page.
    var nextDirection: FillDirection { demands.first?.direction ?? .backward }

    /// The most events that the next page may have; nil for as many as the server sends.
    var limit: Int? { demands.filter { $0.direction == direction }.map(\.limit).max() }

    /// Takes the requests out that a page fulfils.
    mutating func takeDemands(_ isMet: (Demand) -> Bool) -> [Demand] {
        let met = demands.filter(isMet)
        demands.removeAll(where: isMet)
        return met
    }
}

extension SyncGap {
    /// Whether it is right beside a segment, so that a page in a direction would touch that.
    func isBeside(_ segment: SegmentName, _ direction: FillDirection) -> Bool {
        switch direction {
        case .backward: edge == segment
        case .forward: older == segment
        }
    }
}
