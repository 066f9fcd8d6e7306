import Messages

/// The replies in a thread that do not stand in the main timeline too, page by page: a thread may be longer than memory.
struct ThreadPages: Sendable {
    private static let pageSize = 500

    private let store: any MessageReading
    private let conversation: ConversationID
    private let root: MessageID
    private var position = PageRequest.Position.earliest
    private var walk = PageWalk()

    /// From the first reply on.
    init(of root: MessageID, in conversation: ConversationID, of store: any MessageReading) {
        (self.root, self.conversation, self.store) = (root, conversation, store)
    }

    /// - Returns: the replies of the next page, and the pages after it; nil after the last one.
    func next() async throws(StoreError) -> (replies: [Message], rest: ThreadPages?) {
        let request = PageRequest(
            conversation: conversation, thread: root, position: position, limit: ThreadPages.pageSize)
        let page = try await store.page(request)
        var rest = self
        let next = rest.walk.next(beyond: page.newer)
        if let next { rest.position = next.position }
        return (page.messages.filter { !$0.isMain }, next == nil ? nil : rest)
    }
}
