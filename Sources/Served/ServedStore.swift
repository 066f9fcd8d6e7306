package import Messages
internal import Relay
internal import Search
internal import Threads

/// An archive whose server can be asked for what is not in it.
///
///     page at a gap ─→ the archive has no messages there ─→ the helper fetches them into its files ─→ the archive has them
///     post ──────────→ the helper sends it ───────────────→ its echo comes into the files ─────────→ the archive reports it
///
/// Without the helper, or without the network, it is the archive alone.
package final class ServedStore: MessageStore {
    let archive: any MessageStore
    let helper: Helper
    private let receipts: ReadReceipt
    /// How long a search waits before the server is asked: somebody may still be typing.
    let searchPause: Duration
    /// Carries the reports of the archive on.
    let thread = SerialThread()

    /// The least number of messages that a gap is asked for.
    private static let leastFill = 50
    /// How many pages of the server may hold nothing that is shown, before that is told.
    private static let mostFills = 50

    /// - Parameters:
    ///   - receipts: who is told how far the user has read.
    ///   - searchPause: how long a search waits before the server is asked.
    package init(
        _ archive: any MessageStore, helper: Helper, receipts: ReadReceipt = .private,
        searchPause: Duration = .milliseconds(500)
    ) {
        (self.archive, self.helper, self.receipts, self.searchPause) = (archive, helper, receipts, searchPause)
    }

    // MARK: - Pages

    /// A page at a gap takes until the server has sent what is missing there.
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        var page = try await foundPage(request)
        var fills = 0
        while page.messages.isEmpty, helper.isOnline, !Task.isCancelled,
            let (gap, side) = page.gap(at: request.position)
        {
            // The pages that were fetched so far are in the files, so a retry goes on from there.
            guard fills < ServedStore.mostFills else {
                throw .unavailable("\(fills) pages of the server held no message")
            }
            fills += 1
            let fill = RelayRequest.Content.fill(
                request.conversation, segment: gap.id.rawValue, side: side,
                limit: max(request.limit, ServedStore.leastFill))
            switch await helper.ask(fill) {
            case nil: return page
            case .failed(let reason, _):
                guard helper.isOnline else { return page }
                throw .unavailable(reason)
            case .done, .fetched, .found, .joined, .members, .version:
                page = try await archive.page(request)
                if page.messages.isEmpty, page.gap(at: request.position)?.gap.id == gap.id {
                    throw .unavailable("the server has sent nothing")
                }
            }
        }
        return helper.isOnline ? page.fillable : page
    }

    /// The page of the archive. A message that it does not have is fetched, also before the helper has told whether the server can
    /// be reached: a link on the command line asks for it first of all.
    private func foundPage(_ request: PageRequest) async throws(StoreError) -> Page {
        do {
            return try await archive.page(request)
        } catch .noSuchMessage(let id, let conversation) {
            guard case .message(id) = request.position else { throw .noSuchMessage(id, in: conversation) }
            switch await helper.ask(.around(conversation, id)) {
            case .done, .fetched, .found, .joined, .members, .version: return try await archive.page(request)
            case .failed(let reason, _?): throw .unavailable(reason)
            case .failed(_, nil), nil: throw .noSuchMessage(id, in: conversation)
            }
        }
    }

    /// The path of a file. One that is not in the archive is fetched.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        if let path = try? await archive.location(of: file, progress: progress) { return path }
        progress(0)
        switch await helper.ask(.media(file.conversation, file.message), progress: progress) {
        case .done, .fetched, .found, .joined, .members, .version:
            return try await archive.location(of: file, progress: progress)
        case .failed(let reason, _): throw .unreadable(reason)
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

    /// Returns when the server has the post. Its ID is the transaction: a retry sends nothing twice.
    package func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError) {
        if let error = await overwriting(post, in: conversation) { throw error }
        switch await helper.ask(.send(conversation, post)) {
        case .done, .fetched, .found, .joined, .members, .version: return
        // It may have been edited while the post waited.
        case .failed(let reason, nil): throw await overwriting(post, in: conversation) ?? .notSent(reason)
        case .failed(let reason, _): throw .unavailable(reason)
        case nil:
            if let reason = helper.uselessness { throw .notSent(reason) }
            throw .unavailable(helper.silence)
        }
    }

    /// A message whose echo has not come yet has the ID of its post, and no other text.
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
            // From now on, so that no news is lost between the two.
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
                        continuation.yield([
                            .typing(
                                people.map { id in
                                    members.first { $0.id == id } ?? Person(id: id, name: id.rawValue)
                                })
                        ])
                    }
                case .receipts(conversation, let receipts): readers.take(receipts)
                case .typing, .read, .receipts, .rooms: break
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
    /// The gap at the edge that a request goes on from, and on which side of the segment that names it the gap is.
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

    /// The same page, whose gaps can be asked for more.
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

/// The calls that go to the archive alone.
extension ServedStore {
    package var me: PersonID? { archive.me }

    package func conversations() async throws(StoreError) -> [Conversation] { try await archive.conversations() }

    package func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation {
        try await archive.conversation(id)
    }

    package func problems() async -> [String] { await archive.problems() }

    package func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message {
        try await archive.message(id, in: conversation)
    }

    package func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]
    {
        try await archive.messages(ids, in: conversation)
    }

    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] { try await archive.versions(of: id, in: conversation) }

    package func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place? {
        try await archive.place(of: cursor, in: conversation)
    }

    package func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary {
        try await archive.summary(of: id)
    }

    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?, withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        await archive.summaries(of: conversations, since: read, for: reader, withNewest: withNewest)
    }

    package func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread {
        try await archive.unread(in: conversation, since: state, threads: threads, for: reader)
    }

    package func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor] {
        try await archive.ends(at: moment)
    }

    package func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID] {
        await archive.lastMessages(before: ends)
    }

    package func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> { archive.places(of: query, in: conversation) }

    package func knows(sender: String) async -> Bool { await archive.knows(sender: sender) }

    package func arrivals(
        besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) -> AsyncStream<[Arrival]> { archive.arrivals(besides: isFollowed) }

    package func statistics(
        of id: ConversationID, in zone: Zone, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String]) {
        try await archive.statistics(of: id, in: zone, progress: progress)
    }
}

/// Rooms that are joined and left on the server.
extension ServedStore {
    package func invitations() async -> [Invitation] { await archive.invitations() }

    package func listChanges() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [helper] continuation in
            let stop = helper.watch { if case .rooms = $0 { continuation.yield() } }
            continuation.onTermination = { _ in stop() }
        }
    }

    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        switch await helper.ask(.join(address: address)) {
        case .joined(let id): return try await archive.conversation(id)
        case .done, .fetched, .found, .members, .version: return nil
        case .failed(let reason, _): throw .notSent("not joined: \(reason)")
        case nil: throw .notSent("not joined: \(helper.silence)")
        }
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        try await ask(.decline(room: invitation.id), otherwise: "not declined")
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        try await ask(.leave(conversation), otherwise: "not left")
    }

    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        switch await helper.ask(.members(conversation)) {
        case .members(let people): return people
        case .failed(let reason, _): throw .unavailable(reason)
        case .done, .fetched, .found, .joined, .version, nil: throw .unavailable(helper.silence)
        }
    }

    private func ask(_ request: RelayRequest.Content, otherwise: String) async throws(StoreError) {
        switch await helper.ask(request) {
        case .done, .fetched, .found, .joined, .members, .version: return
        case .failed(let reason, _): throw .notSent("\(otherwise): \(reason)")
        case nil: throw .notSent("\(otherwise): \(helper.silence)")
        }
    }
}

/// Searches in the archive, and on the server for what the archive lacks.
///
///     hits of the archive ─→ messages are missing in it, and the query is of words alone ─→ hits of the server, page by page
extension ServedStore {
    /// In one search of the server. More than these nobody looks through.
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
            let page = RelaySearch(words, in: request.conversation, limit: ServedStore.hitsInPage, next: next)
            switch helper.isOnline ? await helper.ask(.search(page)) : nil {
            case .found(let hits, let token):
                let new = await hitsElsewhere(hits, request)
                continuation.yield(.success(SearchBatch(hits: new, progress: 1)))
                guard let token else { return }
                next = token
            case .failed(let reason, _):
                continuation.yield(.failure(.unreadable("the server was not searched: \(reason)")))
                return
            case .done, .fetched, .joined, .members, .version, nil:
                continuation.yield(.failure(.unreadable("the server was not searched: \(helper.silence)")))
                return
            }
        }
    }

    /// Whether messages are missing in a conversation; in any one if nil.
    private func lacksMessages(_ conversation: ConversationID?) async -> Bool {
        let all = (try? await archive.conversations()) ?? []
        for id in conversation.map({ [$0] }) ?? all.map(\.id) {
            if Task.isCancelled { return false }
            let page = try? await archive.page(PageRequest(conversation: id, position: .latest, limit: 1))
            if let place = page?.place {
                if place.isPartial { return true }
                continue
            }
            // Without an index the number of messages is not known, nor whether it is all. The oldest island tells mostly.
            let first = try? await archive.page(PageRequest(conversation: id, position: .earliest, limit: 1))
            if case .gap? = first?.older { return true }
        }
        return false
    }

    /// The hits that the archive does not hold, and that match here, too: servers compare words in ways of their own.
    private func hitsElsewhere(_ hits: [RelayHit], _ request: SearchRequest) async -> [Hit] {
        var new: [Hit] = []
        for (id, hits) in Dictionary(grouping: hits, by: \.conversation) {
            guard let known = try? await archive.messages(Set(hits.map(\.message)), in: id) else { continue }
            let here = Set(known.map(\.id))
            let members = (try? await archive.conversation(id))?.members ?? []
            for hit in hits where !here.contains(hit.message) && request.query.query.matches(hit.text) {
                let sender = members.first { $0.id == hit.sender } ?? Person(id: hit.sender, name: hit.sender.rawValue)
                new.append(
                    Hit(
                        conversation: id, message: hit.message, at: hit.at, sender: sender, text: hit.text,
                        isElsewhere: true))
            }
        }
        return new.sorted { $0.at.milliseconds > $1.at.milliseconds }
    }
}

extension SearchRequest {
    /// The words, as they were typed, if a server can search for them: it knows no filters, no times and no expressions.
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
