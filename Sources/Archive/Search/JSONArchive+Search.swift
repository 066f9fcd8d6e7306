package import Messages
internal import Search

extension JSONArchive {
    /// Searches the files backwards, one batch for each request of the stream. Uses memory for one block, its hits and
    /// a bounded number of edits. Messages of the same time in several conversations are ordered by the bytes of the
    /// conversation IDs.
    ///
    /// A batch may fail with the errors of `page`.
    package nonisolated func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        let run = SearchRun(self, request)
        return AsyncStream { await run.next() }
    }

    /// A reply whose root is not in the main timeline has the position of the message before it.
    package nonisolated func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        let run = PlaceRun(self, query, in: conversation)
        return AsyncStream { await run.next() }
    }

    /// The index for use on the search thread; nil if the archive has no index.
    nonisolated func searchIndex() -> SearchIndex? { service.map { SearchIndex($0.folder) } }

    /// Looks in the people file first, then in all messages.
    package nonisolated func knows(sender: String) async -> Bool {
        await SearchRun(self, SearchRequest(Query(phrase: sender))).knows(sender: sender)
    }
}
