package import Messages
internal import Relay
internal import Search
internal import Threads

/// An archive whose server can send missing messages.
///
///     page at a gap ─→ the archive has no messages there ─→ the helper fetches them into its files ─→ the archive has them
///     post ──────────→ the helper sends it ───────────────→ its echo comes into the files ─────────→ the archive reports it
///
/// Without the helper, or without the network, only the archive is used.
package final class ServedStore: ForwardingStore {
    package let store: any MessageStore
    var archive: any MessageStore { store }
    let helper: Helper
    private let receipts: ReadReceipt
    /// The pause of a search before the server is asked: somebody may still be typing.
    let searchPause: Duration
    /// The thread that forwards the changes of the archive.
    let thread = SerialThread()

    /// The least number of messages to request for a gap.
    private static let leastFill = 50
    /// The most pages without visible messages to fetch in a row before the caller is told.
    private static let mostFills = 50

    /// - Parameters:
    ///   - receipts: the people who can see how far the user has read.
    ///   - searchPause: the pause of a search before the server is asked.
    package init(
        _ archive: any MessageStore, helper: Helper, receipts: ReadReceipt = .private,
        searchPause: Duration = .milliseconds(500)
    ) {
        (store, self.helper, self.receipts, self.searchPause) = (archive, helper, receipts, searchPause)
    }

    // MARK: - Pages

    /// Returns a page at a gap only after the server has sent the missing messages.
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        var page = try await foundPage(request)
        var fills = 0
        while page.messages.isEmpty, helper.isOnline, !Task.isCancelled,
            let (gap, side) = page.gap(at: request.position)
        {
            // The pages that were fetched so far are in the files, so a retry goes on from there.
            guard fills < ServedStore.mostFills else {
                throw .unavailable("the server sent \(fills) pages without a message")
            }
            fills += 1
            let (segment, limit) = (gap.id.rawValue, max(request.limit, ServedStore.leastFill))
            switch await helper.ask({ .fill(request.conversation, segment: segment, side: side, limit: limit, $0) }) {
            case nil: return page
            case .failure(let error):
                guard helper.isOnline else { return page }
                throw .unavailable(error.reason)
            case .success:
                page = try await archive.page(request)
                if page.messages.isEmpty, page.gap(at: request.position)?.gap.id == gap.id {
                    throw .unavailable("the server has sent nothing")
                }
            }
        }
        return helper.isOnline ? page.fillable : page
    }

    /// The page of the archive. A missing message is fetched, even before the helper has reported if the server can be
    /// reached: a link on the command line asks for it first.
    private func foundPage(_ request: PageRequest) async throws(StoreError) -> Page {
        do {
            return try await archive.page(request)
        } catch .noSuchMessage(let id, let conversation) {
            guard case .message(id) = request.position else { throw .noSuchMessage(id, in: conversation) }
            switch await helper.ask({ .around(conversation, id, $0) }) {
            case .success: return try await archive.page(request)
            case .failure(let error) where error.retry != nil: throw .unavailable(error.reason)
            case .failure, nil: throw .noSuchMessage(id, in: conversation)
            }
        }
    }

    /// The path of a file. A file that is missing in the archive is fetched.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        if let path = try? await archive.location(of: file, progress: progress) { return path }
        progress(0)
        switch await helper.ask(progress: progress, { .media(file.conversation, file.message, $0) }) {
        case .success: return try await archive.location(of: file, progress: progress)
        case .failure(let error): throw .unreadable(error.reason)
        case nil: throw .unreadable("\(file.attachment.name) is not here yet, and \(helper.silence)")
        }
    }

    // MARK: - Posts

    package func obstacle(in conversation: ConversationID) async -> String? {
        guard me != nil else { return Post.withoutSender }
        if let known = try? await archive.conversation(conversation) {
            if known.hasLeft { return Post.afterLeaving }
            if known.isEncrypted { return Post.encrypted }
        }
        return helper.uselessness
    }

    /// Returns when the server has the post. The ID of the post is the transaction: a retry sends nothing twice.
    package func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError) {
        if let error = await overwriting(post, in: conversation) { throw error }
        switch await helper.ask({ .send(conversation, post, $0) }) {
        case .success: return
        case .failure(let error) where error.retry != nil: throw .unavailable(error.reason)
        // The message may have been edited while the post waited.
        case .failure(let error): throw await overwriting(post, in: conversation) ?? .notSent(error.reason)
        case nil:
            if let reason = helper.uselessness { throw .notSent(reason) }
            throw .unavailable(helper.silence)
        }
    }

    /// The error if the post would overwrite another edit; nil if not, and for a message that is not in the archive: while its echo
    /// is missing it has no other text than its post.
    private func overwriting(_ post: Post, in conversation: ConversationID) async -> StoreError? {
        guard case .edit(let target, _) = post.content, post.seen != nil,
            let message = try? await archive.message(target, in: conversation)
        else { return nil }
        return post.overwriting(message.text, in: conversation)
    }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) async {
        helper.tell(.typing(conversation, isOn: person != nil))
    }

    package func noteRead(_ message: MessageID, in conversation: ConversationID) async {
        helper.tell(.read(conversation, message, receipts))
    }

    package func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)> {
        AsyncStream { [archive, helper, thread] continuation in
            // Watches before it reads, so that no change between the two is lost.
            let stop = helper.watch { if case .read(let id, let message) = $0 { continuation.yield((id, message)) } }
            let task = Task(executorPreference: thread) {
                for conversation in (try? await archive.conversations()) ?? [] {
                    if let message = conversation.readUpTo { continuation.yield((conversation.id, message)) }
                }
            }
            continuation.onTermination = { _ in
                task.cancel()
                stop()
            }
        }
    }

    // MARK: - Changes

    package func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]> {
        let inner = archive.changes(in: conversation, since: since)
        return AsyncStream { [archive, helper, thread] continuation in
            let readers = ReaderNews(archive, conversation, thread) { continuation.yield([.readers($0)]) }
            let task = Task(executorPreference: thread) {
                for await changes in inner {
                    continuation.yield(changes)
                    // Messages have other places now.
                    if changes.contains(.filled) || changes.contains(.indexed) { readers.lookAgain() }
                }
                continuation.finish()
            }
            let stop = helper.watch { news in
                switch news {
                // Missing messages can be fetched now.
                case .reach(.online): continuation.yield([.reach(.online), .filled])
                case .reach(let reach): continuation.yield([.reach(reach)])
                case .typing(conversation, let people):
                    Task(executorPreference: thread) {
                        let members = (try? await archive.conversation(conversation))?.members ?? []
                        continuation.yield([.typing(people.map(members.person))])
                    }
                case .receipts(conversation, let receipts): readers.take(receipts)
                default: break
                }
            }
            let leave = helper.follow(conversation)
            continuation.onTermination = { _ in
                task.cancel()
                readers.stop()
                leave()
                stop()
            }
        }
    }

    /// This call connects to the helper: it comes after the first page.
    package func preparation() -> AsyncStream<StoreProgress> {
        helper.connect()
        return archive.preparation()
    }
}

extension Page {
    /// The gap at the edge from which a request continues, and its side of the segment that names the gap.
    fileprivate func gap(at position: PageRequest.Position) -> (gap: Gap, side: RelayRequest.Side)? {
        let (edge, side): (Edge?, RelayRequest.Side) =
            switch position {
            case .before: (older, .before)
            case .after: (newer, .after)
            default: (nil, .before)
            }
        if case .gap(_, let gap)? = edge { return (gap, side) }
        return nil
    }

    /// The page with its gaps marked as fillable.
    fileprivate var fillable: Page {
        var page = self
        (page.older, page.newer) = (older.fillable, newer.fillable)
        return page
    }
}

extension Page.Edge {
    fileprivate var fillable: Page.Edge {
        guard case .gap(let cursor, var gap) = self else { return self }
        gap.isFillable = true
        return .gap(cursor, gap)
    }
}

/// Rooms that are joined and left on the server.
extension ServedStore {
    package func listChanges() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [helper] continuation in
            let stop = helper.watch { if case .rooms = $0 { continuation.yield() } }
            continuation.onTermination = { _ in stop() }
        }
    }

    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        guard let id = try await ask(otherwise: "not joined", { .join(address: address, $0) }) else { return nil }
        return try await archive.conversation(id)
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        _ = try await ask(otherwise: "not declined") { .decline(room: invitation.id, $0) }
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        _ = try await ask(otherwise: "not left") { .leave(conversation, $0) }
    }

    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        switch await helper.ask({ .members(conversation, $0) }) {
        case .success(let people): return people
        case .failure(let error): throw .unavailable(error.reason)
        case nil: throw .unavailable(helper.silence)
        }
    }

    private func ask<Value>(
        otherwise: String, _ request: (RelayReply<Value>) -> RelayRequest.Content
    ) async throws(StoreError) -> Value {
        switch await helper.ask(request) {
        case .success(let value): return value
        case .failure(let error): throw .notSent("\(otherwise): \(error.reason)")
        case nil: throw .notSent("\(otherwise): \(helper.silence)")
        }
    }
}

/// Searches in the archive, and on the server for messages that are missing in the archive.
///
///     hits of the archive ─→ messages are missing in it, and the query is of words alone ─→ hits of the server, page by page
extension ServedStore {
    /// The most pages for one search on the server: nobody looks through more.
    private static let mostPages = 4
    private static let hitsInPage = 50

    package func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        let inner = archive.search(request)
        guard let words = request.wordsForServer else { return inner }
        return AsyncStream { [self] continuation in
            let task = Task(executorPreference: thread) {
                var count = 0
                for await batch in inner {
                    if case .success(let batch) = batch { count += batch.hits.count }
                    continuation.yield(batch)
                }
                if count < request.limit ?? .max { await self.search(words, for: request, continuation) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func search(
        _ words: String, for request: SearchRequest,
        _ continuation: AsyncStream<Result<SearchBatch, StoreError>>.Continuation
    ) async {
        guard (try? await Task.sleep(for: searchPause)) != nil, await lacksMessages(request.conversation) else {
            return
        }
        var next: String?
        for _ in 0..<ServedStore.mostPages {
            guard !Task.isCancelled else { return }
            let search = RelaySearch(words, in: request.conversation, limit: ServedStore.hitsInPage, next: next)
            switch helper.isOnline ? await helper.ask({ .search(search, $0) }) : nil {
            case .success(let page):
                let new = await hitsElsewhere(page.hits, request)
                continuation.yield(.success(SearchBatch(hits: new, progress: 1)))
                guard let token = page.next else { return }
                next = token
            case .failure(let error):
                continuation.yield(.failure(.unreadable("the server was not searched: \(error.reason)")))
                return
            case nil:
                continuation.yield(.failure(.unreadable("the server was not searched: \(helper.silence)")))
                return
            }
        }
    }

    /// True if messages are missing in a conversation; in any one if nil.
    private func lacksMessages(_ conversation: ConversationID?) async -> Bool {
        let all = (try? await archive.conversations()) ?? []
        for id in conversation.map({ [$0] }) ?? all.map(\.id) {
            if Task.isCancelled { return false }
            let page = try? await archive.page(PageRequest(conversation: id, position: .latest, limit: 1))
            if let place = page?.place {
                if place.isPartial { return true }
                continue
            }
            // Without an index it is not known if these are all messages. The oldest island mostly shows it.
            let first = try? await archive.page(PageRequest(conversation: id, position: .earliest, limit: 1))
            if case .gap? = first?.older { return true }
        }
        return false
    }

    /// The hits that the archive does not hold and that match here, too: servers compare words in their own ways.
    private func hitsElsewhere(_ hits: [RelayHit], _ request: SearchRequest) async -> [Hit] {
        var new: [Hit] = []
        for (id, hits) in Dictionary(grouping: hits, by: \.conversation) {
            guard let known = try? await archive.messages(Set(hits.map(\.message)), in: id) else { continue }
            let here = Set(known.map(\.id))
            let members = (try? await archive.conversation(id))?.members ?? []
            for hit in hits where !here.contains(hit.message) && request.query.query.matches(hit.text) {
                new.append(
                    Hit(
                        conversation: id, message: hit.message, at: hit.at, sender: members.person(hit.sender),
                        text: hit.text, isElsewhere: true))
            }
        }
        return new.sorted { $0.at.milliseconds > $1.at.milliseconds }
    }
}

extension SearchRequest {
    /// The words as they were typed, if a server can search for them: servers know no filters, times or expressions.
    fileprivate var wordsForServer: String? {
        let query = query.query
        guard !query.required.isEmpty, query.excluded.isEmpty, !query.hasPatterns, query.filters.isEmpty, times.isEmpty,
            sender == nil
        else { return nil }
        let words = query.text.filter { !["\"", "“", "”", "*"].contains($0) }.trimmed
        return words.isEmpty ? nil : words
    }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
