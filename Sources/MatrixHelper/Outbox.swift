internal import Formats
internal import Glibc
internal import Matrix
internal import Messages
internal import Relay

/// Sends posts, one after another, each until the server has accepted or refused it.
///
///     post → journal → PUT with its ID as the transaction → response → journal without it
///
/// A process that is killed between two of these leaves a post that the next one sends: with the same transaction, so that
/// the server takes it for the same.
final class Outbox {
    private struct Entry {
        let conversation: ConversationID
        let post: Post
        var askers: [Asker]
        /// Whether an earlier process may have sent it.
        let isLeftOver: Bool
    }

    private let files: OutboxFiles
    private var entries: [Entry] = []
    private var sent: SentPosts
    /// The post that is on its way, and what it does.
    private var current: (id: MessageID, work: OutgoingPost.Work)?
    private var request: Int?
    private var retry = Retry()
    /// The session has ended, as the response to a post says.
    private var logout: MirrorEnd?
    /// Whether the request that is on its way was sent in a session that has ended since.
    private var isOfOldSession = false
    private var responses: [(Asker, RelayResponse)] = []
    /// When the next request may be sent; nil at any time.
    private(set) var due: ContinuousClock.Instant?

    /// - Parameter folder: `matrix` in the archive.
    init(folder: String) throws(DiskFailure) {
        files = OutboxFiles(folder: folder + "/outbox")
        sent = try SentPosts(path: folder + "/sent.jsonl")
        entries = try files.all().map { Entry(conversation: $0, post: $1, askers: [], isLeftOver: true) }
    }

    func takeResponses() -> [(Asker, RelayResponse)] {
        defer { responses = [] }
        return responses
    }

    func takeLogout() -> MirrorEnd? {
        defer { logout = nil }
        return logout
    }

    /// Takes a post. It has been written into the journal when this returns.
    func add(_ post: Post, to conversation: ConversationID, _ asker: Asker) {
        if sent.event(of: post.id) != nil { return responses.append((asker, .done(segment: nil))) }
        if let place = entries.firstIndex(where: { $0.post.id == post.id }) {
            return entries[place].askers.append(asker)
        }
        guard OutboxFiles.isName(post.id) else {
            return responses.append((asker, .failed(reason: "\(post.id): is no ID for a message", retry: nil)))
        }
        do throws(DiskFailure) {
            try files.write(post, to: conversation)
        } catch {
            return responses.append((asker, .failed(reason: error.description, retry: nil)))
        }
        entries.append(Entry(conversation: conversation, post: post, askers: [asker], isLeftOver: false))
    }

    /// The event that a post became; nil if that is not known.
    func event(of id: MessageID) -> String? { sent.event(of: id) }

    // MARK: - Requests

    /// Sends the next post, unless one is on its way or it is too early.
    func next(
        now: ContinuousClock.Instant, _ archive: AccountArchive, _ server: Server,
        _ completion: @escaping HTTPClient.Completion
    ) {
        guard request == nil, due.map({ $0 <= now }) ?? true else { return }
        due = nil
        while request == nil, let entry = entries.first {
            if entry.isLeftOver, let room = archive.room(of: entry.conversation.rawValue),
                let event = archive.event(ofTransaction: entry.post.id.rawValue, in: room)
            {
                end(entry.post.id, as: event)
                continue
            }
            switch OutgoingPost(archive, sent, server).work(of: entry.post, to: entry.conversation) {
            case .success(let work):
                current = (entry.post.id, work)
                request = server.start(work.request, completion)
            case .failure(let refusal): refuse(entry.post.id, refusal.reason)
            }
        }
    }

    /// Tells those who wait that nothing is sent now. The posts stay in the journal.
    func postpone(because reason: String) {
        for index in entries.indices {
            responses += entries[index].askers.map { ($0, .failed(reason: reason, retry: 30_000)) }
            entries[index].askers = []
        }
    }

    /// There is a new session.
    func hurry() { (due, logout, isOfOldSession) = (nil, nil, request != nil) }

    func cancel(_ server: Server) {
        if let request { server.cancel(request) }
    }

    // MARK: - Responses

    /// Takes the response to the request that was sent last.
    func take(_ result: Result<HTTPResponse, HTTPFailure>, _ pace: MirrorPace) {
        request = nil
        let isOld = isOfOldSession
        isOfOldSession = false
        guard let (id, work) = current else { return }
        current = nil
        switch result {
        case .failure(let failure):
            if !failure.isCancelled { follow(retry.failed(jitter: pace.jitter()), id, pace) }
        case .success(let response) where response.status == 200:
            guard let event = response.body.withUnsafeBytes({ SentEvent($0) }) else {
                return follow(retry.failed(jitter: pace.jitter()), id, pace)
            }
            retry.succeeded()
            sent.note(SentPosts.Entry(id: id, event: event.id, reaction: work.reaction, takes: work.takes))
            respond(to: id, .done(segment: nil))
        case .success(let response):
            // The new session sends it again.
            if isOld, response.error.isOfToken { return }
            follow(retry.failed(response.error, hasToken: false, jitter: pace.jitter()), id, pace)
        }
    }

    private func follow(_ step: Retry.Step, _ id: MessageID, _ pace: MirrorPace) {
        switch step {
        case .pause(let pause):
            due = pace.now() + .milliseconds(pause)
            postpone(id)
        case .giveUp(let reason): refuse(id, reason)
        // The posts wait for the next login.
        case .loggedOut(let isSoft): (due, logout) = (pace.now() + .seconds(3_600), .loggedOut(isSoft: isSoft))
        case .restart: due = pace.now() + .seconds(3_600)
        }
    }

    /// A room whose server fails does not keep the others waiting. Posts to one room stay in their order.
    private func postpone(_ id: MessageID) {
        guard let room = entries.first(where: { $0.post.id == id })?.conversation else { return }
        entries = entries.filter { $0.conversation != room } + entries.filter { $0.conversation == room }
    }

    /// The server had it before, as its echo shows.
    private func end(_ id: MessageID, as event: String) {
        sent.note(SentPosts.Entry(id: id, event: event))
        respond(to: id, .done(segment: nil))
    }

    private func refuse(_ id: MessageID, _ reason: String) { respond(to: id, .failed(reason: reason, retry: nil)) }

    private func respond(to id: MessageID, _ response: RelayResponse) {
        guard let place = entries.firstIndex(where: { $0.post.id == id }) else { return }
        files.remove(id)
        responses += entries.remove(at: place).askers.map { ($0, response) }
    }

    // MARK: - Echoes

    /// Looks for the posts among the records that the server has sent: what is there was accepted, even if the response was
    /// lost.
    func noteEchoes(in lines: [UInt8]) {
        guard !entries.isEmpty, !lines.isEmpty else { return }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        for id in entries.map(\.post.id) {
            let needle = "\"transaction\":\(JSONString.text(id.rawValue))"
            guard let event = Lines.find(needle, in: lines, tree, { $0["id"]?.string }).last else { continue }
            end(id, as: event)
        }
    }
}

/// The journal of what is to be sent: a file for each post, from before its first try until the server has it or refuses it.
struct OutboxFiles {
    private let folder: String

    /// - Parameter folder: `matrix/outbox` in the archive.
    init(folder: String) { self.folder = folder }

    /// The posts that an earlier process has not sent, in the order in which their IDs were made.
    func all() throws(DiskFailure) -> [(conversation: ConversationID, post: Post)] {
        var posts: [(conversation: ConversationID, post: Post)] = []
        for name in try DiskFile.names(in: folder).sorted() where !name.hasPrefix(".") {
            // A file that holds none is left: nothing that somebody wrote is deleted unread.
            guard let bytes = try DiskFile.read(folder + "/" + name, longest: RelayLines.longest),
                let request = bytes.withUnsafeBytes({ RelayRequest(line: $0) }),
                case .send(let conversation, let post) = request.content
            else { continue }
            posts.append((conversation, post))
        }
        return posts
    }

    /// Keeps a post. When this returns, it is on the disk.
    func write(_ post: Post, to conversation: ConversationID) throws(DiskFailure) {
        try DiskFile.makeFolder(folder)
        try DiskFile.replace(path(post.id), with: [RelayRequest(0, .send(conversation, post)).line])
    }

    /// If the power fails before the disk has this, the next try is the same transaction.
    func remove(_ id: MessageID) { unlink(path(id)) }

    /// Whether an ID can be the name of a file.
    static func isName(_ id: MessageID) -> Bool {
        (1...64).contains(id.rawValue.utf8.count)
            && id.rawValue.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private func path(_ id: MessageID) -> String { folder + "/" + id.rawValue }
}
