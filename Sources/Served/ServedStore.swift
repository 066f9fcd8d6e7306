package import Messages
internal import Relay
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
