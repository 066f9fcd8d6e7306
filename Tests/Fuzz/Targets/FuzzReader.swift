import Archive
import Messages
import Search

/// Reads everything that a store has of a conversation, in every possible way.
struct FuzzReader {
    /// Few, so that a small log has several pages.
    private static let limit = 3

    private let store: JSONArchive
    private let conversation: ConversationID
    /// Whether lines may repeat an ID without the store noticing: only an index knows which lines do.
    private let showsRepeats: Bool

    init(_ store: JSONArchive, _ conversation: ConversationID, showsRepeats: Bool = false) {
        (self.store, self.conversation, self.showsRepeats) = (store, conversation, showsRepeats)
    }

    /// The main timeline: the same downward, upward and message by message.
    func messages() async throws -> [Message] {
        let down = try await walk(from: .earliest, \.newer) { .after($0) }
        let up = try await walk(from: .latest, \.older) { .before($0) }
        let (downward, upward) = (down.flatMap { $0 }, up.reversed().flatMap { $0 })
        try demand(downward == upward, "downward: \(downward.map(\.id)), upward: \(upward.map(\.id))")
        for message in downward {
            let single = try await store.message(message.id, in: conversation)
            try demand(showsRepeats || single == message, "in its page: \(message)\nalone: \(single)")
            try await walkThread(of: message)
        }
        return downward
    }

    private func walkThread(of root: Message) async throws {
        guard root.replyCount > 0 else { return }
        let replies = try await walk(from: .earliest, thread: root.id, \.newer) { .after($0) }.flatMap { $0 }
        try demand(
            showsRepeats || replies.count == root.replyCount,
            "\(root.id) has \(root.replyCount) replies, shown \(replies.count)")
        try demand(replies.allSatisfy { $0.thread == root.id }, "replies of other threads in that of \(root.id)")
    }

    private func walk(
        from start: PageRequest.Position, thread: MessageID? = nil, _ edge: KeyPath<Page, Page.Edge>,
        on: (Messages.Cursor) -> PageRequest.Position
    ) async throws -> [[Message]] {
        var pages: [[Message]] = []
        var position = start
        while true {
            let page = try await store.page(
                PageRequest(conversation: conversation, thread: thread, position: position, limit: Self.limit))
            try demand(page.messages.count <= Self.limit, "a page of \(page.messages.count)")
            pages.append(page.messages)
            guard case .more(let cursor, _) = page[keyPath: edge] else { return pages }
            try demand(!page.messages.isEmpty, "a page without messages that says there are more")
            position = on(cursor)
        }
    }

    func checkProblems() async throws {
        for problem in await store.problems() {
            let isClean = problem.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            try demand(isClean, "a control character in what is said: \(problem.debugDescription)")
        }
    }

    /// Whether a line was ignored because its ID came before.
    var hasRepeats: Bool {
        get async throws {
            await store.problems().contains { $0.contains("repeats the ID") || $0.contains("more lines") }
        }
    }

    /// The messages that a query finds, replies in threads included.
    func hits(_ query: Query) async throws -> [MessageID] {
        var ids: [MessageID] = []
        for await batch in store.search(SearchRequest(ResolvedQuery(query), in: conversation)) {
            ids += try batch.get().hits.map(\.message)
        }
        return ids
    }

    /// Queries made of the texts themselves: as typed, and as one phrase.
    static func queries(of messages: [Message]) -> [Query] {
        messages.filter { !$0.text.isEmpty }.prefix(2).flatMap { message in
            let start = String(message.text.prefix(20))
            return [Query(start), Query(phrase: start)]
        }
    }
}
