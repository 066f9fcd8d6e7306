internal import Files
internal import Helper
internal import Matrix
internal import Messages

/// Follows the server: what is new is in the archive before the next response is asked for.
///
///     /sync → journal → logs → token        one request at a time, always
///
/// A new account begins with a first look, and one whose spaces and invitations are not known asks for these once.
final class Updates: Handler {
    /// The number of responses after which a loop that does not follow the server has all that was there when it began.
    private static let mostResponses = 100

    private let context: SyncContext
    /// Tells the other handlers what is new in the archive.
    var tell: (SyncNews) throws(FileError) -> Void = { _ throws(FileError) in }
    private var reader: SyncReader
    private var retry = Retry()
    /// The token that the next response follows.
    private var since: String?
    /// The first look; nil when all rooms are here.
    private var firstLook: FirstLook?
    /// True if the server has refused the request for spaces and invitations in this run.
    private var hasNoRelations = false
    /// The request that is on its way.
    private var request: Int?
    /// The time of the next request; nil for at once.
    private(set) var due: ContinuousClock.Instant?
    /// True if there was a response with nothing new.
    private var isCurrent = false
    /// The number of responses that had something new.
    private var responses = 0
    /// True if the next response is wanted at once: it shows that the server is there again.
    private var isHurried = false
    /// The sum of the pauses since the last success, in milliseconds.
    private var paused = 0

    init(_ context: SyncContext) {
        self.context = context
        reader = SyncReader(events: context.archive.events)
    }

    /// True if all is here that the server had.
    var isDone: Bool { isCurrent && !context.goal.follows }

    /// Reads the state on the disk, and writes what an earlier process has left in the journal.
    func open() throws(FileError) {
        let archive = context.archive
        reader = SyncReader(events: archive.events)
        since = try archive.state.token()
        if let journal = try archive.state.journal() { try replay(journal) }
        if let since { _ = try archive.settle(upTo: since) }
        firstLook = try neededLook()
    }

    /// The first look, if an account is new, or if an earlier process has not ended it. pantalaimon decrypts what /sync brings, and
    /// nothing that comes by sliding sync.
    private func neededLook() throws(FileError) -> FirstLook? {
        guard !context.server.encrypts else { return nil }
        let token = try context.archive.state.first()
        return since == nil && (context.archive.roomIDs.isEmpty || token != nil) ? FirstLook(token: token) : nil
    }

    func cancel() {
        context.cancel(request)
        (request, due) = (nil, nil)
    }

    /// Call this when there is a new session.
    func hurry() {
        retry.succeeded()
        isHurried = true
    }

    // MARK: - Requests

    func resume(_ now: ContinuousClock.Instant) throws(SyncEnd) {
        guard request == nil, !isDone, due.map({ $0 <= now }) ?? true else { return }
        due = nil
        let hasPeople = context.goal.serves
        if let firstLook {
            send(firstLook.request(hasPeople: hasPeople)) { [self] response throws(SyncEnd) in
                try takeLook(response, firstLook)
            }
        } else if since != nil, !context.archive.list.spaces.isComplete, !hasNoRelations {
            send(.roomRelations) { [self] response throws(SyncEnd) in try takeRelations(response) }
        } else {
            let wait = isCurrent && !isHurried ? SyncPace.wait : 0
            send(.sync(since: since, wait: wait, hasPeople: hasPeople)) { [self] response throws(SyncEnd) in
                let step = try take(response, hasToken: since != nil) { body throws(FileError) in
                    try write(body, mayBeAskedAgain: wait == 0)
                }
                if let (step, error) = step { try follow(step, error.reason) }
            }
        }
    }

    private func send(_ next: MatrixRequest, _ take: @escaping (SyncContext.Response) throws(SyncEnd) -> Void) {
        var next = next
        // The first response without sliding sync may take the server minutes.
        if !context.goal.follows, since != nil || firstLook != nil { next.longestSilence = SyncPace.longestSilence }
        request = context.start(next, take)
    }

    // MARK: - Responses

    /// Handles a response, and asks again after a pause if there is none that can be read.
    /// - Parameter write: writes the body of a success. It returns false if it cannot be read.
    /// - Returns: the step after an error of the server; nil without one.
    private func take(
        _ response: SyncContext.Response, hasToken: Bool, _ write: (ResponseBody) throws(FileError) -> Bool
    ) throws(SyncEnd) -> (Retry.Step, ServerError)? {
        request = nil
        switch response {
        case .failure(let failure):
            // A server that is silent uses up the patience at once.
            if failure.isSilence { paused = SyncPace.patience }
            try follow(retry.failed(jitter: context.pace.jitter()), failure.description)
        case .success(let response) where response.status == 200:
            guard try SyncEnd.disk({ () throws(FileError) in try write(response.body) }) else {
                try follow(retry.failed(jitter: context.pace.jitter()), HTTPResponse.unclear)
                return nil
            }
            retry.succeeded()
            (isHurried, paused) = (false, 0)
        case .success(let response):
            let error = response.error
            return (retry.failed(error, hasToken: hasToken, jitter: context.pace.jitter()), error)
        }
        return nil
    }

    private func follow(_ step: Retry.Step, _ reason: String) throws(SyncEnd) {
        switch step {
        case .pause(let pause):
            // Whoever runs it again and again, by cron say, must not get one more process each time.
            guard context.goal.follows || paused + pause <= SyncPace.patience else { throw .refused(reason) }
            context.report(.pause(pause, reason))
            context.desk.note(.offline(reason: reason))
            isHurried = true
            paused += pause
            due = context.pace.now() + .milliseconds(pause)
        case .restart:
            // The server was restored from a backup, or keeps tokens for a time only.
            try SyncEnd.disk { () throws(FileError) in try context.archive.state.forget() }
            since = nil
        case .loggedOut(let isSoft): throw .loggedOut(isSoft: isSoft)
        case .giveUp(let reason): throw .refused(reason)
        }
    }

    /// Reads a response to /sync, a part at a time.
    /// - Returns: false for any other response: there is no part then.
    private func read(
        _ body: ResponseBody, _ take: (SyncResponse) throws(FileError) -> Void
    ) throws(FileError) -> Bool {
        let archive = context.archive
        return try body.withUnsafeBytes { (bytes) throws(FileError) in
            try reader.read(
                bytes, me: context.me, passed: body.release, isInvited: archive.list.invitations.holds,
                facts: { archive.facts($0) }, take: take)
        }
    }

    /// Writes a response to /sync.
    /// - Parameter mayBeAskedAgain: true if a later process begins with the same request, unless it has another token.
    /// - Returns: false if the response cannot be read.
    private func write(_ body: ResponseBody, mayBeAskedAgain: Bool) throws(FileError) -> Bool {
        let (archive, since) = (context.archive, since)
        let journal = SyncState.Journal(since: since, body: body)
        // An empty response changes nothing but the token, which the next one of a long poll brings as well. Synapse repeats its
        // response to the same request for two minutes, so no process may ask what an earlier one has asked.
        var (next, isEmpty) = (since, true)
        let isRead = try read(body) { (response) throws(FileError) in
            next = response.next
            if isEmpty, !response.isEmpty {
                isEmpty = false
                try archive.state.write(journal)
            }
            var news = SyncNews(receipts: response.receipts, typing: response.typing)
            if !isEmpty {
                news.rooms = response.rooms
                news.read = response.rooms.map(\.facts).filter { $0.fullyRead != archive.facts($0.room)?.fullyRead }
                news.gaps = response.rooms.filter(\.isLimited).map(\.room)
                try archive.apply(response, since: since, isReplay: false)
            }
            try tell(news)
        }
        guard isRead else { return false }
        if let next, !isEmpty || mayBeAskedAgain && next != since { try archive.state.commit(next) }
        self.since = next
        // Writes the rooms that could not be written before, if that is possible now.
        if let next { try tell(SyncNews(gaps: try archive.settle(upTo: next))) }
        responses += isEmpty ? 0 : 1
        proceed(isCurrent: isEmpty || !context.goal.follows && responses >= Updates.mostResponses)
        return true
    }

    private func replay(_ journal: SyncState.Journal) throws(FileError) {
        var next = since
        _ = try read(journal.body) { (response) throws(FileError) in
            guard response.next != since else { return }
            try context.archive.apply(response, since: journal.since, isReplay: true)
            next = response.next
        }
        guard let next, next != since else { return }
        try context.archive.state.commit(next)
        since = next
    }

    private func proceed(isCurrent: Bool) {
        context.desk.note(.online)
        if isCurrent, !self.isCurrent { context.report(.current(rooms: context.archive.roomIDs.count)) }
        self.isCurrent = isCurrent || self.isCurrent
    }

    private func takeRelations(_ response: SyncContext.Response) throws(SyncEnd) {
        let step = try take(response, hasToken: false) { body throws(FileError) in
            try read(body) { (response) throws(FileError) in try context.archive.take(relations: response) }
        }
        guard let (step, error) = step else { return }
        // All else works without spaces and invitations.
        if case .giveUp = step { hasNoRelations = true } else { try follow(step, error.reason) }
    }

    // MARK: - The first look

    private func takeLook(_ response: SyncContext.Response, _ look: FirstLook) throws(SyncEnd) {
        var look = look
        let step = try take(response, hasToken: true) { body throws(FileError) in
            guard look.token == nil else { return try write(body, &look) }
            guard let token = body.withUnsafeBytes({ reader.readToken($0) }) else { return false }
            try context.archive.state.begin(with: token)
            look.token = token
            firstLook = look
            return true
        }
        guard let (step, error) = step else { return }
        switch step {
        case .pause where !error.isOfUnknownRequest, .loggedOut: try follow(step, error.reason)
        case .pause, .restart, .giveUp:
            if look.forget() { return firstLook = look }
            // Without sliding sync, the first response of /sync has all rooms.
            firstLook = nil
            try SyncEnd.disk { () throws(FileError) in try context.archive.state.forgetFirst() }
        }
    }

    /// Writes the rooms of a response to sliding sync.
    /// - Returns: false if the response cannot be read.
    private func write(_ body: ResponseBody, _ look: inout FirstLook) throws(FileError) -> Bool {
        let archive = context.archive
        let last = try body.withUnsafeBytes { (bytes) throws(FileError) in
            try reader.readSliding(bytes, passed: body.release) { (page) throws(FileError) in
                try archive.take(firstLook: page)
                try tell(SyncNews(rooms: page.rooms, receipts: page.receipts))
            }
        }
        guard let last else { return false }
        guard look.take(last), let token = look.token else {
            firstLook = look
            return true
        }
        try archive.state.commit(token, isFirst: true)
        (firstLook, since) = (nil, token)
        try tell(SyncNews(gaps: archive.roomIDs))
        proceed(isCurrent: false)
        return true
    }
}

/// The first look at an account, at a server that has sliding sync: the newest rooms are here before all others.
///
///     /sync of no room → a token; sliding sync → 20 rooms; sliding sync → more rooms …; then /sync from the token
///
/// Sliding sync does not say where a gap ends, so it brings new rooms only. All that comes after the token comes by /sync, also
/// what sliding sync has brought already.
struct FirstLook {
    private static let fewRooms = 20
    private static let moreRooms = 250

    /// Everything that comes after it is new; nil before it is known.
    var token: String?
    private var pos: String?
    /// The number of requested rooms.
    private var count = FirstLook.fewRooms

    init(token: String?) { self.token = token }

    /// - Parameter hasPeople: true to receive how far people have read.
    func request(hasPeople: Bool) -> MatrixRequest {
        token == nil ? .syncToken : .slidingSync(rooms: count, pos: pos, hasPeople: hasPeople)
    }

    /// Handles a response to sliding sync.
    /// - Returns: true if all rooms are here.
    mutating func take(_ page: SyncResponse) -> Bool {
        guard page.roomCount > count else { return true }
        (pos, count) = (page.next, count + FirstLook.moreRooms)
        return false
    }

    /// Call this when the server has forgotten its tokens of sliding sync: the next request begins again.
    /// - Returns: false if there was no token to forget.
    mutating func forget() -> Bool {
        guard pos != nil else { return false }
        pos = nil
        return true
    }
}
