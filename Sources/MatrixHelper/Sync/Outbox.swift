internal import Files
internal import Formats
internal import Helper
internal import JSON
internal import Matrix
internal import Messages
internal import Relay

/// Sends posts, one after another, each until the server has accepted or refused it.
///
///     post → journal → PUT with its ID as the transaction → response → journal without it
///
/// If a process is killed between two of these steps, the next process sends the post again with the same
/// transaction, so that the server adds it only once.
final class Outbox: Handler {
    private struct Entry {
        let conversation: ConversationID
        let post: Post
        var promises: [Promise<RelayDone>]
        /// True if an earlier process may have sent it.
        let isLeftOver: Bool
    }

    private let context: SyncContext
    private let files: OutboxFiles
    private var entries: [Entry] = []
    private var sent: SentPosts
    /// The post that is on its way.
    private var current: MessageID?
    private var retry = Retry()
    /// True if the request that is on its way was sent in a session that has ended since.
    private var isOfOldSession = false
    /// The earliest time of the next request; nil for at once.
    private var pauseEnd: ContinuousClock.Instant?

    init(_ context: SyncContext) throws(FileError) {
        self.context = context
        let folder = context.archive.path + "/matrix"
        files = OutboxFiles(folder: folder + "/outbox")
        sent = try SentPosts(path: folder + "/sent.jsonl")
        entries = try files.all().map { Entry(conversation: $0, post: $1, promises: [], isLeftOver: true) }
    }

    /// Adds a post. It is in the journal when this returns.
    func add(_ post: Post, to conversation: ConversationID, _ promise: Promise<RelayDone>) throws(RelayError) {
        if sent.event(of: post.id) != nil { return context.respond(RelayDone(), to: promise) }
        if let place = entries.firstIndex(where: { $0.post.id == post.id }) {
            return entries[place].promises.append(promise)
        }
        guard OutboxFiles.isName(post.id) else { throw RelayError("\(post.id): not a valid ID for a message") }
        do throws(FileError) {
            try files.write(post, to: conversation)
        } catch {
            throw RelayError(error.description)
        }
        entries.append(Entry(conversation: conversation, post: post, promises: [promise], isLeftOver: false))
    }

    /// The event of a message, which Kedge may still know by the ID of its post.
    func event(of message: MessageID, in room: String) throws(RelayError) -> String {
        try OutgoingPost(context.archive, sent, context.server).event(message, room)
    }

    // MARK: - Requests

    /// Nil while offline: the next post then waits for an event.
    var due: ContinuousClock.Instant? { context.desk.isOnline ? pauseEnd : nil }

    /// Sends the next post, unless one is on its way or it is too early. It also waits until the server is online, because the
    /// newest facts about its room must be here: the room may be encrypted by now.
    func resume(_ now: ContinuousClock.Instant) {
        guard context.desk.isOnline, current == nil, pauseEnd.map({ $0 <= now }) ?? true else { return }
        pauseEnd = nil
        while current == nil, let entry = entries.first {
            let (id, archive) = (entry.post.id, context.archive)
            if entry.isLeftOver, let room = archive.room(of: entry.conversation.rawValue),
                let event = archive.log(ofKnown: room)?.event(ofTransaction: id.rawValue)
            {
                end(id, as: event)
                continue
            }
            switch OutgoingPost(archive, sent, context.server).work(of: entry.post, to: entry.conversation) {
            case .success(let work):
                current = id
                context.start(work.request) { [self] response throws(SyncEnd) in try take(response, to: id, work) }
            case .failure(let error): respond(.failure(error), to: id)
            }
        }
    }

    /// Tells waiting clients that nothing is sent now. The posts stay in the journal.
    func postpone(because reason: String) {
        for index in entries.indices {
            for promise in entries[index].promises {
                context.refuse(promise.asker, RelayError(reason, retry: 30_000))
            }
            entries[index].promises = []
        }
    }

    /// Call this when there is a new session.
    func hurry() { (pauseEnd, isOfOldSession) = (nil, current != nil) }

    // MARK: - Responses

    private func take(
        _ response: SyncContext.Response, to id: MessageID, _ work: OutgoingPost.Work
    ) throws(SyncEnd) {
        let isOld = isOfOldSession
        (current, isOfOldSession) = (nil, false)
        let jitter = context.pace.jitter()
        switch response {
        case .failure: try follow(retry.failed(jitter: jitter), id)
        case .success(let response) where response.status == 200:
            guard let event = response.body.withUnsafeBytes({ SentEvent($0) }) else {
                return try follow(retry.failed(jitter: jitter), id)
            }
            retry.succeeded()
            sent.note(SentPosts.Entry(id: id, event: event.id, reaction: work.reaction, takes: work.takes))
            respond(.success(RelayDone()), to: id)
        case .success(let response):
            // The new session sends it again.
            if isOld, response.error.isOfToken { return }
            try follow(retry.failed(response.error, hasToken: false, jitter: jitter), id)
        }
    }

    private func follow(_ step: Retry.Step, _ id: MessageID) throws(SyncEnd) {
        let now = context.pace.now()
        switch step {
        case .pause(let pause):
            pauseEnd = now + .milliseconds(pause)
            postpone(id)
        case .giveUp(let reason): respond(.failure(RelayError(reason)), to: id)
        // The posts wait for the next login.
        case .loggedOut(let isSoft):
            pauseEnd = now + .seconds(3_600)
            throw .loggedOut(isSoft: isSoft)
        case .restart: pauseEnd = now + .seconds(3_600)
        }
    }

    /// Moves the posts to the room of a failed post behind all others, in their order, so that other rooms need not wait.
    private func postpone(_ id: MessageID) {
        guard let room = entries.first(where: { $0.post.id == id })?.conversation else { return }
        entries = entries.filter { $0.conversation != room } + entries.filter { $0.conversation == room }
    }

    /// Ends a post that the server has accepted before, as its echo shows.
    private func end(_ id: MessageID, as event: String) {
        sent.note(SentPosts.Entry(id: id, event: event))
        respond(.success(RelayDone()), to: id)
    }

    private func respond(_ result: Result<RelayDone, RelayError>, to id: MessageID) {
        guard let place = entries.firstIndex(where: { $0.post.id == id }) else { return }
        files.remove(id)
        for promise in entries.remove(at: place).promises { context.respond(result, to: promise) }
    }

    // MARK: - Echoes

    /// Looks for the posts among the server's records: a post found there was accepted, even if the response was lost.
    func take(_ news: SyncNews) {
        for room in news.rooms where !entries.isEmpty && !room.lines.isEmpty {
            for id in entries.map(\.post.id) {
                let needle = "\"transaction\":\(JSONText(id.rawValue))"
                guard let event = Lines.find(needle, in: room.lines, { $0["id"]?.string }).last else { continue }
                end(id, as: event)
            }
        }
    }
}
