import Messages

/// All messages of a main timeline or of a thread from one to another, in the order of the conversation.
struct MessageRange {
    private static let pageSize = 500

    private let first: MessageID
    private let last: MessageID
    private let conversation: ConversationID
    private let thread: MessageID?

    /// - Parameter thread: the root of the thread; nil for the main timeline.
    init(_ first: MessageID, _ last: MessageID, in conversation: ConversationID, thread: MessageID? = nil) {
        (self.first, self.last, self.conversation, self.thread) = (first, last, conversation, thread)
    }

    /// The ends may come in either order. A reply in a thread stands for the root of its thread.
    func messages(of store: any MessageReading) async throws(StoreError) -> [Message] {
        var ends = (try await shown(first, by: store), try await shown(last, by: store))
        // Times need not rise, so they only decide which way is tried first.
        if ends.0.at > ends.1.at { ends = (ends.1, ends.0) }
        if let messages = try await messages(from: ends.0.id, to: ends.1.id, of: store) { return messages }
        if let messages = try await messages(from: ends.1.id, to: ends.0.id, of: store) { return messages }
        throw .noSuchMessage(last, in: conversation)
    }

    /// As `messages`, with all replies in threads after their roots; of two replies in one thread only the part of the thread between
    /// them.
    func messagesAndReplies(of store: any MessageReading) async throws(StoreError) -> [Message] {
        let ends = (try await store.message(first, in: conversation), try await store.message(last, in: conversation))
        if let root = ends.0.thread, root == ends.1.thread, !ends.0.isMain, !ends.1.isMain {
            return try await MessageRange(first, last, in: conversation, thread: root).messages(of: store)
        }
        var all: [Message] = []
        for message in try await messages(of: store) {
            all.append(message)
            var left = message.replyCount > 0 ? ThreadPages(of: message.id, in: conversation, of: store) : nil
            while let pages = left {
                let (replies, rest) = try await pages.next()
                all += replies
                left = rest
            }
        }
        return all
    }

    private func shown(_ id: MessageID, by store: any MessageReading) async throws(StoreError) -> Message {
        let message = try await store.message(id, in: conversation)
        guard thread == nil, !message.isMain, let root = message.thread else { return message }
        return try await store.message(root, in: conversation)
    }

    /// - Returns: nil if the second message is not after the first one.
    private func messages(
        from first: MessageID, to last: MessageID, of store: any MessageReading
    ) async throws(StoreError) -> [Message]? {
        var page = try await page(.message(first), of: store)
        guard let start = page.messages.firstIndex(where: { $0.id == first }) else { return nil }
        var messages: [Message] = []
        var fresh = page.messages[start...]
        var walk = PageWalk()
        while true {
            if let end = fresh.firstIndex(where: { $0.id == last }) { return messages + fresh[...end] }
            messages += fresh
            guard let next = walk.next(beyond: page.newer) else { return nil }
            page = try await self.page(next.position, of: store)
            fresh = page.messages[...]
        }
    }

    private func page(_ position: PageRequest.Position, of store: any MessageReading) async throws(StoreError) -> Page {
        try await store.page(
            PageRequest(
                conversation: conversation, thread: thread, position: position, limit: MessageRange.pageSize))
    }
}
