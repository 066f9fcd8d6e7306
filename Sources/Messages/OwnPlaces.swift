internal import Search

/// A message that concerns the reader: it mentions the reader, replies to the reader, or belongs to a thread in which the reader
/// takes part.
package struct OwnPlace: Hashable, Sendable, Identifiable {
    /// The link to the message.
    package let id: Link
    package let at: Timestamp
    package let sender: Person?
    package let text: String
    package let isUnread: Bool
    /// The number of replies, for a thread.
    package let replies: Int?
    /// The first unread reply, for a thread.
    package let firstUnread: MessageID?

    package init(
        id: Link, at: Timestamp, sender: Person?, text: String, isUnread: Bool, replies: Int? = nil,
        firstUnread: MessageID? = nil
    ) {
        self.id = id
        self.at = at
        self.sender = sender
        self.text = text
        self.isUnread = isUnread
        self.replies = replies
        self.firstUnread = firstUnread
    }
}

/// Finds the messages that concern the reader in all conversations, by searches of the store. With an index, the time depends on
/// the number of such messages; without one, on the size of the archive.
package struct OwnPlaces: Sendable {
    package enum Kind: Hashable, Sendable {
        /// The messages of others that mention the reader or reply to the reader.
        case mentions
        /// The threads that the reader has started or written in, by their roots, with the time of the last reply.
        case threads
    }

    /// The longest text of a place, in bytes. Lists show no more than that.
    private static let longestText = 1_000
    /// The search stops after this many places.
    private static let most = 5_000

    private let store: any MessageStore
    private let me: Addressee
    private let read: ReadStates

    package init(store: any MessageStore, me: Addressee, read: ReadStates) {
        (self.store, self.me, self.read) = (store, me, read)
    }

    /// Reports the places as they are found, each once, in any order; stops when its task is cancelled.
    /// - Parameter seen: messages that an earlier search has checked, which are skipped.
    /// - Returns: the first error, or nil if all conversations were searched; and the checked messages.
    package func find(
        _ kind: Kind, besides seen: Set<Link> = [], _ tell: ([OwnPlace]) -> Void
    ) async -> (failure: StoreError?, seen: Set<Link>) {
        var run = Run(seen: seen)
        switch kind {
        case .mentions:
            let names = Set(me.texts).sorted().map { Query(phrase: $0) }.filter { !$0.isEmpty }
            for query in names + [Query("is:reply")] {
                await search(SearchRequest(query), &run, tell) {
                    $0.sender?.id != me.person.id
                } places: { id, messages, run in
                    await mentions(in: messages, of: id, &run)
                }
            }
        case .threads:
            for query in ["is:thread", "-is:thread"] {
                let request = SearchRequest(Query(query), from: QueryName(id: me.person.id.rawValue))
                await search(request, &run, tell) {
                    $0.sender?.id == me.person.id
                } places: { id, messages, run in
                    await threads(of: messages, in: id, &run)
                }
            }
        }
        return (run.failure, run.seen)
    }
}

extension OwnPlaces {
    /// The state of a run.
    private struct Run {
        /// The messages and the roots that were checked.
        var seen: Set<Link> = []
        var count = 0
        var failure: StoreError?
        /// The time of the last message that was read, by conversation.
        var readUpTo: [ConversationID: Timestamp] = [:]
        /// The unread thread replies, by conversation.
        var waiting: [ConversationID: [ThreadReply]] = [:]
    }

    /// The number of messages in one request. It is small, so that pages for the screen do not wait long.
    private static let atOnce = 100

    private func search(
        _ request: SearchRequest, _ run: inout Run, _ tell: ([OwnPlace]) -> Void, where accepts: (Hit) -> Bool,
        places: (ConversationID, [Message], inout Run) async -> [OwnPlace]
    ) async {
        for await result in store.search(request) {
            if Task.isCancelled || run.count >= OwnPlaces.most { return }
            switch result {
            case .failure(let error): run.failure = run.failure ?? error
            case .success(let batch):
                for (id, hits) in Dictionary(grouping: batch.hits.filter(accepts), by: \.conversation) {
                    for start in stride(from: 0, to: hits.count, by: OwnPlaces.atOnce) {
                        let some = hits[start..<min(hits.count, start + OwnPlaces.atOnce)]
                        let found = await places(id, await messages(Set(some.map(\.message)), in: id, &run), &run)
                        run.count += found.count
                        if !found.isEmpty { tell(found) }
                    }
                }
            }
        }
    }

    /// The messages that were not checked before.
    private func messages(
        _ ids: Set<MessageID>, in id: ConversationID, _ run: inout Run
    ) async -> [Message] {
        let new = ids.filter { run.seen.insert(Link(conversation: id, message: $0)).inserted }
        if new.isEmpty || Task.isCancelled { return [] }
        do throws(StoreError) {
            return try await store.messages(new, in: id)
        } catch {
            run.failure = run.failure ?? error
            run.seen.subtract(new.map { Link(conversation: id, message: $0) })
            return []
        }
    }

    // MARK: - Mentions

    private func mentions(in messages: [Message], of id: ConversationID, _ run: inout Run) async -> [OwnPlace] {
        let found = messages.filter { isNamed(in: $0) || isReply($0) }
        guard !found.isEmpty else { return [] }
        let readUpTo = await readUpTo(id, &run)
        let isMain = found.allSatisfy(\.isMain)
        let waiting = isMain ? [] : Set(await waiting(in: id, &run).map(\.message))
        // A thread reply is read when its thread is opened; another message is read with all messages before it.
        return found.map { message in
            let isUnread = message.isMain ? message.at > readUpTo : waiting.contains(message.id)
            return place(message, in: id, at: message.at, isUnread: isUnread)
        }
    }

    private func isNamed(in message: Message) -> Bool { message.presence == nil && me.isMentioned(in: message.text) }

    private func isReply(_ message: Message) -> Bool {
        if case .message(let sender?, _) = message.quote?.content { return sender.id == me.person.id }
        return false
    }

    /// The unread thread replies: the recorded ones, and those that came since.
    private func waiting(in id: ConversationID, _ run: inout Run) async -> [ThreadReply] {
        if let known = run.waiting[id] { return known }
        let known = read.threads(of: id)
        let request = PageRequest(conversation: id, position: .latest, limit: 1, since: read[id], threads: known)
        let marks = (try? await store.page(request))?.threads ?? known
        run.waiting[id] = marks?.open ?? []
        return marks?.open ?? []
    }

    /// The time of the last message that was read. If clocks ran backwards, a message may wrongly count as unread.
    private func readUpTo(_ id: ConversationID, _ run: inout Run) async -> Timestamp {
        if let known = run.readUpTo[id] { return known }
        var moment = Timestamp(milliseconds: .max)
        switch read[id] {
        case .unknown: break
        case .nothing: moment = Timestamp(milliseconds: .min)
        case .upTo(let message): if let last = try? await store.message(message, in: id) { moment = last.at }
        }
        run.readUpTo[id] = moment
        return moment
    }

    // MARK: - Threads

    /// The roots of the threads to which these messages belong.
    private func threads(of messages: [Message], in id: ConversationID, _ run: inout Run) async -> [OwnPlace] {
        let own = messages.filter { $0.isMain && $0.replyCount > 0 }
        let roots = await self.messages(Set(messages.compactMap(\.thread)), in: id, &run)
        let found = own + roots
        guard !found.isEmpty else { return [] }
        let waiting = await waiting(in: id, &run)
        return found.map { root in
            place(
                root, in: id, at: root.lastReply ?? root.at, replies: root.replyCount,
                firstUnread: waiting.first { $0.thread == root.id }?.message)
        }
    }

    private func place(
        _ message: Message, in id: ConversationID, at moment: Timestamp, isUnread: Bool = false, replies: Int? = nil,
        firstUnread: MessageID? = nil
    ) -> OwnPlace {
        OwnPlace(
            id: Link(conversation: id, message: message.id), at: moment, sender: message.sender,
            text: message.text.beginning(OwnPlaces.longestText), isUnread: isUnread || firstUnread != nil,
            replies: replies, firstUnread: firstUnread)
    }
}
