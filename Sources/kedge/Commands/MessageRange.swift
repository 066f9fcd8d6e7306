import Messages

/// All messages of a main timeline or of a thread from one to another, in the order of the conversation, some at a time: only a page of
/// them is in memory.
struct MessageRange: Sendable {
    private static let pageSize = 500

    private let store: any MessageReading
    private let conversation: ConversationID
    /// The root of the thread; nil for the main timeline.
    private let thread: MessageID?
    private let first: MessageID
    private let last: MessageID
    /// Whether replies in threads stand after their roots.
    private let hasReplies: Bool

    /// The messages of the last page that are not given yet, and the replies that come before them.
    private var left: ArraySlice<Message> = []
    private var replies: ThreadPages?
    /// The next page; nil after the last one.
    private var position: PageRequest.Position?
    private var walk = PageWalk()
    private var isAtLast = false

    /// - Parameters:
    ///   - one: an end, as is `other`. They may come in either order. A reply in a thread stands for the root of its thread.
    ///   - thread: the root of the thread whose replies are meant; nil for the main timeline.
    ///   - hasReplies: whether replies in threads stand after their roots; of two replies in one thread only the part of the thread
    ///     between them is meant then.
    /// - Throws: `noSuchMessage` if one of them does not exist, or no way leads from one to the other.
    init(
        _ one: MessageID, _ other: MessageID, in conversation: ConversationID, thread: MessageID? = nil,
        hasReplies: Bool = false, of store: any MessageReading
    ) async throws(StoreError) {
        var ends = (try await store.message(one, in: conversation), try await store.message(other, in: conversation))
        var thread = thread
        if hasReplies, let root = ends.0.thread, root == ends.1.thread, !ends.0.isMain, !ends.1.isMain { thread = root }
        if thread == nil {
            if !ends.0.isMain, let root = ends.0.thread { ends.0 = try await store.message(root, in: conversation) }
            if !ends.1.isMain, let root = ends.1.thread { ends.1 = try await store.message(root, in: conversation) }
        }
        // Times need not rise, so they only decide which way is tried first.
        if ends.0.at > ends.1.at { ends = (ends.1, ends.0) }
        for (first, last) in [(ends.0.id, ends.1.id), (ends.1.id, ends.0.id)] {
            self.init(first, last, conversation, thread, hasReplies: hasReplies, store)
            if try await reachesEnd() { return }
        }
        throw .noSuchMessage(other, in: conversation)
    }

    private init(
        _ first: MessageID, _ last: MessageID, _ conversation: ConversationID, _ thread: MessageID?, hasReplies: Bool,
        _ store: any MessageReading
    ) {
        (self.first, self.last, self.conversation, self.thread) = (first, last, conversation, thread)
        (self.hasReplies, self.store, position) = (hasReplies && thread == nil, store, .message(first))
    }

    /// Whether the last message stands after the first one, or is the same.
    private func reachesEnd() async throws(StoreError) -> Bool {
        var (page, walk) = (try await page(.message(first)), PageWalk())
        guard let start = page.messages.firstIndex(where: { $0.id == first }) else { return false }
        if page.messages[start...].contains(where: { $0.id == last }) { return true }
        // The store does not know places without an index.
        if let place = page.place {
            let end = try await self.page(.message(last), 1)
            if end.messages.map(\.id) == [last], let end = end.place { return place.index + start <= end.index }
        }
        while let next = walk.next(beyond: page.newer) {
            page = try await self.page(next.position)
            if page.messages.contains(where: { $0.id == last }) { return true }
        }
        return false
    }

    /// - Returns: the next messages, and those after them; nil after the last one.
    func next() async throws(StoreError) -> (messages: [Message], rest: MessageRange?) {
        var rest = self
        if let pages = replies {
            let (messages, more) = try await pages.next()
            rest.replies = more
            return (messages, rest.isOver ? nil : rest)
        }
        if left.isEmpty {
            guard let position else { throw .noSuchMessage(last, in: conversation) }
            let page = try await page(position)
            rest.left = page.messages[...]
            if case .message(first) = position { rest.left = rest.left.drop { $0.id != first } }
            rest.position = rest.walk.next(beyond: page.newer)?.position
            if let end = rest.left.firstIndex(where: { $0.id == last }) {
                (rest.left, rest.isAtLast) = (rest.left[...end], true)
            }
        }
        var messages = rest.left
        rest.left = []
        if hasReplies, let root = messages.firstIndex(where: { $0.replyCount > 0 }) {
            rest.replies = ThreadPages(of: messages[root].id, in: conversation, of: store)
            rest.left = messages[(root + 1)...]
            messages = messages[...root]
        }
        return (Array(messages), rest.isOver ? nil : rest)
    }

    private var isOver: Bool { isAtLast && left.isEmpty && replies == nil }

    private func page(
        _ position: PageRequest.Position, _ limit: Int = MessageRange.pageSize
    ) async throws(StoreError) -> Page {
        try await store.page(
            PageRequest(conversation: conversation, thread: thread, position: position, limit: limit))
    }
}
