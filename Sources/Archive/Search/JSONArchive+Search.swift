package import Messages
internal import Search

extension JSONArchive {
    /// Looks through the files, backwards, as long as somebody asks: with memory for a block and its hits, and a
    /// fixed amount for edits. Conversations with messages of the same time come by the bytes of their IDs.
    ///
    /// A batch may fail with what `page` throws.
    package nonisolated func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        let run = SearchRun(self, request)
        return AsyncStream { await run.next() }
    }

    /// A reply whose root is not in the main timeline stands where the message before it does.
    package nonisolated func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        let run = PlaceRun(self, query, in: conversation)
        return AsyncStream { await run.next() }
    }

    /// For the thread of searches; nil when there is no index at all.
    nonisolated func searchIndex() -> SearchIndex? { service.map { SearchIndex($0.folder) } }

    /// Looks into the file of persons, and then through all messages.
    package nonisolated func knows(sender: String) async -> Bool {
        await SearchRun(self, SearchRequest(Query(phrase: sender))).knows(sender: sender)
    }
}
