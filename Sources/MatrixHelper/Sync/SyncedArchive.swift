internal import Formats
internal import Matrix
package import Relay
internal import Threads

/// Follows a homeserver and writes what it says into the archive of an account.
///
///     /sync     → journal → logs → token        one request at a time, always
///     /messages → a segment beside its gap      one request at a time, while gaps are left
///     a request of Kedge → its response         when the files hold what it asks for
///
/// It has one thread, on which `run` is called: responses come to its queue.
package final class SyncedArchive {
    /// How long the server waits for something new, in milliseconds.
    private static let wait = 30_000

    var server: Server
    /// The server with the session that the user has now; nil without one.
    let renewed: () -> Server?
    let goal: MirrorGoal
    let pace: MirrorPace
    let report: (MirrorReport) -> Void
    private let path: String
    let me: String
    let queue = MirrorQueue()
    var archive: AccountArchive
    private(set) var reader: SyncReader
    var filler: Filler
    let outbox: Outbox
    let downloads: Downloads
    let book: ReceiptBook
    var reactions = ReactionQueue()
    /// The events up to which this account has read, as far as receipts have told since the start.
    var ownReads: [String: String] = [:]
    var desk: RelayDesk
    var retry = Retry()
    /// The token that the next response follows.
    var since: String?
    /// Nil when all rooms are here.
    var firstLook: FirstLook?
    /// Whether the request that is on its way asks for spaces and invitations.
    var asksForRelations = false
    /// Whether the server has refused to tell these in this run.
    var hasNoRelations = false
    /// The requests of Kedge that wait for a room that was joined, by its ID.
    var joining: [String: [Asker]] = [:]
    /// The request that is on its way.
    private var request: Int?
    /// The number of the request that was sent last.
    private var serial = 0
    /// When the next request is to be sent; nil while one is on its way.
    private var due: ContinuousClock.Instant?
    /// Whether the last response had nothing new.
    private var isCurrent = false
    /// The responses that had something new.
    private var responses = 0
    /// Each response has all that is new. After so many of them a mirror that does not follow the server has what was there when it began.
    private static let mostResponses = 100
    /// Whether the last request failed.
    var isTroubled = false {
        didSet { if !isTroubled { paused = 0 } }
    }
    /// The pauses since the last success, in milliseconds.
    private var paused = 0
    /// Those who wait until all rooms are here from their beginnings, and the error that has kept one of them from that.
    var historians: [Asker] = []
    var lastTrouble: String?
    /// The rooms in which a page could not be written, and when their gaps are tried again.
    private var refusedPages: [String: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - renewed: the server with the session that the user has by now, after the one before has ended; nil without one.
    ///   - relay: sends news to a client, or to all of them.
    /// - Throws: when the archive cannot be opened.
    package init(
        archive path: String, me: String, server: Server, goal: MirrorGoal, pace: MirrorPace = MirrorPace(),
        report: @escaping (MirrorReport) -> Void = { _ in }, renewed: @escaping () -> Server? = { nil },
        relay: @escaping @Sendable (_ news: RelayNews, _ client: Int?) -> Void = { _, _ in }
    ) throws(DiskFailure) {
        (self.path, self.me, self.server, self.goal) = (path, me, server, goal)
        (self.pace, self.report, self.renewed) = (pace, report, renewed)
        archive = try AccountArchive(path: path, me: me, isReadable: server.encrypts)
        reader = SyncReader(events: archive.events)
        filler = Filler(archive, goal)
        outbox = try Outbox(folder: path + "/matrix")
        downloads = try Downloads(archive: path)
        book = ReceiptBook(path: path + "/matrix/receipts.json")
        desk = RelayDesk(relay)
    }

    /// Takes a request of Kedge. Any thread may call what this returns.
    package var onRequest: @Sendable (Asker, RelayRequest.Content) -> Void {
        { [queue] asker, request in queue.send(.asked(asker, request)) }
    }

    /// Takes the end of a connection. Any thread may call what this returns.
    package var onLeave: @Sendable (_ client: Int) -> Void { { [queue] client in queue.send(.left(client)) } }

    /// Ends `run`. Any thread may call what this returns.
    package var stop: @Sendable () -> Void { { [queue] in queue.send(.stopped) } }

    /// Mirrors until the goal is reached.
    package func run() -> MirrorEnd {
        do {
            try begin()
            while true {
                if let event = queue.next(within: pause()) {
                    try take(event)
                } else {
                    try resume()
                }
                if isDone { return .done }
            }
        } catch {
            if let request { server.cancel(request) }
            filler.cancel(server)
            outbox.cancel(server)
            downloads.cancel(server)
            book.save(now: pace.now(), isEnd: true)
            if let reason = error.reason(for: me) { desk.note(isOnline: false, reason: reason) }
            return error
        }
    }

    private var isDone: Bool { !goal.follows && isCurrent && filler.isDone }

    /// Writes what an earlier process has left in the journal, and sends the first request.
    private func begin() throws(MirrorEnd) {
        try disk { () throws(DiskFailure) in
            since = try archive.state.token()
            if let journal = try archive.state.journal() { try apply(journal, isReplay: true) }
            if let since { _ = try archive.settle(upTo: since) }
            firstLook = try neededLook()
        }
        ask()
        try disk { () throws(DiskFailure) in try filler.collect() }
        tellTroubles()
        fill()
    }

    /// The first look, if an account is new, or if an earlier process has not ended it. pantalaimon decrypts what /sync brings, and
    /// nothing that comes by sliding sync.
    private func neededLook() throws(DiskFailure) -> FirstLook? {
        guard !server.encrypts else { return nil }
        let token = try archive.state.first()
        return since == nil && (archive.roomIDs.isEmpty || token != nil) ? FirstLook(token: token) : nil
    }

    // MARK: - Time

    /// How long nothing is to be done; nil until something happens.
    private func pause() -> Duration? {
        [due, filler.due, outbox.due, book.due].compactMap { $0 }.min().map { max(.zero, $0 - pace.now()) }
    }

    /// Does what is due.
    private func resume() throws(MirrorEnd) {
        let now = pace.now()
        if let time = due, time <= now { ask() }
        if let time = filler.due, time <= now {
            fill()
            tellHistorians()
        }
        if let time = outbox.due, time <= now { post() }
        if let time = book.due, time <= now { tellOfReceipts() }
    }

    private func take(_ event: MirrorEvent) throws(MirrorEnd) {
        switch event {
        case .synced(let number, let result):
            // The response to a request that was given up would be written a second time.
            guard number == serial, request != nil else { return }
            request = nil
            try take(result)
        case .filled(let number, let result): try takeFilled(number, result)
        case .sent(let result):
            outbox.take(result, pace)
            if let end = outbox.takeLogout() { try awaitLogin(end) }
            post()
        case .found(let asker, let event, let room, let result): try found(event, room, result, for: asker)
        case .placed(let island, let result): try placed(island, result)
        case .replied(let asker, let result): reply(to: asker, result)
        case .listed(let asker, let result): listed(asker, result)
        case .joined(let asker, let result): joined(asker, result)
        case .fetched(let path, let result): fetched(path, result)
        case .moved(let path, let received): moved(path, received)
        case .searched(let asker, let result): searched(asker, result)
        case .asked(let asker, let request): take(request, from: asker)
        case .left(let client):
            desk.forget(client)
            historians.removeAll { $0.client == client }
        case .reacted(let result): try reacted(result)
        case .stopped: throw .done
        }
    }

    // MARK: - Sync

    func ask() {
        due = nil
        if let firstLook { return send(firstLook.request(hasPeople: goal.serves)) }
        asksForRelations = since != nil && !archive.spaces.isComplete && !hasNoRelations
        if asksForRelations { return send(.roomRelations) }
        // After a failure the response is wanted at once: it shows that the server is there again.
        let isPatient = isCurrent && goal.follows && !isTroubled
        send(.sync(since: since, wait: isPatient ? SyncedArchive.wait : 0, hasPeople: goal.serves))
    }

    private func send(_ next: MatrixRequest) {
        var next = next
        // The first response without sliding sync may take the server minutes.
        if !goal.follows, since != nil || firstLook != nil { next.longestSilence = MirrorPace.longestSilence }
        serial += 1
        request = server.start(next) { [queue, serial] in queue.send(.synced(serial, $0)) }
    }

    func ask(after pause: Int, _ reason: String) {
        report(.pause(pause, reason))
        isTroubled = true
        desk.note(isOnline: false, reason: reason)
        due = pace.now() + .milliseconds(pause)
    }

    private func take(_ result: Result<HTTPResponse, HTTPFailure>) throws(MirrorEnd) {
        if let firstLook { return try take(result, of: firstLook) }
        if asksForRelations { return try take(relations: result) }
        switch result {
        case .failure(let failure): try follow(failure)
        case .success(let response) where response.status == 200:
            try write(SyncState.Journal(since: since, body: response.body))
        case .success(let response):
            let error = response.error
            try follow(
                retry.failed(error, hasToken: since != nil, jitter: pace.jitter()),
                error.text.isEmpty ? "status \(error.status)" : error.text)
        }
    }

    /// Reads a response to /sync, a part at a time.
    /// - Returns: false if it is none: there is no part then.
    func read(
        _ body: ResponseBody, _ take: (SyncResponse) throws(DiskFailure) -> Void
    ) throws(DiskFailure) -> Bool {
        try body.withUnsafeBytes { (bytes) throws(DiskFailure) in
            try reader.read(
                bytes, me: me, passed: body.release, isInvited: archive.invitations.holds,
                facts: { archive.facts($0) }, take: take)
        }
    }

    private func write(_ journal: SyncState.Journal) throws(MirrorEnd) {
        let listed = archive.listChanges
        // An empty response changes nothing but the token, which the next one brings as well.
        var (next, isRead, isEmpty, limited) = (since, false, true, [String]())
        do throws(DiskFailure) {
            isRead = try read(journal.body) { (news) throws(DiskFailure) in
                next = news.next
                for (room, people) in news.typing { note(people, typingIn: room) }
                if isEmpty, !news.isEmpty {
                    isEmpty = false
                    try archive.state.write(journal)
                }
                if !isEmpty { limited += try write(news, since: journal.since) }
                take(news.receipts)
            }
            if isRead {
                retry.succeeded()
                isTroubled = false
                if !isEmpty, let next { try archive.state.commit(next) }
                since = next
                for room in limited { try filler.collect(room) }
                try retryRooms()
                noteList(since: listed)
            }
        } catch {
            return try reopen(error)
        }
        // A response of another shape was cut off, or was made by a proxy.
        guard isRead else {
            return try follow(retry.failed(jitter: pace.jitter()), "a response that cannot be read")
        }
        guard !isEmpty else { return proceed(isCurrent: true) }
        responses += 1
        proceed(isCurrent: !goal.follows && responses >= SyncedArchive.mostResponses)
        fill()
    }

    /// Writes a part of a response into the logs.
    /// - Returns: the rooms in which events are missing.
    private func write(_ news: SyncResponse, since: String?) throws(DiskFailure) -> [String] {
        let reads = Dictionary(
            news.rooms.compactMap { room in archive.facts(room.room)?.fullyRead.map { (room.room, $0) } },
            uniquingKeysWith: { first, _ in first })
        try archive.apply(news, since: since, isReplay: false)
        for news in news.rooms { outbox.noteEchoes(in: news.lines) }
        noteReads(news.rooms, before: reads)
        note(news.rooms)
        return news.rooms.filter(\.isLimited).map(\.room)
    }

    /// Tries once more to write the rooms whose folders have refused that.
    private func retryRooms() throws(DiskFailure) {
        let now = pace.now()
        let refused = refusedPages.filter { $0.value <= now }.map(\.key)
        for room in refused { refusedPages[room] = nil }
        guard let since else { return }
        for room in try archive.settle(upTo: since) + refused { try filler.collect(room) }
        tellTroubles()
        fill()
    }

    private func tellTroubles() { for line in archive.takeTroubles() { report(.trouble(line)) } }

    func proceed(isCurrent: Bool) {
        desk.note(isOnline: true)
        post()
        if isCurrent, !self.isCurrent { report(.current(rooms: archive.roomIDs.count)) }
        self.isCurrent = isCurrent || self.isCurrent
        if goal.follows || !isCurrent { ask() }
    }

    /// After a request without a response. A server that is silent uses up the patience at once.
    func follow(_ failure: HTTPFailure) throws(MirrorEnd) {
        if failure.isSilence { paused = MirrorPace.patience }
        try follow(retry.failed(jitter: pace.jitter()), failure.description)
    }

    func follow(_ step: Retry.Step, _ reason: String) throws(MirrorEnd) {
        switch step {
        case .pause(let pause):
            // Whoever runs it again and again, by cron say, must not get one more process each time.
            guard goal.follows || paused + pause <= MirrorPace.patience else { throw .refused(reason) }
            ask(after: pause, reason)
            paused += pause
        case .restart:
            // The server was restored from a backup, or keeps tokens for a time only.
            try disk { () throws(DiskFailure) in try archive.state.forget() }
            since = nil
            ask()
        case .loggedOut(let isSoft): try awaitLogin(.loggedOut(isSoft: isSoft))
        case .giveUp(let reason): throw .refused(reason)
        }
    }

    // MARK: - Disk

    private func apply(_ journal: SyncState.Journal, isReplay: Bool) throws(DiskFailure) {
        var next = since
        _ = try read(journal.body) { (news) throws(DiskFailure) in
            guard news.next != since else { return }
            try archive.apply(news, since: journal.since, isReplay: isReplay)
            next = news.next
        }
        guard let next, next != since else { return }
        try archive.state.commit(next)
        since = next
    }

    func disk(_ body: () throws(DiskFailure) -> Void) throws(MirrorEnd) {
        do throws(DiskFailure) {
            try body()
        } catch {
            throw .disk(error.description)
        }
    }

    /// After a failure of the disk: what is on it counts, and nothing that this process remembers. A process that follows the
    /// server tries again after a pause; nothing is asked meanwhile.
    func reopen(_ failure: DiskFailure) throws(MirrorEnd) {
        guard goal.follows else { throw .disk(failure.description) }
        giveUpRequests()
        for demand in filler.takeDemands() { refuse(demand.asker, failure) }
        var failure = failure
        while true {
            report(.pause(SyncedArchive.wait, failure.description))
            desk.note(isOnline: false, reason: failure.description)
            try wait(failure.description, within: .milliseconds(SyncedArchive.wait))
            do throws(DiskFailure) {
                archive = try AccountArchive(path: path, me: me, isReadable: server.encrypts)
                reader = SyncReader(events: archive.events)
                filler = Filler(archive, goal, after: filler)
                since = try archive.state.token()
                if let journal = try archive.state.journal() { try apply(journal, isReplay: true) }
                firstLook = try neededLook()
                try filler.collect()
                tellTroubles()
                break
            } catch {
                failure = error
            }
        }
        ask()
        fill()
    }

    /// Nothing is asked of the server any more.
    func giveUpRequests() {
        if let request { server.cancel(request) }
        (request, due) = (nil, nil)
        filler.cancel(server)
    }

    /// Waits until what keeps the mirror from its work may be over: for the time, or until something happens.
    func wait(_ reason: String, within limit: Duration?) throws(MirrorEnd) {
        switch queue.next(within: limit) {
        case .stopped: throw .done
        case .asked(let asker, .hello): desk.welcome(asker)
        case .left(let client): desk.forget(client)
        case .asked(let asker, .renewed): desk.respond(.done(segment: nil), to: asker)
        case .asked(let asker, _), .found(let asker, _, _, _):
            desk.respond(.failed(reason: reason, retry: SyncedArchive.wait), to: asker)
        case .placed(let island, _):
            desk.respond(.failed(reason: reason, retry: SyncedArchive.wait), to: island.asker)
        case .sent(let result): outbox.take(result, pace)
        case .replied(let asker, let result): reply(to: asker, result)
        case .listed(let asker, let result): listed(asker, result)
        case .joined(let asker, let result): joined(asker, result)
        case .fetched(let path, let result): fetched(path, result)
        case .moved(let path, let received): moved(path, received)
        case .searched(let asker, let result): searched(asker, result)
        // They were given up, and are asked for again.
        case .synced, .filled, nil: break
        case .reacted: _ = reactions.end(isFailure: true)
        }
    }

    private func refuse(_ asker: Asker, _ failure: DiskFailure) {
        desk.respond(.failed(reason: failure.description, retry: SyncedArchive.wait), to: asker)
    }

    // MARK: - Gaps

    func fill() {
        filler.next(now: pace.now(), server) { [queue] in queue.send(.filled($0, $1)) }
        for refusal in filler.takeRefusals() {
            desk.respond(.failed(reason: refusal.reason, retry: refusal.retry), to: refusal.asker)
        }
    }

    private func takeFilled(_ number: Int, _ result: Result<HTTPResponse, HTTPFailure>) throws(MirrorEnd) {
        // The next request is on its way while the page is written.
        let page = filler.take(number, result, pace)
        fill()
        do throws(DiskFailure) {
            if let page {
                try archive.add(page.events, page.direction, to: page.gap, in: page.room)
                for demand in page.demands { desk.respond(.done(segment: nil), to: demand.asker) }
            }
            for line in filler.takeReports() {
                if case .trouble(let reason) = line, !historians.isEmpty { lastTrouble = reason }
                report(line)
            }
            tellHistorians()
        } catch {
            for demand in page?.demands ?? [] { refuse(demand.asker, error) }
            guard let page, !error.stopsAll else { return try reopen(error) }
            // The log still has the gap as it was.
            for demand in filler.forget(page.room, server) { refuse(demand.asker, error) }
            refusedPages[page.room] = pace.now() + .milliseconds(SyncedArchive.wait)
            report(.trouble(error.description))
            fill()
        }
    }
}

/// How much of an account is mirrored, and when that ends.
package struct MirrorGoal: Hashable, Sendable {
    /// Whether rooms are mirrored back to their beginnings.
    package var hasHistory: Bool
    /// Whether the mirror follows the server until it is stopped.
    package var follows: Bool
    /// Whether it serves Kedges, who want to know who is typing.
    package var serves = false
    /// How many events are asked for at a time. Servers send fewer when they like.
    package var pageSize = 1_000

    package init(hasHistory: Bool, follows: Bool, serves: Bool = false) {
        (self.hasHistory, self.follows, self.serves) = (hasHistory, follows, serves)
    }
}

/// The events of a mirror, in their order, for the only thread that it has.
final class MirrorQueue: Sendable {
    private let events = Monitor<[MirrorEvent]>([])

    func send(_ event: MirrorEvent) { events.change { $0.append(event) } }

    /// The next event; nil when the time is over first.
    /// - Parameter limit: nil to wait for ever.
    func next(within limit: Duration?) -> MirrorEvent? {
        guard let limit else { return events.wait { $0.isEmpty ? nil : $0.removeFirst() } }
        if limit > .zero { _ = events.wait(atMost: limit) { !$0.isEmpty } }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// How far a mirror is, for people.
package enum MirrorReport: Hashable, Sendable {
    /// All that the server had when it was asked is here.
    case current(rooms: Int)
    /// A page of older events.
    case page(conversation: String, events: Int)
    /// A gap is given up until the next start: one line for people.
    case trouble(String)
    /// The server could not be asked; the next try comes after a pause, in milliseconds.
    case pause(Int, String)
}
